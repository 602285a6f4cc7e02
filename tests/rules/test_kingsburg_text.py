"""Kingsburg in words: the rule that ``describe`` names for an illegal action, and the position it prints."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

import pytest
from figures_kingsburg import CARDS
from helpers_kingsburg import idle, placing, play, random_positions, recruiting, seat

from kingmaker.envs.core.errors import IllegalAction
from kingmaker.envs.core.game import Game
from kingmaker.envs.core.registry import get_spec
from kingmaker.envs.core.rulebook import read_rulebook

SPEC = get_spec("kingsburg")
RULES = {rule.id: rule for rule in read_rulebook(SPEC)}
# The rule that says when the actions of a phase are asked for.
TIMES = {
    "reroll": "KB-2", "place": "KB-117", "gain": "KB-104", "trade": "KB-126", "build": "KB-140",
    "town-hall": "KB-31", "recruit": "KB-42", "lose": "KB-50",
}  # fmt: skip


def why(game: Game, action: str) -> tuple[str | None, str | None]:
    """Return the rule that forbids an action, and the sentence."""
    choice = next(choice for choice in game.describe().choices if choice.name == action)
    assert not choice.legal
    return choice.rule, choice.why_not


# --- forbidden actions --------------------------------------------------------------------------------


@pytest.mark.parametrize("num_players", SPEC.seats)
def test_every_illegal_action_names_a_rule(num_players: int) -> None:
    for game in islice(random_positions(num_players, 1), 0, None, 20):
        for choice in game.describe().choices:
            if not choice.legal:
                assert choice.rule in RULES, choice
                assert choice.why_not
                assert choice.why_not[0].islower() or choice.why_not.startswith("a "), choice


@pytest.mark.parametrize("num_players", [2, 4])
def test_actions_of_another_phase_name_the_rule_of_their_time(num_players: int) -> None:
    for game in islice(random_positions(num_players, 1), 0, None, 20):
        for action, choice in zip(SPEC.actions, game.describe().choices, strict=True):
            if action.phase != game.phase:
                assert choice.rule == TIMES[action.phase]


def test_the_error_says_why() -> None:
    game = placing(seat(dice=(1, 2, 3)), seat())
    with pytest.raises(IllegalAction, match=r'the seat has no "\+2" token \(KB-8\)'):
        game.apply("place-l-token")


def dice() -> Game:
    """Return a game in which seat 0, with a token and the Market, places 3, 3, 6 and a white 5."""
    own = seat(buildings=["inn", "market"], dice=(3, 3, 6), white=(5,), tokens=1)
    return placing(own, seat(influence=[9]), blocked=[6])


PLACEMENTS = [
    ("place-l-w2", "KB-115", "the seat did not roll that die"),
    ("place-m", "KB-117", "equal dice make the same group; name the lowest free ones"),
    ("place-h", "KB-14", "advisor 6, the Alchemist, is blocked by neutral dice"),
    ("place-lh", "KB-13", "advisor 9, the Master Hunter, has been influenced this season"),
    ("place-lmh-w1-token", "KB-6", "no advisor has the number 19"),
]


@pytest.mark.rule("KB-6", "KB-13", "KB-14")
@pytest.mark.parametrize(("action", "rule", "sentence"), PLACEMENTS)
def test_placements(action: str, rule: str, sentence: str) -> None:
    assert why(dice(), action) == (rule, sentence)


@pytest.mark.rule("KB-8", "KB-10")
def test_placements_by_token_and_market() -> None:
    game = play(dice(), "place-l-token-down")
    assert why(game, "place-h-token") == ("KB-8", 'the seat has no "+2" token')
    assert why(game, "place-h-up") == ("KB-10", "the Market has been used this season")
    assert why(game, "place-l") == ("KB-117", "a die of that group has been placed")
    other = placing(seat(dice=(1, 2, 3), tokens=1, token_used=1), seat())
    assert why(other, "place-l-token") == ("KB-8", 'a "+2" token has been used this season')
    assert why(other, "place-l-up") == ("KB-10", "the seat does not have the Market")


@pytest.mark.rule("KB-3", "KB-4", "KB-5")
def test_rerolls() -> None:
    game = placing(seat(buildings=["statue"], dice=(1, 2, 3)), seat(), seat())
    play(game, "pass 4 4 4 1 2 3 1 2 3")
    assert game.phase == "reroll"
    assert why(game, "reroll-all") == ("KB-3", "the seat does not have the Chapel")
    assert why(game, "reroll-white") == ("KB-5", "the seat has no white die")


BARRACKS = ("guard-tower", "blacksmith", "barracks")
GOODS: list[tuple[Callable[[], Game], str, str, str]] = [
    (lambda: offered(9), "take-wood", "KB-129", "not all of these kinds are offered"),
    (lambda: offered(12), "take-gold", "KB-132", "the number of goods to take is 2"),
    (lambda: offered(12), "decline-offer", "KB-17", "these goods cost nothing and are not declined"),
    (lambda: offered(6), "trade-gold", "KB-126", "the seat has no such good to give"),
    (lambda: hiring(), "recruit-gold", "KB-42", "a soldier costs 2 goods"),
    (lambda: hiring(), "recruit-gold-gold", "KB-42", "the seat does not have these goods"),
    (lambda: hiring(*BARRACKS), "recruit-wood-stone", "KB-42", "a soldier costs 1 good"),
    (lambda: beaten(), "lose-wood", "KB-50", "the number of goods to lose is 2"),
    (lambda: beaten(), "lose-gold-gold", "KB-50", "the seat does not have these goods"),
]


def offered(advisor: int) -> Game:
    """Return a game in which an advisor asks seat 0."""
    return play(placing(seat((0, 1, 0), influence=[advisor]), seat(dice=(1, 1, 1))), "pass")


def hiring(*buildings: str) -> Game:
    """Return a game in which the last seat, with 2 wood and 1 stone, may recruit."""
    return recruiting(seat(), seat((0, 2, 1), buildings))


def beaten() -> Game:
    """Return a game in which a seat with 2 wood and 1 stone loses 2 goods of its choice."""
    return play(recruiting(seat(), seat((0, 2, 1), ["farms"]), year=4, enemy="IV-d"), "stop-recruiting 1")


@pytest.mark.parametrize(("start", "action", "rule", "sentence"), GOODS)
def test_goods(start: Callable[[], Game], action: str, rule: str, sentence: str) -> None:
    assert why(start(), action) == (rule, sentence)


@pytest.mark.rule("KB-38")
def test_goods_of_the_aid() -> None:
    game = Game("kingsburg", 2, seed=0)
    assert why(game, "take-gold-gold") == ("KB-38", "the number of goods to take is 1")


@pytest.mark.rule("KB-140", "KB-141", "KB-28")
def test_buildings() -> None:
    owned = ["barricade", "crane", "statue", "chapel"]
    game = idle(placing(seat((2, 2, 1), owned, dice=(1, 1, 1)), seat()), "build")
    assert why(game, "build-statue") == ("KB-141", "the Statue stands already")
    assert why(game, "build-market") == ("KB-141", "the Inn comes before the Market")
    assert why(game, "build-church") == ("KB-28", "the goods do not pay for the Church, even with the Crane")
    poor = idle(placing(seat((0, 2, 0), dice=(1, 1, 1)), seat()), "build")
    assert why(poor, "build-guard-tower") == ("KB-150", "the goods do not pay for the Guard Tower")


@pytest.mark.rule("KB-31")
def test_sales() -> None:
    owned = ["barricade", "crane", "town-hall"]
    game = idle(placing(seat((0, 0, 1), owned, dice=(1, 1, 1)), seat()), "town-hall")
    assert why(game, "pay-wood") == ("KB-31", "the seat has no wood to pay")
    assert why(game, "pay-token") == ("KB-31", "the seat has no token to pay")


# --- the position -------------------------------------------------------------------------------------


def test_position_in_words() -> None:
    game = placing(
        seat((1, 0, 2), ["guard-tower"], dice=(3, 3, 6), white=(5,), tokens=2, peeked=1),
        seat(vp=-1, soldiers=1, influence=[2, 8], dice=(1, 2, 3), placed=[0, 2, 8, 0, 0]),
        year=3,
        enemy="III-d",
        envoy=1,
        blocked=[9],
    )
    head = [
        "year 3, Spring; turn order 0, 1",
        "enemy (strengths 4, 5, 5, 6, 6): III-d, Demons of strength 6; defeat costs 2 gold, 1 wood, 1 stone,"
        " 1 point, victory brings 1 point",
        "blocked by neutral dice: Master Hunter (9)",
    ]
    boards = [
        '* seat 0: 1 point, 1 gold, 2 stone, 0 soldiers, +1 in battle, 2 "+2" tokens, the die of the'
        " King's aid, has looked at the enemy",
        "    built: Guard Tower",
        "    free dice 3 3 6 and white 5",
        "  seat 1: -1 points, 1 soldier, the King's Envoy",
        "    built: nothing",
        "    free dice 1, 2 on the Squire (2), 3 on the Treasurer (8)",
    ]
    assert game.position(0).splitlines()[:-1] == head + boards


@pytest.mark.parametrize(
    ("start", "words"),
    [
        (dice, "seat 0 places dice on an advisor, or passes"),
        (lambda: offered(9), "seat 0 takes 1 good (gold or stone), helped by the Master Hunter (9)"),
        (
            lambda: offered(14),
            "seat 0 takes 3 goods (gold or wood or stone) for 1 point, or nothing, helped by"
            " the Smuggler (14)",
        ),
        (lambda: offered(6), "seat 0 may trade a good, helped by the Alchemist (6)"),
        (hiring, "seat 1 may recruit a soldier"),
        (beaten, "seat 1 loses 2 goods of its choice"),
    ],
)
def test_question_in_words(start: Callable[[], Game], words: str) -> None:
    assert start().position(0).splitlines()[-1] == words


@pytest.mark.rule("KB-18", "KB-106")
def test_the_card_is_told_to_those_who_may_know_it() -> None:
    game = placing(seat(dice=(1, 2, 3), peeked=1), seat(), seat(), year=2, enemy="II-b")
    later = [CARDS[int(card)] for card in game.states["deck"][0, 2:]]
    assert "II-b" in game.position(0)
    for viewer in (1, 2):
        assert "enemy (strengths 3, 4, 4, 5, 5): unknown" in game.position(viewer)
        assert "II-b" not in game.position(viewer)
    assert not any(card in game.position(viewer) for viewer in range(3) for card in later)
    assert f"later enemies: {', '.join(later)}" in game.position()


def test_winter_tells_combat_values() -> None:
    game = beaten()
    assert "enemy (strengths 5, 6, 6, 7, 7): IV-d, Orcs of strength 7" in game.position(0)
    assert "combat value 0" in game.position(0)


def test_ended_game_describes_itself() -> None:
    game = idle(placing(seat(dice=(1, 2, 3)), seat(), year=5))
    assert game.over
    assert game.position().splitlines()[-1] == "the game is over"
    assert not any(choice.legal for choice in game.describe().choices)
