from __future__ import annotations

from pathlib import Path

import pytest
from rule_map import Proof, complaints, find_all_proofs, find_proofs

import kingmaker.envs  # noqa: F401  (registers the games)
from kingmaker.envs.core.registry import all_specs, get_spec
from kingmaker.envs.core.rulebook import Rule, parse_rulebook, read_rulebook

BOOK = """# Game

Prose, with a - **bold** word.

## Play

- **AB-1** (rulebook) One thing.
- **AB-2** (ruling) Another, because of it.

## End

- **AB-10** (rulebook) It ends.
"""


def test_every_rule_has_a_test_and_every_test_a_rule() -> None:
    # Other tests may have registered games of their own; this package's are the ones to prove.
    ours = all_specs("kingmaker")
    books = {spec.name: read_rulebook(spec) for spec in ours}
    assert all(books.values()), "a game without a rule"
    rules = {rule.id for book in books.values() for rule in book}
    wrong = complaints(sorted(rules), find_all_proofs(Path(__file__).parent))
    assert not wrong, "\n".join(wrong)


def test_krig_rulebook_is_read_whole() -> None:
    rules = read_rulebook(get_spec("krig"))
    assert len(rules) == 104
    assert {rule.section for rule in rules} >= {
        "Components and setup",
        "Turn and parry",
        "Match",
        "Finiteness",
    }


def test_rulebook_is_read_in_order() -> None:
    assert parse_rulebook(BOOK) == [
        Rule("AB-1", "rulebook", "Play", "One thing."),
        Rule("AB-2", "ruling", "Play", "Another, because of it."),
        Rule("AB-10", "rulebook", "End", "It ends."),
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("- **AB-1** (rulebook) Again.", "book:13: AB-1 is given twice"),
        ("- **AB-3** (guess) Text.", "book:13: the status of AB-3 is one of rulebook, ruling, not 'guess'"),
        ("- **AB-3** Text.", "book:13: a rule reads"),
        ("- **AB3** (ruling) Text.", "book:13: a rule reads"),
        ("- **AB-3** (ruling)", "book:13: a rule reads"),
        ("  and goes on.", "book:13: a rule stands on one line"),
    ],
)
def test_malformed_rulebook_is_refused(line: str, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}"):
        parse_rulebook(BOOK + line + "\n", "book")


def test_rule_outside_a_section_is_refused() -> None:
    with pytest.raises(ValueError, match="AB-1 stands before the first"):
        parse_rulebook("- **AB-1** (ruling) Text.\n")


# The gate itself: it must be able to fail. The marks are put together here, since a scan of this very file
# finds only real decorators.

DECORATED = """
@pytest.mark.rule("AB-1", "AB-9")
@pytest.mark.parametrize("x", [1])
def test_one(x): ...
"""


def test_gate_finds_unproved_and_unknown_rules() -> None:
    ids = [rule.id for rule in parse_rulebook(BOOK)]
    proofs = list(find_proofs(DECORATED, "t.py"))
    assert proofs == [Proof("AB-1", "t.py::test_one"), Proof("AB-9", "t.py::test_one")]
    assert complaints(ids, proofs) == [
        "AB-2 has no test",
        "AB-10 has no test",
        "t.py::test_one names AB-9, which no rulebook has",
    ]
    assert complaints(["AB-1", "AB-9"], proofs) == []


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("@pytest.mark.rule(*IDS)\ndef test_x(): ...", "t.py:1: a rule mark lists rule ids"),
        ("@pytest.mark.rule()\ndef test_x(): ...", "t.py:1: a rule mark lists rule ids"),
        ("@pytest.mark.rule('AB-1')\ndef helper(): ...", "t.py:2: helper is no test"),
        ("pytestmark = pytest.mark.rule('AB-1')", "t.py:1: a rule mark decorates the test"),
    ],
)
def test_marks_that_prove_nothing_are_refused(source: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        list(find_proofs(source, "t.py"))
