"""A game in words: what happened, what may be chosen, how things stand."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Happening:
    """A row of the journal in Python's terms."""

    name: str  # the event's name, "chance" for a draw
    seat: int  # -1 where no seat is meant
    values: tuple[int, int, int]  # for a draw: outcome from 0, sides, 0
    text: str
    private: bool = False  # whether only ``seat`` may know of it

    def seen_by(self, viewer: int) -> bool:
        """Return whether the seat ``viewer`` may know of it."""
        return not self.private or self.seat == viewer


@dataclass(frozen=True)
class Choice:
    """An action as ``describe`` shows it."""

    action: int
    name: str
    meaning: str
    legal: bool
    rule: str | None = None  # id of the rule that forbids it, None also after the end
    why_not: str | None = None

    @property
    def reason(self) -> str:
        """Why the action is illegal, the rule's id in front."""
        return ": ".join(part for part in (self.rule, self.why_not) if part)


@dataclass(frozen=True)
class Description:
    """A position in words, with every action of the table."""

    position: str
    actor: int
    phase: str
    choices: tuple[Choice, ...]

    def __str__(self) -> str:
        lines = [self.position]
        for choice in self.choices:
            lines.append(
                f"  {choice.action:>3} {choice.name}: {choice.meaning}"
                if choice.legal
                else f"    - {choice.name}: no ({choice.reason})"
            )
        return "\n".join(lines)
