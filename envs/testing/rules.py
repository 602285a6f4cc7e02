"""Checks of the rules as ``Game`` runs them: masks, observations, ends, simultaneous choices."""

from __future__ import annotations

import numpy as np

from kingmaker.envs.core.chance import CHANCE
from kingmaker.envs.core.errors import GameOver, GameRunning, IllegalAction
from kingmaker.envs.core.game import Game
from kingmaker.envs.core.one_seat import observation_box
from kingmaker.envs.core.spec import REWARD_MODES
from kingmaker.envs.testing.case import Case, play_on, play_out

TOLERANCE = 1e-5


# --- masks --------------------------------------------------------------------------------------------


def check_masks(case: Case) -> None:
    """Every action is tried at every position: the mask tells exactly which of them the rules can take."""
    for game, _ in case.positions(case.few):
        mask, before = game.mask(), game.save()
        case.expect(
            mask.dtype == np.int8 and set(mask.tolist()) <= {0, 1}, "the mask is not int8 of 0 and 1", game
        )
        fresh = game.clone()
        fresh.refresh()
        case.expect(fresh.save() == before, "asking for the mask changes the state", game)
        case.expect(np.array_equal(fresh.mask(), mask), "the mask is not a function of the state", game)
        _check_choice(case, game)
        for action in range(case.spec.num_actions):
            if mask[action]:
                _legal_succeeds(case, game, action)
            else:
                _illegal_raises(case, game, action)
        case.expect(game.save() == before, "trying actions on clones changed the game", game)


def _check_choice(case: Case, game: Game) -> None:
    legal = game.legal_actions()
    if game.over:
        case.expect(not legal, "an ended game lists legal actions", game)
        return
    case.expect(0 <= game.actor < case.num_players, f"there is no seat {game.actor} to move", game)
    case.expect(len(legal) > 1, f"a choice among {len(legal)} actions is asked; one is no choice", game)
    for action in legal:
        of = case.spec.actions[action]
        case.expect(
            of.phase == game.phase, f"{of.name!r} is legal outside its phase, in {game.phase!r}", game
        )


def _legal_succeeds(case: Case, game: Game, action: int) -> None:
    after, name = game.clone(), case.spec.actions[action].name
    try:
        after.apply(action)
    except Exception as error:
        case.expect(False, f"the legal action {name!r} fails: {error!r}", game)
    case.expect(after.moves == game.moves + 1, f"{name!r} does not count as one decision", game)
    after.states["moves"] -= 1
    case.expect(after.save() != game.save(), f"{name!r} changes nothing: games need not end", game)
    after.states["moves"] += 1
    case.holds(after)


def _illegal_raises(case: Case, game: Game, action: int) -> None:
    after, name = game.clone(), case.spec.actions[action].name
    try:
        after.apply(action)
    except (IllegalAction, GameOver) as error:
        raised = isinstance(error, GameOver) == game.over
        case.expect(
            raised and (game.over or name in str(error)), f"a wrong complaint about {name!r}: {error}", game
        )
    else:
        case.expect(False, f"the masked action {name!r} is carried out", game)
    case.expect(after.save() == game.save(), f"the refused action {name!r} changed the state", game)


def check_words(case: Case) -> None:
    """Every position can be described, and every illegal action names the rule that forbids it."""
    for game, _ in case.positions(case.few):
        described = game.describe()
        case.expect(described.position.strip(), "the position has no words", game)
        case.expect(len(described.choices) == case.spec.num_actions, "not every action is described", game)
        for choice in described.choices:
            said = choice.legal or (choice.why_not and (choice.rule or game.over))
            case.expect(said, f"nothing says why {choice.name!r} is illegal", game)


# --- observations -------------------------------------------------------------------------------------


def check_observations(case: Case) -> None:
    """Each seat's view lies in the declared space at any time, and hides nothing stale."""
    box = observation_box(case.spec, case.num_players)
    write = case.spec.entry("write_observation")
    dirty = np.empty(box.shape, np.float32)
    for game, _ in case.positions(case.games):
        before = game.save()
        for seat in range(case.num_players):
            seen = game.observe(seat)
            case.expect(seen.dtype == np.float32 and seen.shape == box.shape, "shape or dtype is off", game)
            case.expect(np.isfinite(seen).all(), f"seat {seat} sees a value that is not finite", game)
            outside = np.flatnonzero((seen < box.low) | (seen > box.high))
            names = [name for name, at in case.spec.slices(case.num_players).items()
                     if any(at.start <= i < at.stop for i in outside)]  # fmt: skip
            case.expect(not names, f"seat {seat} sees {', '.join(names)} out of bounds", game)
            dirty[:] = np.nan
            write(game.states, game.tables, seat, dirty)
            case.expect(np.array_equal(dirty, seen), "observe leaves parts of the vector as they were", game)
        case.expect(game.save() == before, "observing changes the state", game)


def check_reset(case: Case) -> None:
    """A reset overwrites the whole state: nothing of the game before is left in it."""
    for number in range(case.games):
        used = case.game(case.seed + number)
        play_out(case, used, case.rng(number))
        used.reset(case.seed + case.games)
        new = case.game(case.seed + case.games)
        stale = [name for name in case.spec.state_dtype.names or ()
                 if used.states[name].tobytes() != new.states[name].tobytes()]  # fmt: skip
        case.expect(not stale, f"reset leaves {', '.join(stale)} of the game before", new)


# --- ends ---------------------------------------------------------------------------------------------


def check_ends(case: Case) -> None:
    """Games end within the declared bound, for everybody, with a result that makes sense."""
    for game, _ in case.positions(case.games):
        if not game.over:
            try:
                game.results()
            except GameRunning:
                continue
            case.expect(False, "a running game has a result", game)
        case.expect(game.actor == -1 and not game.choosing, "somebody is to move after the end", game)
        case.expect(game.phase == "over", "the phase does not say that the game is over", game)
        _check_result(case, game)


def _check_result(case: Case, game: Game) -> None:
    before = game.save()
    for mode in REWARD_MODES:
        ranks, scores, returns = game.results(mode)
        better = [int((ranks < rank).sum()) for rank in ranks]
        case.expect(ranks.tolist() == better, f"ranks {ranks.tolist()} are no ranking with ties", game)
        case.expect(np.isfinite(scores).all(), "a score is not finite", game)
        case.expect(
            abs(returns.sum()) < TOLERANCE, f"{mode!r} rewards {returns.tolist()} do not sum to zero", game
        )
        if mode != "score":
            case.expect(abs(returns).max() <= 1 + TOLERANCE, f"{mode!r} rewards exceed 1", game)
            order = np.argsort(ranks, kind="stable")
            falling = np.all(np.diff(returns[order]) <= TOLERANCE)
            case.expect(falling, f"{mode!r} rewards {returns.tolist()} do not follow the ranks", game)
    case.expect(game.save() == before, "asking for the result changes the state", game)


# --- who chooses --------------------------------------------------------------------------------------


def check_choosing(case: Case) -> None:
    """Several seats choose at once only where declared, and no answer shows before all are in."""
    phases = {phase.name: phase for phase in case.spec.phases}
    for game, rng in case.positions(case.few):
        if game.over:
            continue
        case.expect(game.actor in game.choosing, f"the actor is not among {game.choosing} who choose", game)
        if not phases[game.phase].simultaneous:
            case.expect(len(game.choosing) == 1, f"phase {game.phase!r} is not simultaneous", game)
        elif len(game.choosing) > 1:
            _answers_stay_hidden(case, game, rng)


def _answers_stay_hidden(case: Case, game: Game, rng: np.random.Generator) -> None:
    waiting = tuple(seat for seat in game.choosing if seat != game.actor)
    views = set()
    for action in game.legal_actions():
        after = game.clone()
        after.apply(action)
        case.expect(after.choosing == waiting, f"{waiting} have yet to choose, not {after.choosing}", game)
        others = [seat for seat in range(case.num_players) if seat != game.actor]
        views.add((after.actor, after.mask().tobytes(), *(after.observe(seat).tobytes() for seat in others)))
    case.expect(len(views) == 1, f"seat {game.actor}'s answer shows before all are in", game)


def check_chance(case: Case) -> None:
    """Chance comes from the game's stream alone: equal seeds give equal games, others other ones."""
    games = set()
    for number in range(case.games):
        one, two = case.game(case.seed + number), case.game(case.seed + number)
        rng = case.rng(number)
        while not one.over:
            two.apply(play_on(case, one, rng))
            case.expect(one.save() == two.save(), "the same seed and actions give another game", two)
        games.add(one.save())
    case.expect(len(games) > case.games // 2, "different seeds give the same games")
    case.expect(case.spec.state_dtype["chance"] == CHANCE, "the state holds no chance stream")


def check_scripts(case: Case) -> None:
    """Recorded chance draws, given as a script, lead to the same position."""
    for game, rng in case.positions(case.few):
        if game.over:
            continue
        real = game.clone()
        real.record()
        action = play_on(case, real, np.random.default_rng(rng.integers(2**32)))
        draws = [happening.values[0] for happening in real.journal() if happening.name == "chance"]
        scripted = game.clone()
        scripted.apply(action, script=draws)
        scripted.states["chance"] = real.states["chance"]
        case.expect(scripted.save() == real.save(), "a scripted game differs from the one it repeats", game)
