"""Kingsburg: governors roll dice for the favour of the King's advisors, build, and fight every winter.

Each of two to five seats rolls three coloured dice in each of the three productive seasons of a year, and
white ones where it has earned them. Groups of dice influence the advisor whose number is their sum;
advisors give goods, soldiers, points and looks at the enemy. Goods pay buildings, which give points and
powers, and soldiers. In Winter every seat fights the enemy of the year for itself. After five years the
most victory points win.

## Turn structure

A year has eight phases: the King's aid, Spring, the King's reward, Summer, the King's Envoy, Autumn,
recruiting and Winter. A productive season asks, in turn order: for rerolls by Statue and Chapel; for
placements, one group of dice a turn, until all have passed; for the goods of one's choice, advisor by
advisor from 1 to 18; for a building; for a sale at the Town Hall. Recruiting asks for one soldier at a
time. Everything but the enemy cards lies open, so nothing is simultaneous: where several seats choose at
once they are asked in turn order. A choice with one legal option is not asked; to pass or to decline is an
option.

## Actions

A placement is one decision. Dice are named by their place when each colour is sorted by face: `place-lh-w1`
is the lowest and the highest coloured die and the lower white one; `-token` adds a "+2" token, `-down` and
`-up` the Market. That makes 7 sets of coloured dice x 4 of white dice x 2 x 3 = 168 actions; the advisor
follows from the sum. Equal dice of one colour are interchangeable: only the lowest free ones of them may be
named. Goods are chosen as multisets in one decision: 3, 6 or 10 ways to take one, two or three, and up to
15 to lose four.

## End

The game ends after the fifth Winter. Most victory points win, then most goods, then most buildings; what is
still tied is shared. The score is victory points.

## Deviations from the printed rules

None of the first edition's base game. Where the print is silent the numbered rulings of the rules page
decide; `stables_once` chooses between two readings of the Stables.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kingmaker.agents.heuristics.kingsburg import decide
from kingmaker.envs.core.contract import Rules
from kingmaker.envs.core.registry import register_game
from kingmaker.envs.core.spec import GameSpec, GameText, Option, Phase
from kingmaker.envs.kingsburg import rules, tables, text
from kingmaker.envs.kingsburg.actions import ACTIONS
from kingmaker.envs.kingsburg.balance import tallies
from kingmaker.envs.kingsburg.check import check_state
from kingmaker.envs.kingsburg.events import EVENTS
from kingmaker.envs.kingsburg.observation import features, observe, references
from kingmaker.envs.kingsburg.state import COLOURED_DICE, MAX_PLAYERS, OPTIONS, STATE, YEARS

# In the order of ``state.phase``.
_PHASES = (
    Phase("reroll", "seats that may, in the old turn order", "reroll by Statue or Chapel, or keep the dice"),
    Phase("place", "all seats by turns", "place a group of dice on an advisor, or pass"),
    Phase("gain", "the seat that the King, an advisor or a victory gives goods to", "goods of its choice"),
    Phase("trade", "a seat at the Alchemist", "a good to give for the two others, or decline"),
    Phase("build", "seats that can, in turn order", "a building, or none"),
    Phase("town-hall", "owners of the Town Hall, in turn order", "a good or token for a point, or none"),
    Phase("recruit", "seats that can, in turn order", "goods to pay for a soldier, or stop"),
    Phase("lose", "a seat that the enemy has defeated", "goods to lose"),
)

SEASONS = 3  # productive ones in a year
# Decisions of a seat in a season: two rerolls; three groups of dice, or fewer and a pass; one choice of goods
# a group; two buildings by the Envoy; one sale at the Town Hall.
_DECISIONS_A_SEASON = 2 + COLOURED_DICE + COLOURED_DICE + 2 + 1
# Besides a season: a good of the King's aid, to stop recruiting, and goods to take or lose in Winter.
_DECISIONS_A_YEAR = 3 + SEASONS * _DECISIONS_A_SEASON


def _longest(num_players: int, options: Mapping[str, Any]) -> int:
    """Bound the decisions of a game, under any data file.

    Recruiting alone depends on goods: each soldier costs one at least, so a seat recruits no more often than
    it has ever had goods. Those come from the King's aid, from three groups of dice and the Merchants' Guild
    a season, and from victories.
    """
    goods_a_year = 1 + SEASONS * (COLOURED_DICE * tables.MAX_GIFT + 1) + tables.MAX_GIFT
    return num_players * YEARS * (_DECISIONS_A_YEAR + goods_a_year)


def _score_scale(record: Any) -> float:
    """Return the printed points of all buildings: the length of the scoring track."""
    return float(max(record["buildings"]["vp"].sum(), 1))


KINGSBURG = register_game(
    GameSpec(
        name="kingsburg",
        title="Kingsburg",
        version=0,
        module=__name__,
        seats=tuple(range(2, MAX_PLAYERS + 1)),
        options=(
            Option(
                "stables_once", "whether the Stables give at most one soldier a season (KB-19)", bool, False
            ),
        ),
        actions=ACTIONS,
        phases=_PHASES,
        events=EVENTS,
        hidden="enemy cards: this year's until Winter, but for seats that have looked; later years' from all",
        perfect_information=False,
        state_dtype=STATE,
        tables_dtype=tables.TABLES,
        options_dtype=OPTIONS,
        rules=Rules(
            rules.reset,
            rules.legal,
            rules.apply,
            observe,
            rules.redeal,
            rules.outcome,
            decide,
            linked=True,
        ),
        text=GameText(text.position, text.forbidden),
        features=features,
        load_tables=tables.load,
        longest=_longest,
        score_scale=_score_scale,
        check_state=check_state,
        references=references,
        tallies=tallies,
        history=((0, "first version"),),
    )
)
