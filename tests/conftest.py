"""Shared by all tests: what the mark ``compiled_only`` does."""

from __future__ import annotations

import pytest

from kingmaker.envs.core.kernel import JIT


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip tests that play too many games for rules that run as plain Python."""
    if JIT:
        return
    skip = pytest.mark.skip(reason="plays too many games for interpreted rules")
    for item in items:
        if item.get_closest_marker("compiled_only"):
            item.add_marker(skip)
