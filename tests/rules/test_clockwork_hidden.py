"""What is hidden, and that drawing it again keeps what a seat knows and gives nothing away."""

from __future__ import annotations

from collections import Counter
from math import comb, sqrt

import numpy as np
import pytest
from helpers_clockwork import (
    BENCH,
    OWN,
    Moment,
    all_names,
    asked,
    at,
    card_action,
    chronicle,
    hand,
    legal,
    play,
    position,
    resolve,
    ruins,
    seat,
)
from reference_clockwork import Rumour

from kingmaker.envs.clockwork_kingdom.state import AREAS, STEP_WINDOW
from kingmaker.envs.core.game import Game
from kingmaker.envs.core.kernel import JIT

GAMES = [(2, OWN), (3, BENCH), (4, OWN)]
TYPICAL = pytest.mark.parametrize(("num_players", "cards"), GAMES, ids=["2-own", "3-bench", "4-own"])
STRIDE = 3 if JIT else 9
SIGMAS = 5.0
HIDDEN = {"chance", "ruins"}
HIDDEN_OF_SEAT = {"hand"}


def samples(num_players: int, cards: object) -> list[tuple[int, Game]]:
    """Return moments of a random game with their numbers."""
    game, moments = chronicle(num_players, cards=cards)
    return [(number, at(game, moments[number])) for number in range(0, len(moments), STRIDE)]


# --- what is drawn again ------------------------------------------------------------------------------


@TYPICAL
@pytest.mark.rule("CK-11")
def test_nothing_but_hands_and_deck_is_drawn_again(num_players: int, cards: object) -> None:
    """And with them the chance to come, which is the order of the decks."""
    changed = 0
    for number, game in samples(num_players, cards):
        viewer = number % num_players
        other = game.redealt(viewer, number)
        before, after = game.states[0], other.states[0]
        for name in game.states.dtype.names:
            if name not in HIDDEN | {"seats"}:
                assert after[name].tobytes() == before[name].tobytes(), name
        for who in range(num_players):
            kept = HIDDEN_OF_SEAT if who != viewer else set()
            for name in before["seats"].dtype.names:
                if name not in kept:
                    assert after["seats"][who][name].tobytes() == before["seats"][who][name].tobytes(), name
            assert after["seats"][who]["hand"].sum() == before["seats"][who]["cards"]
        changed += hands(other) != hands(game)
        together = [game_now["ruins"] + game_now["seats"]["hand"].sum(axis=0) for game_now in (before, after)]
        assert together[0].tolist() == together[1].tolist()
    assert changed > 0


def hands(game: Game) -> list[list[str]]:
    """Return all hands."""
    return [hand(game, who) for who in range(game.num_players)]


@TYPICAL
@pytest.mark.rule("CK-11", "CK-194")
def test_a_seat_sees_the_same_after_another_deal(num_players: int, cards: object) -> None:
    """Observation, words and, for the seat to move, the legal actions."""
    for number, game in samples(num_players, cards):
        for viewer in range(num_players) if JIT else [number % num_players]:
            other = game.redealt(viewer, number + 1)
            assert np.array_equal(other.observe(viewer), game.observe(viewer))
            assert other.position(viewer) == game.position(viewer)
            if viewer == game.actor:
                assert np.array_equal(other.mask(), game.mask())
            elif not game.over:
                assert other.mask().sum() >= 2, "the seat to move has been dealt a hand without a choice"


@pytest.mark.rule("CK-11")
def test_words_and_observation_show_ones_own_hand_only() -> None:
    boards = [seat(pool=["automaton"], hand=["Crown"]), seat(pool=["automaton"], hand=["Recruits"]), seat()]
    game = position(*boards, ruins=["Banner"])
    assert "Crown" in game.position(0)
    assert "Recruits" not in game.position(0)
    assert {"Crown", "Recruits"} <= set(game.position().replace(":", " ").replace("(", " ").split())
    other = position(boards[0], seat(pool=["automaton"], hand=["Banner"]), seat(), ruins=["Recruits"])
    assert np.array_equal(other.observe(0), game.observe(0))
    assert not np.array_equal(other.observe(1), game.observe(1))


@pytest.mark.rule("CK-11")
def test_the_card_drawn_is_told_to_its_owner_only() -> None:
    game = resolve(seat("ruins"), seat("ruins"), seat("park"), ruins=["Sack", "Recruits"])
    for viewer in range(3):
        seen = [(event.name, event.seat) for event in game.journal(viewer)]
        assert [who for name, who in seen if name == "card-seen"] == [viewer] * (viewer < 2)
        assert [who for name, who in seen if name == "draws-card"] == [0, 1]
        assert not any(name == "chance" for name, _ in seen)


@pytest.mark.rule("CK-11")
def test_the_rest_is_public() -> None:
    """A change to anything on the table is seen by a seat that it does not belong to."""
    game = resolve(seat("ruins"), seat("park", store=(1, 1, 0, 0)), seat(), number=2)
    changes = {
        "store": [0, 2, 0, 0], "pool": [1, 1, 0, 0], "slots": [1, 0, 0, 0, 0, 0], "yard": [0, -1], "cards": 2,
        "forces": [0, 1, 0, 0], "tokens": 3, "points": [5] + [0] * 10, "capacity": 8, "types": [0, 1, 0],
        "won": 2,
    }  # fmt: skip
    for name, value in changes.items():
        other = game.clone()
        other.state.seats[1][name] = value
        assert not np.array_equal(other.observe(0), game.observe(0)), name
    for name, value in {
        "supply": [1, 2, 3, 4],
        "stones": 3,
        "carried": [2, 0, 0, 0],
        "facility": 1,
        "rounds": 5,
    }.items():
        other = game.clone()
        other.state[name] = value
        assert not np.array_equal(other.observe(0), game.observe(0)), name


# --- what the others can tell of a hand ---------------------------------------------------------------


class Table:
    """What everybody can tell of every hand, gathered from public events alone."""

    def __init__(self, game: Game) -> None:
        tables = game.tables[0]
        self.seats = game.num_players
        self.copies = [int(row["copies"]) for row in tables["ruins"]]
        kinds = int(tables["ruins_kinds"])
        windows = [
            [k for k in range(kinds) if int(bits) >> k & 1] for bits in tables["window_kinds"][: len(AREAS)]
        ]
        self.rumours = [Rumour(kinds, windows) for _ in range(self.seats)]
        self.window: int | None = None  # the area whose window is open
        self.waiting: list[int] = []  # seats that it has not come to

    def hear(self, before: Moment | None, moment: Moment) -> None:
        """Take in what a move has brought."""
        happenings = [(name.removesuffix("-resolves"), who, a) for name, who, a, *_ in moment.events]
        opened = [number for number, (name, _, _) in enumerate(happenings) if name in AREAS]
        still_open = not opened and moment.state["step"] == STEP_WINDOW
        if self.window is not None:
            self.go_on(moment if still_open else None)
        for number, (name, who, a) in enumerate(happenings):
            if name in AREAS:
                self.window = AREAS.index(name)
                self.waiting = [int(seat) for seat in before.state["order"][: self.seats]]
                last = number == opened[-1] and moment.state["step"] == STEP_WINDOW
                self.go_on(moment if last else None)
            elif name == "draws-card":
                self.rumours[who].draw()
            elif name in ("plays-card", "drops-card"):
                self.rumours[who].lose(a - 1)

    def go_on(self, moment: Moment | None) -> None:
        """Pass over seats up to the one that is asked; without a moment the window closes."""
        asked_seat = int(moment.state["actor"]) if moment is not None and moment.phase == "window" else None
        if moment is not None and asked_seat is None:
            return  # a card that was played asks on
        while self.waiting:
            who = self.waiting.pop(0)
            self.rumours[who].window(self.window, who == asked_seat)
            if who == asked_seat:
                return
        self.window = None

    def any_hand(self, cards: int) -> int:
        """Return how many hands of so many cards there are."""
        kinds = self.rumours[0].kinds
        return comb(kinds + cards - 1, cards)

    def possible(self, game: Game, who: int, viewer: int) -> set[tuple[int, ...]]:
        """Return the hands that a seat may have, as far as another can tell."""
        seen = game.states["ruins_discards"][0] + game.states["seats"][0, viewer]["hand"]
        return self.rumours[who].possible(
            [copies - int(count) for copies, count in zip(self.copies, seen, strict=True)]
        )


def kinds_in(game: Game, who: int) -> tuple[int, ...]:
    """Return a hand as sorted kinds."""
    return tuple(
        kind for kind, count in enumerate(game.states["seats"][0, who]["hand"]) for _ in range(int(count))
    )


@pytest.mark.rule("CK-194", "CK-11")
@pytest.mark.parametrize(
    ("num_players", "cards", "seed"),
    [(2, OWN, 1), (3, BENCH, 1), (4, OWN, 1), *((3, BENCH, seed) for seed in range(2, 12 if JIT else 2))],
)
def test_hands_drawn_again_keep_to_what_public_events_tell(
    num_players: int, cards: object, seed: int
) -> None:
    """Against all hands that fit being asked, passed over, playing and discarding."""
    final, moments = chronicle(num_players, seed, cards)
    table, before, told = Table(final), None, 0
    for number, moment in enumerate(moments):
        table.hear(before, moment)
        before = moment
        if number % STRIDE == 0 or moment.phase in ("window", "drop"):
            game = at(final, moment)
            viewer = number % num_players
            other = game.redealt(viewer, number)
            for who in range(num_players):
                if who != viewer:
                    fits = table.possible(game, who, viewer)
                    assert kinds_in(game, who) in fits, "the reference is wrong"
                    assert kinds_in(other, who) in fits
                    told += len(table.rumours[who].hands) < table.any_hand(len(kinds_in(game, who)))
    assert told > 5


def rumoured() -> Game:
    """Return a game in which seat 1, of two cards, was asked in the Market, not in Lab and Workshop.

    Seat 0 has the choice, in the Workshop. All kinds of the bench are in the deck.
    """
    names = all_names(position(seat(pool=["automaton"]), seat()), "ruins")
    game = resolve(
        seat("workshop-1", hand=["Recruits"]), seat(hand=["Sack", "Crown"]), ruins=names * 2, row=["Shed"]
    )  # fmt: skip
    assert asked(game) == (1, "window")
    play(game, "pass")
    assert asked(game) == (0, "workshop")
    return game


@pytest.mark.rule("CK-194")
def test_every_hand_that_fits_comes_up_as_often_as_it_should() -> None:
    """A card for the Market but none for Lab and Workshop: a Sack, and one of seven kinds beside it."""
    game, deals = rumoured(), 4000 if JIT else 500
    seen = Counter(tuple(hand(game.redealt(0, number), 1)) for number in range(deals))
    left = Counter([*ruins(game), *hand(game, 1)])  # what seat 0 has not seen
    others = ("Recruits", "Map", "Banner", "Letter", "Whistle", "Crown")
    order = all_names(game, "ruins")
    weights = {tuple(sorted(("Sack", kind), key=order.index)): left["Sack"] * left[kind] for kind in others}
    weights["Sack", "Sack"] = comb(left["Sack"], 2)
    assert set(seen) == set(weights)
    for cards, weight in weights.items():
        share = weight / sum(weights.values())
        assert abs(seen[cards] / deals - share) < SIGMAS * sqrt(share * (1 - share) / deals), cards


@pytest.mark.rule("CK-194", "CK-11")
@pytest.mark.parametrize("bound", [1, 2])
def test_all_deals_to_two_seats_are_as_likely(bound: int) -> None:
    """Two unknown cards of one seat, four of the other of which much is known, which tells of the first.

    The four are of three kinds, so the two are the less likely to be. This must not depend on who is dealt to
    first; a small part of it may be left, since hands are drawn in turn.
    """
    kinds = ("Recruits", "Sack", "Map")
    names = all_names(position(seat(pool=["automaton"]), seat()), "ruins")
    lacks = sum(1 << number for number, name in enumerate(names) if name not in kinds)
    four = seat(hand=["Recruits", "Sack", "Sack", "Map"], lacks=[lacks] * 4 + [0])
    two = seat(hand=["Recruits", "Map"])
    deck = [name for name in names if name not in (*kinds, "Relic") for _ in range(2)]
    game = position(seat(pool=["automaton"]), *((four, two) if bound == 1 else (two, four)), ruins=deck)
    # Unseen are two of each of three kinds and of seven others: so many deals have n cards of the three kinds
    # among the two.
    deals = [comb(6, n) * comb(14, 2 - n) * comb(6 - n, 4) for n in range(3)]
    count = 4000 if JIT else 300
    seen = Counter(
        sum(card in kinds for card in hand(game.redealt(0, number), 3 - bound)) for number in range(count)
    )
    for n in range(3):
        share = deals[n] / sum(deals)
        assert abs(seen[n] / count - share) < 0.03 + SIGMAS * sqrt(share * (1 - share) / count), n


@pytest.mark.rule("CK-194")
def test_cards_drawn_later_are_not_bound_by_earlier_silence() -> None:
    """Passed over in the Lab, then a card is drawn: it may be for the Lab, that of before may not."""
    names = all_names(rumoured(), "ruins")
    game = resolve(
        seat("university-1", hand=["Recruits"]), seat("ruins", hand=["Crown"]), ruins=["Letter", *names * 2]
    )
    while game.phase == "window":
        play(game, "pass")
    assert asked(game)[1] in ("university", "window")
    lab = {"Draught", "Relic"}
    seen = [hand(game.redealt(0, number), 1) for number in range(400 if JIT else 120)]
    assert any("Draught" in cards for cards in seen)
    assert not any(set(cards) <= lab for cards in seen)


@pytest.mark.rule("CK-194")
def test_being_asked_tells_of_a_card_for_the_window() -> None:
    game = resolve(
        seat("factory"), seat(hand=["Whistle", "Recruits"]), ruins=["Crown", "Map", "Sack", "Banner"] * 2
    )
    assert asked(game) == (1, "window")
    for number in range(60 if JIT else 25):
        other = game.redealt(0, number)
        assert "Whistle" in hand(other, 1)  # no other unseen card is for the Factory
        assert card_action(other, "play", "Whistle") in legal(other)


@pytest.mark.rule("CK-194", "CK-182")
def test_a_played_card_is_known_and_gone() -> None:
    """Asked for the Factory and played a card there: that tells nothing more of the other one."""
    board = {"hand": ["Whistle", "Crown"]}
    game = resolve(seat("park"), seat("factory", **board), ruins=["Sack", "Map", "Banner", "Letter"] * 2)
    assert asked(game) == (1, "window")
    play(game, card_action(game, "play", "Whistle"))
    assert asked(game) == (1, "window")  # the Park's, for the Crown
    assert all(hand(game.redealt(0, number), 1) == ["Crown"] for number in range(20))


@pytest.mark.rule("CK-11")
def test_the_future_is_drawn_again() -> None:
    """The row to come depends on the copy's own chance, not on the game's."""
    game = position(seat(pool=["automaton"]), seat(), deck=["Shed", "Hall", "Palace", "Fort", "School"] * 2)
    real = play(game.clone(), "automaton-factory").states["row"][0].tolist()
    dealt = {
        tuple(play(game.redealt(0, n), "automaton-factory").states["row"][0].tolist()) for n in range(20)
    }
    assert len(dealt) > 10
    assert {tuple(real)} != dealt


@pytest.mark.rule("CK-11")
@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_own_hand_is_kept_and_equal_seeds_deal_equally(num_players: int) -> None:
    final, moments = chronicle(num_players)
    for number in range(0, len(moments), 5 * STRIDE):
        game = at(final, moments[number])
        for viewer in range(num_players):
            one, other = game.redealt(viewer, 7), game.redealt(viewer, 7)
            assert hand(one, viewer) == hand(game, viewer)
            assert one.save() == other.save()
