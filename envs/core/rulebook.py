"""Reading a game's ``rulebook.md``: rules as data, for the command line, the documentation and the rule map.

A rule stands on one line, ``- **KR-12** (ruling) Text.``, under a ``##`` heading that names its section.
Lines of any other form are prose.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from kingmaker.envs.core.spec import GameSpec

# Where a rule comes from: the printed rules, or the project where the print is silent.
STATUSES = ("rulebook", "ruling")

_RULE = re.compile(r"- \*\*(?P<id>[A-Z]+-\d+)\*\* \((?P<status>[a-z]+)\) (?P<text>\S.*)")
_HEADING = re.compile(r"## +(?P<title>\S.*)")


@dataclass(frozen=True)
class Rule:
    """One numbered rule."""

    id: str
    status: str  # one of ``STATUSES``
    section: str
    text: str


def parse_rulebook(text: str, source: str = "rulebook") -> list[Rule]:
    """Return the rules in the order of the text.

    Args:
        text: the rulebook.
        source: its name, for messages.

    Raises:
        ValueError: on a line that begins like a rule but is not one, a rule that goes on over a second line,
            a rule outside a section, an unknown status or an id given twice; names source and line.
    """
    rules: dict[str, Rule] = {}
    section = ""
    after_rule = False
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.rstrip()
        where = f"{source}:{number}"
        if heading := _HEADING.fullmatch(line):
            section = heading["title"]
        elif line.startswith("- **"):
            rule = _parse_rule(line, section, where)
            if rule.id in rules:
                raise ValueError(f"{where}: {rule.id} is given twice")
            rules[rule.id] = rule
        elif line and after_rule:
            raise ValueError(f"{where}: a rule stands on one line, followed by another rule or an empty line")
        after_rule = line.startswith("- **")
    return list(rules.values())


def _parse_rule(line: str, section: str, where: str) -> Rule:
    match = _RULE.fullmatch(line)
    if match is None:
        raise ValueError(f"{where}: a rule reads '- **AB-12** (status) Text.', not {line[:60]!r}")
    if match["status"] not in STATUSES:
        raise ValueError(
            f"{where}: the status of {match['id']} is one of {', '.join(STATUSES)}, not {match['status']!r}"
        )
    if not section:
        raise ValueError(f"{where}: {match['id']} stands before the first '## ' heading")
    return Rule(match["id"], match["status"], section, match["text"])


def rulebook_path(spec: GameSpec) -> Path:
    """Return the path of a game's rulebook."""
    return Path(spec.file).parent / spec.rulebook


def read_rulebook(spec: GameSpec) -> list[Rule]:
    """Return a game's rules.

    Raises:
        ValueError: if the rulebook is malformed; see ``parse_rulebook``.
    """
    path = rulebook_path(spec)
    return parse_rulebook(path.read_text("utf-8"), path.name)
