"""What the wheel carries is what the folders hold."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[1]


def settings() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]


def test_every_package_folder_is_listed() -> None:
    mapped = settings()["package-dir"]
    found = {
        ".".join([name, *path.parent.relative_to(ROOT / folder).parts])
        for name, folder in mapped.items()
        for path in (ROOT / folder).rglob("__init__.py")
    }
    assert found == set(settings()["packages"])


def test_no_folder_of_python_files_lacks_its_init() -> None:
    folders = {
        path.parent for folder in settings()["package-dir"].values() for path in (ROOT / folder).rglob("*.py")
    }
    assert [folder for folder in sorted(folders) if not (folder / "__init__.py").is_file()] == []
