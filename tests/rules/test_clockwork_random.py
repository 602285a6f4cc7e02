"""Random games: pieces are never lost or made, limits hold, and the score is what the journal says."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from figures_clockwork import (
    EACH_RESOURCE,
    HAND,
    RESOURCES,
    ROUNDS,
    STONES,
    TOKENS,
    WORKERS,
    WORKERS_IN_PLAY,
)
from helpers_clockwork import BENCH, OWN, Moment, chronicle, events, kingdom
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from kingmaker.envs.clockwork_kingdom import state as fields
from kingmaker.envs.core.game import Game
from kingmaker.envs.core.kernel import JIT

TYPICAL = pytest.mark.parametrize(
    ("num_players", "cards"), [(2, OWN), (3, BENCH), (4, OWN)], ids=["2-own", "3-bench", "4-own"]
)
SEED = st.integers(0, 2**32)


# --- every random game --------------------------------------------------------------------------------


def pieces_lost(game: Game) -> list[str]:
    """Return the kinds of piece that are not all there."""
    state, tables, count = game.states[0], game.tables[0], game.num_players
    seats = state["seats"][:count]
    resources = state["supply"] + state["carried"] + seats["store"].sum(axis=0)
    designs = Counter(
        {n: int(state["deck"][n]) + int(state["discards"][n]) for n in range(int(tables["designs"]))}
    )
    designs.update(int(n) for n in (*state["row"], *seats["yard"].ravel()) if n != fields.NONE)
    for built in seats["built"]:
        designs.update({n: int(amount) for n, amount in enumerate(built[: int(tables["designs"])])})
    in_box = {
        n: int(row["copies"]) * (row["seats"] <= count)
        for n, row in enumerate(tables["schematics"][: len(designs)])
    }
    up = np.arange(fields.MAX_FACILITIES) == state["facility"]
    there = {
        "resources": (resources == EACH_RESOURCE).all(),
        "stones": state["stones"] + seats["slots"].sum() == STONES,
        "tokens": (seats["tokens"] + seats["forces"].sum(axis=1) == TOKENS).all(),
        "workers": (seats["pool"] + seats["standing"].sum(axis=1) <= WORKERS_IN_PLAY).all(),
        "schematics": dict(designs) == in_box,
        "facilities": (
            state["stack"] + up + seats["facilities"].sum(axis=0) == tables["facilities"]["copies"]
        ).all(),
        "Ruins cards": (
            state["ruins"] + state["ruins_discards"] + seats["hand"].sum(axis=0) == tables["ruins"]["copies"]
        ).all(),
    }
    return [name for name, good in there.items() if not good]


def limits_broken(game: Game) -> list[str]:
    """Return the limits that do not hold at a decision."""
    state, count = game.states[0], game.num_players
    seats = state["seats"][:count]
    asked = {"discard": 1 if game.phase == "discard" else 0, "drop": 1 if game.phase == "drop" else 0}
    over_store = seats["store"].sum(axis=1) - seats["capacity"]
    over_hand = seats["cards"] - HAND
    holds = {
        "store": over_store.max() <= asked["discard"],
        "hand": over_hand.max() <= asked["drop"],
        "hand counted": (seats["hand"].sum(axis=1) == seats["cards"]).all(),
        "one Warehouse each": all(
            int(seat["built"][0]) + int((seat["yard"] == fields.WAREHOUSE).sum()) <= 1 for seat in seats
        ),
        "one worker in the Park": (seats["standing"][:, fields.PARK].sum(axis=1) <= 1).all(),
        "choices": game.over or game.mask().sum() >= 2,
        "rounds": state["rounds"] <= ROUNDS,
    }
    return [name for name, good in holds.items() if not good]


def sums_wrong(game: Game) -> list[str]:
    """Return the sums kept for a seat that its cards do not give."""
    tables = game.tables[0]
    wrong = []
    for board in game.states[0]["seats"][: game.num_players]:
        built = np.repeat(np.arange(fields.MAX_DESIGNS), board["built"])
        cards = tables["schematics"][built]
        won = tables["facilities"][np.repeat(np.arange(fields.MAX_FACILITIES), board["facilities"])]
        expected = {
            "capacity": tables["store"] + cards["capacity"].sum(),
            "types": np.bincount(cards["kind"], minlength=3),
            **{
                f"income.{name}": cards["income"][name].sum(axis=0) + won["income"][name].sum(axis=0)
                for name in ("workers", "resources", "random", "refine")
            },
            **{f"lasting.{name}": cards["lasting"][name].sum() for name in ("discount", "lab", "factory")},
        }
        for name, value in expected.items():
            part, _, inner = name.partition(".")
            if not np.array_equal(board[part][inner] if inner else board[part], value):
                wrong.append(name)
        if board["points"][fields.FROM_SCHEMATICS] != cards["points"].sum():
            wrong.append("points of schematics")
    return wrong


@pytest.mark.rule(
    "CK-7", "CK-16", "CK-106", "CK-110", "CK-120", "CK-131", "CK-138", "CK-145", "CK-156", "CK-163", "CK-52"
)
@settings(max_examples=30 if JIT else 4, deadline=None, phases=[Phase.generate])
@given(
    num_players=st.integers(2, 4), seed=SEED, cards=st.sampled_from([OWN, BENCH]), per_worker=st.booleans()
)
def test_pieces_limits_and_sums_at_every_decision(
    num_players: int, seed: int, cards: Any, per_worker: bool
) -> None:
    game = kingdom(num_players, seed=seed, cards=cards, tokens_per_worker=per_worker)
    chooser = np.random.default_rng(seed)
    gained = np.zeros((num_players, 2), int)  # points from battles and from rewards, by the journal
    bound = game.spec.longest(num_players, game.options)
    while True:
        assert pieces_lost(game) == []
        assert limits_broken(game) == []
        assert sums_wrong(game) == []
        for name, who, a, *_ in events(game, "war-scored", "reward-scored"):
            gained[who, int(name == "reward-scored")] += a
        if game.over:
            break
        game.apply(int(chooser.choice(game.legal_actions())))
    assert game.moves <= bound
    check_final(game, gained)


def check_final(game: Game, gained: np.ndarray) -> None:
    """Count the score of an ended game again from boards and journal."""
    assert not game.truncated
    assert int(game.states["rounds"][0]) == ROUNDS
    tables = game.tables[0]
    keys = []
    for who, board in enumerate(game.states[0]["seats"][: game.num_players]):
        cards = tables["schematics"][np.repeat(np.arange(fields.MAX_DESIGNS), board["built"])]
        counts = {
            **{name: int((cards["kind"] == kind).sum()) for kind, name in enumerate(fields.SCHEMATIC_TYPES)},
            "facilities": int(board["facilities"].sum()), "stones": int(board["slots"].sum()),
            "battles": int(board["won"]), "specialists": int(board["pool"][1:].sum()),
        }  # fmt: skip
        resources, workers = int(board["store"].sum()), int(board["pool"].sum())
        expected = [gained[who, 0], cards["points"].sum(), gained[who, 1]]
        expected += [cards["scoring"][:, at].sum() * counts[name] for at, name in enumerate(fields.SCORED)]
        expected += [(resources + workers) // 3]
        assert board["points"].tolist() == expected
        keys.append((sum(map(int, expected)), resources, workers))
    ranks, scores, returns = game.results()
    assert scores.tolist() == [key[0] for key in keys]
    assert ranks.tolist() == [sum(rival > key for rival in keys) for key in keys]
    assert abs(returns.sum()) < 1e-5


# --- what the moments of a few games show -------------------------------------------------------------


@TYPICAL
@pytest.mark.rule("CK-52", "CK-116", "CK-101")
def test_nine_rounds_and_three_wars(num_players: int, cards: Any) -> None:
    game, moments = chronicle(num_players, cards=cards)
    told = [
        (name, a)
        for moment in moments
        for name, _, a, *_ in moment.events
        if name in ("round-begins", "war-ends")
    ]
    expected = []
    for number in range(1, ROUNDS + 1):
        expected += [("round-begins", number)] + [("war-ends", number)] * (number in (3, 6, 9))
    assert told == expected
    assert game.over


@TYPICAL
@pytest.mark.rule("CK-3", "CK-117")
def test_nobody_may_pass_while_it_has_workers(num_players: int, cards: Any) -> None:
    for moment in chronicle(num_players, cards=cards)[1]:
        if moment.phase == "place":
            workers = {name.split("-")[0] for name in moment.legal} - {"use"}
            assert workers <= set(WORKERS)
            for worker in workers:
                assert {f"{worker}-{area}" for area in ("lab", "ruins", "factory")} <= moment.legal


@TYPICAL
@pytest.mark.rule("CK-117", "CK-6", "CK-114")
def test_each_round_begins_with_empty_board_and_five_automatons_at_least(
    num_players: int, cards: Any
) -> None:
    for moment in chronicle(num_players, cards=cards)[1]:
        if any(name == "round-begins" for name, *_ in moment.events) and moment.phase == "place":
            seats = moment.state["seats"][:num_players]
            assert (seats["pool"][:, 0] >= 5).all()
            assert seats["standing"].sum() == 0
            assert seats["battle"].sum() == 0
            assert moment.state["parked"] == moment.state["overflowed"] == 0


@TYPICAL
@pytest.mark.rule("CK-118", "CK-120", "CK-131", "CK-174")
def test_the_journal_tells_of_every_resource(num_players: int, cards: Any) -> None:
    """Stores added up from what was received, discarded, paid and refined."""
    stores = np.zeros((num_players, 4), int)
    for moment in chronicle(num_players, cards=cards)[1]:
        for name, who, a, *_ in moment.events:
            verb, _, resource = name.partition("-")
            if verb in ("receives", "discards", "pays", "refines") and resource in RESOURCES:
                change = {"receives": 1, "pays": -a}.get(verb, -1)
                stores[who, RESOURCES.index(resource)] += change
        if moment.phase != "pay":  # units of a bill that is open are told when it is closed
            assert stores.tolist() == moment.state["seats"]["store"][:num_players].tolist()


@TYPICAL
@pytest.mark.rule("CK-104", "CK-157")
def test_the_turn_order_stays_an_order(num_players: int, cards: Any) -> None:
    moments = chronicle(num_players, cards=cards)[1]
    for moment in moments:
        assert sorted(moment.state["order"][:num_players]) == list(range(num_players))
        assert (moment.state["order"][num_players:] == fields.NONE).all()
    assert changes_of_order(moments, num_players) > 2


def changes_of_order(moments: list[Moment], num_players: int) -> int:
    """Return how often the turn order changed."""
    orders = [moment.state["order"][:num_players].tolist() for moment in moments]
    return sum(one != other for one, other in pairwise(orders))
