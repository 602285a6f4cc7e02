"""The compiled rules against ``reference_kingsburg``: random games, compared after every single decision."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np
import pytest
from figures_kingsburg import CARDS, DISPUTED, ENEMIES, GOODS, ROWS, Goods, points
from helpers_kingsburg import (
    NAMES,
    Board,
    advisors,
    blocked,
    board,
    envoy,
    field,
    free_dice,
    idle,
    influence,
    kingsburg,
    name_of,
    order,
    placement_of,
    placing,
    play,
    recruiting,
    seat,
)
from reference_kingsburg import Choice, Question, Reference, Seat, combat_value, falling, placements, wins

from kingmaker.envs.core.game import Game
from kingmaker.envs.core.kernel import JIT
from kingmaker.envs.kingsburg import state as fields

# Seats, options, whether seats start rich, and how many games to play; the interpreter plays one.
VARIANTS: list[tuple[int, dict[str, Any], bool, int]] = [
    (2, {}, False, 20),
    (3, {}, False, 12),
    (4, {}, False, 10),
    (5, {}, False, 8),
    (2, {}, True, 24),
    (3, {}, True, 16),
    (4, {"stables_once": True}, True, 12),
    (5, {}, True, 10),
]


class Pair:
    """A game and its reference, which gets the dice that the game has rolled."""

    def __init__(self, num_players: int, options: dict[str, Any], seed: int) -> None:
        self.game = kingsburg(num_players, seed=seed, **options)
        deck = [CARDS[int(card)] for card in self.game.states["deck"][0]]
        if DISPUTED in deck:
            deck[3] = "IV-d"
            self.game.state.deck[3] = CARDS.index("IV-d")
        self.dice: deque[int] = deque()
        self.reference = Reference(num_players, order(self.game), deck, self.dice.popleft, **options)
        self.story = self.reference.story()
        self.question: Question | None = next(self.story)

    def enrich(self, chooser: np.random.Generator) -> None:
        """Give every seat goods, tokens and buildings."""
        for number, mine in enumerate(self.reference.seats):
            owned = {name for row in ROWS for name in row[: chooser.integers(5)]}
            mine.goods = dict(zip(GOODS, map(int, chooser.integers(7, size=3)), strict=True))
            mine.tokens, mine.owned, mine.vp = int(chooser.integers(3)), owned, points(frozenset(owned))
            row = self.game.state.seats[number]
            row.goods[:] = list(mine.goods.values())
            row.tokens, row.vp = mine.tokens, mine.vp
            row.sources[fields.FROM_BUILDINGS] = mine.vp
            row.buildings = sum(1 << NAMES.index(name) for name in owned)

    def choices(self) -> dict[Choice, int]:
        """Return the game's legal actions by the reference's choices; no choice exists twice."""
        game = self.game
        legal = game.legal_actions()
        found = {
            placement_of(game, action)
            if game.phase == "place" and name_of(game, action) != "pass"
            else name_of(game, action): action
            for action in legal
        }
        assert len(found) == len(legal)
        return found

    def apply(self, choice: Choice) -> None:
        self.game.apply(self.choices()[choice])
        self.dice.extend(row.values[0] + 1 for row in self.game.journal() if row.name == "chance")
        try:
            self.question = self.story.send(choice)
        except StopIteration:
            self.question = None
        assert not self.dice, "the game rolled dice that the rules do not ask for"

    def compare(self) -> None:
        game, reference = self.game, self.reference
        assert game.over == (self.question is None)
        if self.question is not None:
            number, choices = self.question
            assert game.actor == number
            assert self.choices().keys() == choices
        assert order(game) == reference.order
        assert envoy(game) == reference.envoy
        assert blocked(game) == reference.blocked
        assert int(game.states["year"][0]) == reference.year
        for number, mine in enumerate(reference.seats):
            expected = Board(Goods(**mine.goods), mine.tokens, mine.vp, mine.soldiers, frozenset(mine.owned))
            assert board(game, number) == expected
            assert free_dice(game, number) == (tuple(sorted(mine.coloured)), tuple(sorted(mine.white)))
            groups = {advisor: seats.count(number) for advisor, seats in reference.groups.items()}
            assert influence(game, number) == {advisor for advisor, count in groups.items() if count}
            assert advisors(field(game, "twice", number)) == {
                advisor for advisor in groups if groups[advisor] == 2
            }
            assert field(game, "peeked", number) == (number in reference.peeked)
            assert field(game, "aid_die", number) == mine.aid_die


def taste(choice: Choice, tastes: dict[Any, float]) -> float:
    """Return how much a game's chooser likes a choice: placements by advisor, token and Market."""
    if isinstance(choice, str):
        return tastes[choice]
    return tastes[choice.advisor] * tastes["token"] ** choice.token * tastes["market"] ** abs(choice.market)


@pytest.mark.rule(
    "KB-6", "KB-15", "KB-27", "KB-50", "KB-110", "KB-111", "KB-117", "KB-140", "KB-171", "KB-55"
)
@pytest.mark.parametrize(("num_players", "options", "rich", "games"), VARIANTS)
def test_rules_agree_with_the_reference(
    num_players: int, options: dict[str, Any], rich: bool, games: int
) -> None:
    chooser = np.random.default_rng(3)
    actions = [action.name for action in kingsburg(num_players).spec.actions]
    for number in range(games if JIT else 1):
        pair = Pair(num_players, options, number)
        if rich:
            pair.enrich(chooser)
        # Each game has tastes of its own, so that some are all buildings and others all soldiers or passes.
        keys = [*actions, *range(1, 19), "token", "market"]
        tastes = dict(zip(keys, np.exp(1.5 * chooser.standard_normal(len(keys))), strict=True))
        tastes["pass"] *= 0.2
        pair.compare()
        while pair.question is not None:
            legal = list(pair.choices())
            weights = np.array([taste(choice, tastes) for choice in legal])
            pair.apply(legal[chooser.choice(len(legal), p=weights / weights.sum())])
            pair.compare()
        ranks, scores, _ = pair.game.results()
        assert ranks.tolist() == pair.reference.ranks()
        assert scores.tolist() == [mine.vp for mine in pair.reference.seats]


# --- placements and battles by themselves -------------------------------------------------------------


@pytest.mark.rule("KB-6", "KB-7", "KB-8", "KB-9", "KB-10", "KB-11", "KB-13", "KB-22")
@pytest.mark.parametrize("num_players", [2, 4])
def test_legal_placements_are_those_of_brute_force(num_players: int) -> None:
    """Random dice, some of them placed, random modifiers, random closed advisors: each choice exists once."""
    chooser = np.random.default_rng(7)
    for _ in range(1500 if JIT else 250):
        coloured = [int(face) for face in chooser.integers(1, 7, size=3)]
        white = [int(face) for face in chooser.integers(1, 7, size=chooser.integers(3))]
        buildings = ("inn", "market") if chooser.random() < 0.6 else ()
        used = {name: int(chooser.random() < 0.3) for name in ("token_used", "market_used")}
        closed = {int(number) for number in np.flatnonzero(chooser.random(19) < chooser.random()) if number}
        own = {number for number in closed if chooser.random() < 0.3}
        others = {number for number in closed - own if num_players > 2 or chooser.random() < 0.5}
        holder = int(chooser.integers(-1, 2))
        tokens = int(chooser.integers(2))
        game = placing(
            seat(buildings=buildings, dice=coloured, white=white, tokens=tokens, influence=own, **used),
            seat(influence=others, tokens=3, buildings=("inn", "market")),
            *[seat() for _ in range(num_players - 2)],
            blocked=sorted(closed - own - others),
            envoy=holder,
        )
        mine = Seat(tokens=tokens, owned=set(buildings), coloured=sorted(coloured), white=sorted(white))
        mine.used = {name.removesuffix("_used") for name, value in used.items() if value}
        lay_some_aside(game, mine, chooser)
        found = [
            placement_of(game, action) for action in game.legal_actions() if name_of(game, action) != "pass"
        ]
        assert len(set(found)) == len(found)
        assert set(found) == placements(mine, closed, holder == 0)


def lay_some_aside(game: Game, mine: Seat, chooser: np.random.Generator) -> None:
    """Place some dice on an advisor, as earlier groups would have; of equal faces the lowest slots."""
    row = game.state.seats[0]
    for first, colour in ((0, mine.coloured), (3, mine.white)):
        faces = list(colour)
        for face in faces:
            if chooser.random() < 0.25:
                slot = next(s for s, shown in enumerate(faces) if shown == face and not row.placed[first + s])
                row.placed[first + slot] = 18
                colour.remove(face)
    game.refresh()


@pytest.mark.rule("KB-44", "KB-45", "KB-46", "KB-47", "KB-48", "KB-49", "KB-51", "KB-52", "KB-171")
@pytest.mark.parametrize("num_players", [2, 3, 5])
def test_battles_are_those_of_plain_arithmetic(num_players: int) -> None:
    """Any enemy, any soldiers and buildings; goods aside, which are chosen."""
    chooser = np.random.default_rng(9)
    cards = [card for card in CARDS if card != DISPUTED]
    for _ in range(600 if JIT else 100):
        card, die = str(chooser.choice(cards)), int(chooser.integers(1, 7))
        enemy = ENEMIES[card]
        owned = [{name for row in ROWS for name in row[: chooser.integers(5)]} - {"cathedral"}
                 for _ in range(num_players)]  # fmt: skip
        soldiers = [int(number) for number in chooser.integers(enemy.strength + 2, size=num_players)]
        seats = [
            seat(buildings=sorted(has), soldiers=count) for has, count in zip(owned, soldiers, strict=True)
        ]
        game = recruiting(*seats, year=5, enemy=card)
        idle(play(game, f"stop-recruiting {die}"))
        values = [combat_value(count, die, has, enemy) for count, has in zip(soldiers, owned, strict=True)]
        victors = [value for value, has in zip(values, owned, strict=True) if wins(value, has, enemy)]
        for number, (value, has) in enumerate(zip(values, owned, strict=True)):
            before, lost = points(frozenset(has)), falling(has) if enemy.building_lost else None
            if wins(value, has, enemy):
                expected, left = before + enemy.vp_won + ("fortress" in has) + (value == max(victors)), has
            elif value < enemy.strength:
                left = has - {lost}
                expected = points(frozenset(left)) - enemy.vp_lost
            else:
                expected, left = before, has
            assert field(game, "combat", number) == value
            assert (board(game, number).vp, board(game, number).buildings) == (expected, left)
