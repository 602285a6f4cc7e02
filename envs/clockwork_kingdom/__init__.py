"""Clockwork Kingdom: worker placement in a steampunk kingdom, for two to four seats.

Nine rounds. In each the seats take turns to put workers on the spaces of eight areas, which then resolve one
after the other: resources in the Market, alchemy stones in the Lab, schematics taken and completed in the
Workshop, cards in the Ruins, military tokens on battlefields, better workers in the University, production
facilities in the Factory, and the turn order in King's Park. Specialists do more than Automatons: Alchemists
in Market and Lab, Professors in Workshop and University, Artificers in Workshop and Factory.

## Turn structure

In turn order each seat places one worker, until none is left; before it places one it may use a Ruins card.
Then the areas resolve in their order. Whoever has a card for an area may play it as that area starts to
resolve. What resolves asks small questions, and only where there is a real choice: which resource to receive
or to discard, which slot a stone goes to, which schematic to take or to complete, how to pay where ways
differ in what is left. At the end of a round schematics and facilities pay; after rounds three, six and nine
the battlefields are scored.

## End

The game ends after nine rounds. Points come from battles, completed schematics, their end scoring, some
cards, and leftover resources and workers; ties are broken by resources and then by workers.

## Reconstructed cards

No source prints the cards. Schematics, Ruins cards, facilities and the bonuses of King's Park are of this
project's own design within what the rulebook says of them; the data file marks them `reconstructed`. A card
is a row of numbers there, and a file of your own may hold other cards.

## Deviations from the printed rules

None on purpose. Where the print is silent the numbered rulings of the rules page decide, and two seats play
with the covered spaces of the published edition.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kingmaker.agents.heuristics.clockwork_kingdom import decide
from kingmaker.envs.clockwork_kingdom import rules, tables, text
from kingmaker.envs.clockwork_kingdom.actions import ACTIONS
from kingmaker.envs.clockwork_kingdom.check import check_state
from kingmaker.envs.clockwork_kingdom.events import EVENTS
from kingmaker.envs.clockwork_kingdom.features import features, references
from kingmaker.envs.clockwork_kingdom.observation import observe
from kingmaker.envs.clockwork_kingdom.schema import MAX_AMOUNT
from kingmaker.envs.clockwork_kingdom.state import MAX_ORDERED, NUM_AREAS, NUM_MARKET_SPACES, OPTIONS, STATE
from kingmaker.envs.clockwork_kingdom.tallies import action_tallies, tallies
from kingmaker.envs.core.contract import Rules
from kingmaker.envs.core.registry import register_game
from kingmaker.envs.core.spec import GameSpec, GameText, Option, Phase

_PHASES = (
    Phase("place", "the seat whose placement turn it is", "place a worker, or first use a Ruins card"),
    Phase("window", "each seat with a card for the area, in turn order", "play a Ruins card, or pass"),
    Phase("receive", "the seat that receives", "which resource to receive"),
    Phase("discard", "the seat whose store is too full", "which resource to discard"),
    Phase("stone", "the seat that takes an alchemy stone", "which slot it goes to"),
    Phase("token", "the seat that plays a military token", "which battlefield it goes to"),
    Phase("drop", "the seat whose hand is too large", "which Ruins card to discard"),
    Phase("pay", "the seat that completes a schematic", "what the next unit of the cost is paid with"),
    Phase("workshop", "the owner of the next worker in the Workshop", "take, complete, or be done"),
    Phase("university", "the owner of the next worker in the University", "which worker to gain"),
    Phase("refine", "the owner of the facility", "which resource to refine, if any"),
)

_OPTIONS = (
    Option(
        "tokens_per_worker",
        "whether each worker below a battlefield, and not each seat, brings a military token (CK-36)",
        bool,
        False,
    ),
)

# Bounds for the longest game, whatever the data file holds.
_ROUNDS = 9
_WORKERS = 18  # of a seat in play
_PIECES = MAX_AMOUNT  # of a reward, and of the income of a card
_REWARD = 2 * _PIECES  # a piece asks what to receive and what to discard
_BUILD = 2 + MAX_AMOUNT + _REWARD  # take, build, each unit paid, the reward


def _longest(num_players: int, options: Mapping[str, Any]) -> int:
    cards = 1 + _REWARD
    own = _WORKERS * (1 + cards) + NUM_AREAS * cards  # placements and Ruins cards
    own += 2 * (NUM_MARKET_SPACES + _WORKERS) + 2 + _WORKERS + _REWARD + _PIECES  # Market, Lab, Ruins, Park
    cards_in_play = (MAX_ORDERED + 1) * _ROUNDS
    return _ROUNDS * (num_players * own + MAX_ORDERED * (_BUILD + 1) + cards_in_play * _PIECES)


def _score_scale(record: Any) -> float:
    """Return the points that winning every battlefield of every war alone would give, half of them."""
    return float(record["wars"]["first"].sum() * len(record["battlefields"])) / 2


CLOCKWORK_KINGDOM = register_game(
    GameSpec(
        name="clockwork_kingdom",
        title="Clockwork Kingdom",
        version=0,
        module=__name__,
        seats=(2, 3, 4),
        options=_OPTIONS,
        actions=ACTIONS,
        phases=_PHASES,
        events=EVENTS,
        hidden="Ruins cards in hand, and the order of decks and stack (CK-11)",
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
        action_tallies=action_tallies,
        history=((0, "first version"),),
    )
)
