"""The errors this package raises for wrong input; each message says what would have been right."""

from __future__ import annotations


class KingmakerError(Exception):
    """Base of all errors that a caller can mend."""


class IllegalAction(KingmakerError, ValueError):
    """An action that the rules forbid now; names the action, the phase and what was legal."""


class GameOver(KingmakerError, RuntimeError):
    """A move was asked of a game that has ended."""


class BrokenStep(KingmakerError, RuntimeError):
    """A game that an opponent's error has left in the middle of a step."""


class GameRunning(KingmakerError, RuntimeError):
    """The result was asked of a game that has not ended."""


class ScriptError(KingmakerError, ValueError):
    """A chance script ended too early, was not used up, or named an outcome that the die does not have."""


class OptionError(KingmakerError, ValueError):
    """An unknown option, a value out of range, or a seat count that the game does not have."""


class UnknownGame(OptionError, AttributeError):
    """A versioned game module that does not exist; an ``AttributeError``, so that ``hasattr`` works."""


class UnknownGameImport(OptionError, ImportError):
    """The same, met by an ``import`` statement."""


class TableError(KingmakerError, ValueError):
    """A data file (cards, dice) that cannot be read or does not describe a playable game."""


class LogError(KingmakerError, ValueError):
    """A game log that cannot be read, or that does not replay to what it says."""


class AgentError(KingmakerError, ValueError):
    """An agent that cannot be loaded, or that answered with an illegal action."""
