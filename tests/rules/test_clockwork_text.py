"""Clockwork Kingdom in words: the rules that forbid illegal actions, and the position that is printed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from helpers_clockwork import (
    OWN,
    before_last,
    card_action,
    kingdom,
    name_of_action,
    play,
    position,
    resolve,
    seat,
)

from kingmaker.envs.core.errors import IllegalAction
from kingmaker.envs.core.game import Game
from kingmaker.envs.core.registry import get_spec
from kingmaker.envs.core.rulebook import read_rulebook

SPEC = get_spec("clockwork_kingdom")
RULES = {rule.id for rule in read_rulebook(SPEC)}
SHOWN = ["Hall", "Fort", "School", "Shed", "Palace"]
SEATS = pytest.mark.parametrize("num_players", SPEC.seats)


# --- illegal actions ----------------------------------------------------------------------------------


@SEATS
def test_every_illegal_action_names_a_rule(num_players: int) -> None:
    chooser = np.random.default_rng(num_players)
    game = kingdom(num_players, cards=OWN, seed=num_players)
    while not game.over:
        if game.moves % 11 == 0 or game.phase not in ("place", "workshop"):
            for choice in game.describe().choices:
                assert choice.legal == (choice.action in game.legal_actions())
                if choice.legal:
                    assert choice.rule is choice.why_not is None
                else:
                    assert choice.rule in RULES, choice.name
                    assert choice.why_not
        game.apply(int(chooser.choice(game.legal_actions())))


@pytest.mark.parametrize(
    ("action", "rule"),
    [
        ("pass", "CK-33"),
        ("receive-steel", "CK-175"),
        ("discard-steel", "CK-120"),
        ("stone-steel-copper", "CK-126"),
        ("token-3", "CK-176"),
        ("drop-1", "CK-138"),
        ("pay-steel", "CK-131"),
        ("done", "CK-128"),
        ("study-automaton-automaton", "CK-149"),
        ("keep", "CK-174"),
    ],
)
def test_an_action_at_another_time(action: str, rule: str) -> None:
    assert refusal(position(seat(pool=["automaton"]), seat()), action)[0] == rule


def refusal(game: Game, action: str) -> tuple[str, str]:
    """Return the rule that forbids an action, and why; playing it must be refused with the same."""
    choice = game.describe().choices[game.spec.action_ids[action]]
    assert not choice.legal, f"{action} is legal"
    with pytest.raises(IllegalAction, match=choice.rule):
        game.apply(action)
    return choice.rule, choice.why_not


def placing() -> Game:
    """Return a game of two in which seat 0 has taken spaces and is to place again."""
    return before_last(
        seat("market-steel", "park", "lab", pool=["automaton"], hand=["Sack"]),
        seat("workshop-1", "lab"),
    )[0]


@pytest.mark.parametrize(
    ("action", "rule", "words"),
    [
        ("professor-lab", "CK-111", "no professor in its pool"),
        ("automaton-market-steel", "CK-4", "a worker stands on the Market's steel space already"),
        ("automaton-market-random", "CK-12", "not in play"),
        ("alchemist-market-overflow", "CK-111", "no alchemist"),
        ("automaton-workshop-1", "CK-4", "a worker stands on space 1 of the Workshop already"),
        ("automaton-workshop-5", "CK-164", "with 2 seats"),
        ("automaton-university-4", "CK-164", "with 2 seats"),
        ("automaton-battle-1", "CK-164", "battlefield 1 is not in play"),
        ("automaton-park", "CK-156", "has a worker in King's Park"),
        ("use-1", "CK-33", "the seat has no Recruits"),
        ("use-2", "CK-33", "Sack is not played at the start of a placement turn"),
        ("use-12", "CK-33", "only 11 kinds"),
    ],
)
def test_placements(action: str, rule: str, words: str) -> None:
    named, why = refusal(placing(), action)
    assert named == rule
    assert words in why


@pytest.mark.rule("CK-15")
def test_beside_an_open_market() -> None:
    game = position(seat(pool=["alchemist"]), seat())
    assert refusal(game, "alchemist-market-overflow") == ("CK-15", "a space of the Market is open")


@pytest.mark.rule("CK-146", "CK-147", "CK-164")
@pytest.mark.parametrize(
    ("num_players", "spaces", "rule"), [(2, 4, "CK-164"), (3, 3, "CK-146"), (4, 4, "CK-147")]
)
def test_a_full_battlefield(num_players: int, spaces: int, rule: str) -> None:
    places = [["battle-4"] * (spaces - spaces // 2), ["battle-4"] * (spaces // 2)]
    others = [seat() for _ in range(num_players - 2)]
    game, last = before_last(
        seat(*places[0], pool=["automaton"]), seat(*places[1], pool=["automaton"]), *others
    )
    play(game, last)
    assert refusal(game, "automaton-battle-4")[0] == rule


@pytest.mark.rule("CK-49")
def test_a_full_park() -> None:
    players = [seat("park"), seat("park"), seat("park", "lab"), seat("park", pool=["automaton"])]
    game, _ = before_last(*players, fields_of_state={"turn": 0})
    while game.actor != 3:
        play(game, "automaton-lab")
    assert refusal(game, "automaton-park")[0] in ("CK-49", "CK-156")


@pytest.mark.rule("CK-33")
def test_one_card_in_a_turn() -> None:
    game = position(seat(pool=["automaton"], hand=["Recruits", "Relic"]), seat())
    play(game, card_action(game, "use", "Recruits"))
    assert refusal(game, card_action(game, "use", "Relic")) == ("CK-33", "a card has been used in this turn")


def window() -> Game:
    return resolve(seat("lab", hand=["Draught", "Plans"]), seat())


def workshop(
    worker: str = "automaton", *line: str, store: Sequence[int] = (0, 0, 0, 0), **board: Any
) -> Game:
    """Return a game in which seat 0 acts in the Workshop and has played a line."""
    game = resolve(seat(f"{worker}-workshop-1", store=store, **board), seat(), row=SHOWN[:3])
    return play(game, *line)


def refining() -> Game:
    return resolve(seat("ruins", facilities=["Refinery"], store=(1, 0, 0, 1)), seat())


def full_hand() -> Game:
    return resolve(seat("ruins", hand=["Map", "Map", "Crown", "Crown"]), seat(), ruins=["Sack"])


def choosing() -> Game:
    return resolve(seat("alchemist-market-steel"), seat(), supply=(5, 0, 5, 5))


OTHER_REFUSALS = [
    (window, "play-4", "CK-33"),  # Plans are for the Workshop
    (window, "play-1", "CK-33"),  # not in hand
    (choosing, "receive-copper", "CK-13"),
    (lambda: resolve(seat("market-steel", store=(3, 3, 0, 0)), seat()), "discard-canvas", "CK-120"),
    (lambda: resolve(seat("lab", slots=["steel-copper"]), seat()), "stone-steel-copper", "CK-20"),
    (
        lambda: workshop("automaton", "build-1", yard=["Gift of Tokens"], store=(1, 0, 0, 0)),
        "token-1",
        "CK-164",
    ),
    (full_hand, "drop-1", "CK-138"),
    (lambda: workshop(yard=["Hall", "Fort"], store=(1, 1, 0, 0)), "take-1", "CK-130"),
    (lambda: workshop(yard=["Hall"], store=(1, 1, 0, 0)), "build-2", "CK-128"),
    (lambda: workshop(yard=["Palace"]), "build-1", "CK-131"),
    (lambda: workshop(yard=["Warehouse"]), "take-warehouse", "CK-27"),
    (lambda: workshop("professor", "take-1", yard=["Fort"], store=(0, 1, 0, 0)), "take-2", "CK-136"),
    (
        lambda: workshop("professor", "build-1", yard=["Fort", "Hall"], store=(1, 2, 0, 0)),
        "build-2",
        "CK-136",
    ),
    (workshop, "take-4", "CK-25"),
    (lambda: resolve(seat("university-1"), seat()), "study-automaton-professor", "CK-149"),
    (refining, "refine-canvas", "CK-174"),
    (refining, "refine-lumber", "CK-174"),
]


@pytest.mark.parametrize(("make", "action", "rule"), OTHER_REFUSALS)
def test_other_refusals(make: Callable[[], Game], action: str, rule: str) -> None:
    assert refusal(make(), action)[0] == rule


@pytest.mark.rule("CK-44")
def test_the_last_professor_in_line_is_told_its_space() -> None:
    game = resolve(seat("professor-university-1"), seat("park"))
    assert refusal(game, "study-alchemist-professor")[0] == "CK-44"


@pytest.mark.rule("CK-148", "CK-7")
def test_rooms_and_supply_of_the_university() -> None:
    game = resolve(seat("professor-university-1", "university-2"), seat("university-3"))
    play(game, "study-professor-alchemist")
    assert refusal(game, "study-professor-professor")[0] == "CK-148"
    game = resolve(seat("university-1", pool=[]), seat(), fields_of_state={"per_worker": 0})
    game.state.seats[game.actor].pool[1] = 3
    game.refresh()
    assert refusal(game, "study-professor-professor")[0] == "CK-7"


@pytest.mark.rule("CK-21", "CK-22", "CK-131")
def test_payments() -> None:
    board = seat("workshop-1", yard=["Palace"], store=(3, 2, 2, 0), slots=["steel-canvas", "copper-lumber"])
    game = play(resolve(board, seat()), "build-1")  # 2 steel, 2 copper, a lumber and a canvas
    assert refusal(game, "pay-canvas") == ("CK-131", "the seat has no canvas")
    assert game.phase == "pay"


# --- the position -------------------------------------------------------------------------------------


def test_a_hand_shows_to_its_owner_alone() -> None:
    game = position(seat(pool=["automaton"], hand=["Recruits"]), seat(hand=["Plans", "Plans"]), seat())
    own, other, all_of_it = (game.position(viewer) for viewer in (0, 1, None))
    assert "Recruits" in own
    assert "Plans" not in own
    assert "hand: 2 cards" in own
    assert other.count("Plans") == 2
    assert "Recruits" not in other
    assert "Recruits" in all_of_it
    assert "Plans" in all_of_it


def test_what_lies_open_is_told() -> None:
    game, _ = before_last(
        seat("market-steel", "alchemist-lab", "battle-3", "park", yard=["Palace"], store=(1, 0, 2, 0)),
        seat("workshop-2", "university-1", "factory", built=["Chronicle", "Mint"], slots=["steel-copper"]),
        number=4,
        row=SHOWN,
        facility="Smelter",
    )
    text = game.position()
    for words in (
        "round 4 of 9, placement; turn order 0, 1",
        "3 School (academy): costs 1 canvas; 3 points",
        "4 x Warehouse (plain): costs 1 lumber; 1 point; room for 2 more resources",
        "Market: steel seat 0's automaton",
        "Lab: seat 0 has influence 2",
        "Workshop: 2 seat 1's automaton on 3 spaces",
        "battlefield 3, Third: seat 0 0 tokens and 1 worker",
        "University: 1 seat 1's automaton on 3 spaces",
        "Factory, Smelter (1 random resource, refines 2 into steel each round): seat 1 has influence 1",
        "yard 1: Palace",
        "completed: Mint, Chronicle",
        "each round: 1 copper, 2 canvas",
        "stones steel/copper",
        "store 1 steel, 2 lumber of 6",
        "seat 0 places a worker",
    ):
        assert words in text, words


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (window, "seat 0 may play a Ruins card as the Alchemy Lab starts to resolve"),
        (refining, "seat 0 may refine a resource into canvas"),
        (workshop, "seat 0 takes or completes a schematic"),
        (
            lambda: play(
                workshop(yard=["Hall"], store=(2, 2, 0, 0), slots=["steel-copper"]),
                "build-1",
            ),
            "seat 0 pays for Hall, 2 units to go",
        ),
    ],
)
def test_questions(make: Callable[[], Game], words: str) -> None:
    assert make().position().splitlines()[-1] == words


@SEATS
def test_the_end_is_told(num_players: int) -> None:
    game = kingdom(num_players)
    while not game.over:
        game.apply(name_of_action(game, game.legal_actions()[-1]))
    assert game.position().splitlines()[-1] == "the game is over"
