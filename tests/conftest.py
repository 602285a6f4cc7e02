"""Shared by all tests: the width of the output, and what the mark ``compiled_only`` does."""

from __future__ import annotations

import os

import pytest

from kingmaker.envs.core.kernel import JIT

os.environ["COLUMNS"] = "120"  # tables are read in tests: as wide wherever the tests run


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip tests that play too many games for rules that run as plain Python."""
    if JIT:
        return
    skip = pytest.mark.skip(reason="plays too many games for interpreted rules")
    for item in items:
        if item.get_closest_marker("compiled_only"):
            item.add_marker(skip)
