"""Tables that people read, as text, for the terminal and for Markdown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table


@dataclass(frozen=True)
class Grid:
    """A table of text; all columns but the first are set to the right."""

    title: str
    heads: list[str]
    rows: list[list[str]]

    def rich(self) -> Table:
        """Return it for a terminal."""
        from rich import box
        from rich.markup import escape
        from rich.table import Table

        table = Table(title=escape(self.title), box=box.SIMPLE_HEAD, title_justify="left", pad_edge=False)
        table.add_column(escape(self.heads[0]), overflow="fold")
        for head in self.heads[1:]:
            table.add_column(escape(head), justify="right", overflow="fold")
        for row in self.rows:
            table.add_row(*map(escape, row))
        return table

    def markdown(self) -> str:
        """Return it as a Markdown table."""
        rule = ["---", *["---:"] * (len(self.heads) - 1)]
        rows = [self.heads, rule, *self.rows]
        return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows)
