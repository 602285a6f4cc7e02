"""Run mypy over the package under its import name.

setuptools maps the top-level folders into the package ``kingmaker``; mypy cannot see that mapping, so it is
given a folder of links that looks like the installed package.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("envs", "agents", "training", "benchmarks", "cli")


def main() -> int:
    """Make the links and run mypy; return its exit status."""
    package = ROOT / "build" / "types" / "kingmaker"
    package.mkdir(parents=True, exist_ok=True)
    for folder in FOLDERS:
        link = package / folder
        if not link.is_symlink():
            link.symlink_to(ROOT / folder, target_is_directory=True)
    packages = [argument for folder in FOLDERS for argument in ("-p", f"kingmaker.{folder}")]
    command = [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml"), *packages]
    return subprocess.run(command, cwd=package.parent, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
