"""What no move may change, and scores worked out again from the journal, in random games."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from figures_kingsburg import ADVISOR, BUILDING, CARDS, ENEMIES, GOODS, ROWS, Goods, cards_of, points
from helpers_kingsburg import (
    NAMES,
    Board,
    advisors,
    board,
    boards,
    calendar,
    dice,
    envoy,
    events,
    field,
    influence,
    kingsburg,
    name_of,
    order,
    sources,
    vp,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kingmaker.envs.core.game import Game
from kingmaker.envs.core.kernel import JIT
from kingmaker.envs.kingsburg.state import AID, ENVOY, RECRUITING, REWARD, SPRING

RANDOM_GAMES = settings(
    max_examples=12 if JIT else 3,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
# A game: its seats, its seed, and answers, each a position among the legal actions.
games = given(
    st.integers(2, 5),
    st.integers(0, 2**63 - 1),
    st.lists(st.integers(-20, 60), min_size=20, max_size=60),
)


def played(num_players: int, seed: int, answers: list[int]) -> Any:
    """Yield a game at each of its decisions, with the action that comes next, to its end; answers repeat."""
    game = kingsburg(num_players, seed=seed)
    while not game.over:
        legal = game.legal_actions()
        action = legal[answers[game.moves % len(answers)] % len(legal)]
        yield game, name_of(game, action)
        game.apply(action)
    yield game, ""


# --- pieces -------------------------------------------------------------------------------------------


@pytest.mark.rule("KB-7", "KB-22", "KB-24", "KB-103", "KB-104", "KB-115", "KB-117", "KB-141", "KB-6", "KB-13")
@RANDOM_GAMES
@games
def test_pieces_are_conserved(num_players: int, seed: int, answers: list[int]) -> None:
    deck = None
    for game, _ in played(num_players, seed, answers):
        found = [int(number) for number in game.states["deck"][0]]
        assert deck in (None, found)
        deck = found
        assert all(CARDS[card] in cards_of(year) for year, card in enumerate(found, 1))
        assert sorted(order(game)) == list(range(num_players))
        assert -1 <= envoy(game) < num_players
        for number, shown in enumerate(boards(game)):
            assert min(*shown.goods, shown.tokens, shown.soldiers) >= 0
            assert all(set(row[: len(shown.buildings & set(row))]) <= shown.buildings for row in ROWS)
            assert sum(sources(game, number).values()) == shown.vp
            check_dice(game, number)
        check_court(game)
        if game.phase == "place":
            assert game.actor in order(game)
            assert not field(game, "passed", game.actor)


def check_dice(game: Game, number: int) -> None:
    """Check that a seat has its dice, and that those on advisors add up to the advisors' numbers."""
    coloured, white = dice(game, number)
    if not any(coloured):
        assert (calendar(game), int(game.states["year"][0])) == (AID, 1)  # nobody has rolled yet
        return
    assert all(1 <= face <= 6 for face in (*coloured, *white))
    assert list(coloured) == sorted(coloured)
    assert list(white) == sorted(white)
    if game.phase == "place":
        farms = "farms" in board(game, number).buildings
        assert len(white) == farms + field(game, "aid_die", number)
    row = game.states["seats"][0, number]
    placed = [
        (int(at), int(face), slot < 3)
        for slot, (at, face) in enumerate(zip(row["placed"], row["faces"], strict=True))
        if at
    ]
    twice = advisors(field(game, "twice", number))
    assert twice <= influence(game, number)
    assert {at for at, _, _ in placed} == influence(game, number)
    changes = 0
    for advisor in influence(game, number):
        groups = 1 + (advisor in twice)
        assert sum(colour for at, _, colour in placed if at == advisor) >= groups
        changes += abs(groups * advisor - sum(face for at, face, _ in placed if at == advisor))
    assert changes <= 2 * field(game, "token_used", number) + field(game, "market_used", number)


def check_court(game: Game) -> None:
    """Check that advisors are shared or repeated only by the one Envoy of a season."""
    groups = Counter(
        advisor
        for number in range(game.num_players)
        for advisor in [*influence(game, number), *advisors(field(game, "twice", number))]
    )
    neutral = advisors(int(game.states["blocked"][0]))
    assert len(neutral) in ((2, 3) if game.num_players == 2 and any(dice(game, 0)[0]) else (0,))
    extra = sum(count - 1 for count in groups.values()) + len(neutral & set(groups))
    assert extra <= 1
    assert set(groups) <= set(range(1, 19))


# --- ledgers ------------------------------------------------------------------------------------------


class Ledger:
    """What lies before each seat, worked out from the journal and the actions alone."""

    def __init__(self, game: Game) -> None:
        self.seats = game.num_players
        self.enemies = game.tables["enemies"][0]
        self.goods = [Counter(dict.fromkeys(GOODS, 0)) for _ in range(self.seats)]
        self.owned: list[set[str]] = [set() for _ in range(self.seats)]
        self.tokens, self.soldiers, self.vp = ([0] * self.seats for _ in range(3))
        self.enemy = -1
        self.fights: list[tuple[int, int, int]] = []

    def action(self, number: int, action: str, advisor: int) -> None:
        """Take down the points that an action pays or buys."""
        if action.startswith("take-") and advisor:
            self.vp[number] -= ADVISOR[advisor].price
        if action.startswith("pay-") and action != "pay-nothing":
            self.vp[number] += 1

    def event(self, name: str, number: int, a: int, b: int, c: int) -> None:
        """Take down an event."""
        if name in ("gains-goods", "loses-goods"):
            sign = 1 if name == "gains-goods" else -1
            for kind, count in zip(GOODS, (a, b, c), strict=True):
                self.goods[number][kind] += sign * count
        elif name == "gains-tokens":
            self.tokens[number] += a
        elif name == "token-used":
            self.tokens[number] -= 1
        elif name == "gains-soldiers":
            self.soldiers[number] += a
        elif name == "helped":
            self.vp[number] += ADVISOR[a].vp
        elif name == "builds":
            self.owned[number].add(NAMES[a])
            self.vp[number] += BUILDING[NAMES[a]].vp
        elif name == "building-lost":
            self.owned[number].remove(NAMES[a])
            self.vp[number] -= BUILDING[NAMES[a]].vp
        elif name == "enemy":
            self.enemy, self.fights = a, []
        elif name == "fights":
            self.fights.append((number, a, c))
            self._settle(number, c)
        elif name == "phase-begins":
            self._phase(a)

    def _settle(self, number: int, result: int) -> None:
        figures = self.enemies[self.enemy]  # of the disputed card the file's
        if result == 2:
            self.vp[number] += int(figures["win_vp"]) + ("fortress" in self.owned[number])
        elif result == 0:
            self.vp[number] -= int(figures["lose_vp"])
        if CARDS[self.enemy] != "IV-c":
            known = ENEMIES[CARDS[self.enemy]]
            assert (int(figures["win_vp"]), int(figures["lose_vp"])) == (known.vp_won, known.vp_lost)

    def _phase(self, season: int) -> None:
        if season in (REWARD, ENVOY, RECRUITING):  # a productive season has ended
            for number in range(self.seats):
                self.vp[number] += "embassy" in self.owned[number]
        if season == REWARD:
            most = max(map(len, self.owned))
            for number in range(self.seats):
                self.vp[number] += len(self.owned[number]) == most
        if season == AID:
            self.soldiers = [0] * self.seats

    def strongest(self) -> None:
        """Score the strongest victors of a battle that is over."""
        won = [value for _, value, result in self.fights if result == 2]
        for number, value, result in self.fights:
            self.vp[number] += result == 2 and value == max(won)
        self.fights = []

    def end(self) -> None:
        """Score the Cathedral."""
        for number in range(self.seats):
            self.vp[number] += ("cathedral" in self.owned[number]) * (sum(self.goods[number].values()) // 2)

    def board(self, number: int) -> Board:
        """Return what lies before a seat."""
        goods = Goods(**self.goods[number])
        return Board(
            goods, self.tokens[number], self.vp[number], self.soldiers[number], frozenset(self.owned[number])
        )


@pytest.mark.rule("KB-32", "KB-40", "KB-49", "KB-54", "KB-113", "KB-140", "KB-173", "KB-174")
@RANDOM_GAMES
@games
def test_boards_follow_from_the_journal(num_players: int, seed: int, answers: list[int]) -> None:
    """Goods, tokens, soldiers and buildings after each move; points in every Spring, and at the end."""
    game = kingsburg(num_players, seed=seed)
    ledger = Ledger(game)
    while not game.over:
        legal = game.legal_actions()
        action = legal[answers[game.moves % len(answers)] % len(legal)]
        actor, advisor, name = game.actor, int(game.states["advisor"][0]), name_of(game, action)
        game.apply(action)
        ledger.action(actor, name, advisor)
        for happening in events(game):
            if happening[0] == "year-begins":
                ledger.strongest()
            ledger.event(*happening)
        if game.over:
            ledger.strongest()
            ledger.end()
            ledger.soldiers = [0] * num_players
        for number, shown in enumerate(boards(game)):
            assert shown._replace(vp=0) == ledger.board(number)._replace(vp=0)
        if game.over or calendar(game) == SPRING:
            assert vp(game) == ledger.vp
    assert game.results()[1].tolist() == ledger.vp
    for number, shown in enumerate(boards(game)):
        lasting = sources(game, number)
        assert lasting.get("buildings", 0) + lasting.get("buildings lost", 0) == points(shown.buildings)
