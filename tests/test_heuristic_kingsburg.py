"""The rules of thumb for Kingsburg: how strong they are, and that they see what matters."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from kingmaker.agents import load_agent
from kingmaker.benchmarks.playing import play_out
from kingmaker.envs.core.batch import BatchGames
from kingmaker.envs.core.game import Game
from kingmaker.envs.core.loops import PURPOSE_AGENTS
from kingmaker.envs.core.registry import get_spec
from kingmaker.envs.kingsburg.state import AUTUMN, NO_SEAT, SPRING
from kingmaker.envs.testing.case import stream

sys.path.append(str(Path(__file__).parent / "rules"))
from helpers_kingsburg import idle, name_of, placement_of, placing, play, recruiting, seat

SPEC = get_spec("kingsburg")
GAMES = 400


def advice(game: Game) -> str:
    """Return the name of the heuristic's action for the seat to move."""
    own = stream(SPEC, 0, 0, PURPOSE_AGENTS)
    action = SPEC.entry("game_heuristic")(game.states, game.tables, game.observe(), game.mask(), own)
    return name_of(game, int(action))


def advised_advisor(game: Game) -> int:
    """Return the advisor on whom the heuristic places dice."""
    return placement_of(game, SPEC.action_ids[advice(game)]).advisor
