"""The error of a leaderboard that cannot start or go on."""

from __future__ import annotations

from kingmaker.envs.core.errors import KingmakerError


class LeaderboardError(KingmakerError, ValueError):
    """A plan that does not fit the games, or a folder whose files are no leaderboard's."""
