"""Running the command line inside a test."""

from __future__ import annotations

from typer.testing import CliRunner

from kingmaker.cli.app import app


def run(*arguments: str, typed: str = "", exit_code: int = 0) -> str:
    """Run the command line; return what it printed: stdout, or stderr if it is to fail.

    What is said where rules are compiled for the first time is left out.
    """
    result = CliRunner().invoke(app, arguments, input=typed)
    assert result.exit_code == exit_code, result.output
    text = result.stdout if exit_code == 0 else result.stderr
    lines = text.splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith("kingmaker: compiling"))
