"""The error of a tournament that cannot start or go on."""

from __future__ import annotations

from kingmaker.envs.core.errors import KingmakerError


class TournamentError(KingmakerError, ValueError):
    """A tournament that cannot be set up, or a directory whose results are not this tournament's."""
