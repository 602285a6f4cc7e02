"""The ``kingmaker`` command; ``kingmaker --help`` lists what it can do.

Every command is a file of its own here. Nothing heavy is imported before the command that needs it runs.
"""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; the entry point of the ``kingmaker`` script."""
    try:
        from kingmaker.cli.app import app
    except ModuleNotFoundError as error:
        if error.name not in ("typer", "rich"):
            raise
        sys.exit(f"kingmaker: the command line needs {error.name}: pip install 'kingmaker[cli]'")
    app()
