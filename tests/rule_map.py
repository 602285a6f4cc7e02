"""Which test proves which rule, read from the tests' source.

The map is static, so that it is whole even when pytest runs a part of the tests or spreads them over
processes.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple, TypeGuard


class Proof(NamedTuple):
    """A test that names a rule."""

    rule: str
    test: str  # "file.py::test_name"


def find_proofs(source: str, name: str) -> Iterator[Proof]:
    """Yield what the ``@pytest.mark.rule("AB-1", ...)`` decorators of one file say.

    Raises:
        ValueError: for a mark that no test carries, or whose ids are not plain strings.
    """
    tree = ast.parse(source, name)
    carried = set()
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef):
            continue
        for mark in node.decorator_list:
            if not _is_mark(mark):
                continue
            carried.add(mark)
            if not node.name.startswith("test_"):
                raise ValueError(f"{name}:{node.lineno}: {node.name} is no test, so it proves no rule")
            for rule in _ids(mark, name):
                yield Proof(rule, f"{name}::{node.name}")
    for node in ast.walk(tree):
        if _is_mark(node) and node not in carried:
            raise ValueError(f"{name}:{node.lineno}: a rule mark decorates the test that proves the rule")


def _is_mark(node: ast.AST) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call) and ast.unparse(node.func).endswith("mark.rule")


def _ids(mark: ast.Call, name: str) -> list[str]:
    ids = [a.value for a in mark.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
    if not ids or len(ids) != len(mark.args) or mark.keywords:
        raise ValueError(f"{name}:{mark.lineno}: a rule mark lists rule ids as plain strings")
    return ids


def find_all_proofs(folder: Path) -> list[Proof]:
    """Return the proofs in every Python file under ``folder``."""
    return [
        proof
        for path in sorted(folder.rglob("*.py"))
        for proof in find_proofs(path.read_text("utf-8"), path.relative_to(folder).as_posix())
    ]


def complaints(rules: Iterable[str], proofs: Iterable[Proof]) -> list[str]:
    """Return what is wrong between rulebooks and tests: rules without a test, tests of unknown rules."""
    known, proved = list(rules), list(proofs)
    named = {proof.rule for proof in proved}
    unproved = [f"{rule} has no test" for rule in known if rule not in named]
    unknown = [
        f"{proof.test} names {proof.rule}, which no rulebook has"
        for proof in proved
        if proof.rule not in known
    ]
    return unproved + unknown
