"""Checks of copies: clones, saves, pickles and logs taken at every decision go on as the original."""

from __future__ import annotations

import copy
import pickle
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from kingmaker.envs.core.aec import AECGame
from kingmaker.envs.core.batch import BatchGames
from kingmaker.envs.core.game import Game
from kingmaker.envs.core.log import GameLog, Start
from kingmaker.envs.core.one_seat import SeatEnv
from kingmaker.envs.testing.case import Case, play_on, play_out, view

# Decisions for which a copy is followed; the last copy of a game is followed to its end and beyond.
FOLLOW = 4


def _pickled(thing: Any) -> Any:
    return pickle.loads(pickle.dumps(thing))


def check_game_copies(case: Case) -> None:
    """``Game``: clone, save and load, deepcopy and pickle, at every decision."""
    other = case.game(case.seed + case.games)
    for game, rng in case.positions(case.few):
        other.load(game.save())
        copies = {"clone": game.clone(), "save/load": other.clone(), "deepcopy": copy.deepcopy(game),
                  "pickle": _pickled(game)}  # fmt: skip
        original = game.clone()
        for _ in range(FOLLOW):
            for name, one in copies.items():
                same = one.save() == original.save() and view(one) == view(original)
                case.expect(same, f"a {name} goes on differently", original)
            if original.over:
                break
            action = play_on(case, original, np.random.default_rng(rng.integers(2**32)))
            for one in copies.values():
                one.apply(action)


def _agree(case: Case, name: str, states: Iterator[tuple[Any, Any]]) -> None:
    for number, (one, other) in enumerate(states):
        case.expect(one == other, f"{name} goes on differently after {number} steps")


def _loaded(env: AECGame, case: Case) -> AECGame:
    other = AECGame(case.spec, **case.arguments())
    other.reset(seed=case.seed + 1)
    other.load_state(_pickled(env.save_state()))
    return other


def aec_state(env: AECGame) -> tuple[Any, ...]:
    """Return everything that a user of an AEC environment can see."""
    seen = [env.observe(agent) for agent in env.possible_agents]
    return (
        list(env.agents),
        env.agent_selection if env.agents else None,
        dict(env.rewards),
        dict(env._cumulative_rewards),
        dict(env.terminations),
        dict(env.truncations),
        copy.deepcopy(env.infos),
        [(one["observation"].tobytes(), one["action_mask"].tobytes()) for one in seen],
    )


def step_aec(env: AECGame, pick: np.random.Generator) -> None:
    """Take any legal step: a random action, ``None`` for a finished agent, a reset when all are gone."""
    if not env.agents:
        env.reset()
    elif env.terminations[env.agent_selection] or env.truncations[env.agent_selection]:
        env.step(None)
    else:
        mask = env.observe(env.agent_selection)["action_mask"]
        env.step(int(pick.choice(np.flatnonzero(mask))))


def check_aec_copies(case: Case) -> None:
    """AEC environments: clone, saved state, deepcopy and pickle at every step, dead steps and resets too."""
    env = AECGame(case.spec, **case.arguments())
    env.reset(seed=case.seed)
    rng, episodes = case.rng(0), 0
    while episodes < case.few:
        kinds: dict[str, Callable[[], AECGame]] = {
            "clone": env.clone,
            "save_state": lambda: _loaded(env, case),
            "deepcopy": lambda: copy.deepcopy(env),
            "pickle": lambda: _pickled(env),
        }
        for name, make in kinds.items():
            if env.agents or name != "save_state":  # when all are gone there is no place to save
                seed = int(rng.integers(2**32))
                _agree(case, f"the AEC environment's {name}", _aec_steps(copy.deepcopy(env), make(), seed))
        step_aec(env, rng)
        episodes += not env.agents


def _aec_steps(one: AECGame, other: AECGame, seed: int) -> Iterator[tuple[Any, ...]]:
    picks = np.random.default_rng(seed), np.random.default_rng(seed)
    for _ in range(FOLLOW):
        yield tuple((aec_state(env), env.game().save()) for env in (one, other))
        step_aec(one, picks[0])
        step_aec(other, picks[1])


def check_seat_env_copies(case: Case) -> None:
    """One-seat environments: deepcopy and pickle at every step."""
    env = SeatEnv(case.spec, **case.arguments())
    _, info = env.reset(seed=case.seed)
    rng, episodes = case.rng(1), 0
    while episodes < case.few:
        for name, other in (("deepcopy", copy.deepcopy(env)), ("pickle", _pickled(env))):
            seed = int(rng.integers(2**32))
            _agree(case, f"the one-seat environment's {name}", _seat_steps(copy.deepcopy(env), other, seed))
        _, _, terminated, truncated, info = env.step(int(rng.choice(np.flatnonzero(info["action_mask"]))))
        if terminated or truncated:
            episodes += 1
            _, info = env.reset()


def _seat_steps(one: SeatEnv, other: SeatEnv, seed: int) -> Iterator[tuple[Any, ...]]:
    rng = np.random.default_rng(seed)
    for _ in range(FOLLOW):
        action = int(rng.choice(np.flatnonzero(one.action_masks())))
        answers = [env.step(action) for env in (one, other)]
        yield tuple(map(_plain, answers))
        if answers[0][2] or answers[0][3]:
            yield tuple(_plain(env.reset()) for env in (one, other))


def _plain(answer: tuple[Any, ...]) -> list[Any]:
    """Return an environment's answer with arrays as bytes, so that it compares."""
    parts = [*answer[:-1], *(value for _, value in sorted(answer[-1].items()))]
    return [part.tobytes() if isinstance(part, np.ndarray) else part for part in parts]


def check_batch_copies(case: Case) -> None:
    """Batches: deepcopy and pickle go on as the original, through ends and resets."""
    batch = BatchGames(case.spec, 4, case.num_players, seed=case.seed, options=case.options, threads=2)
    for _ in range(3 * case.few):
        for name, other in (("deepcopy", copy.deepcopy(batch)), ("pickle", _pickled(batch))):
            _agree(case, f"the batch's {name}", _batch_steps(copy.deepcopy(batch), other))
        for _ in range(FOLLOW):
            batch.step(batch.random_actions())


def _batch_steps(one: BatchGames, other: BatchGames) -> Iterator[tuple[Any, ...]]:
    for _ in range(FOLLOW):
        actions = one.random_actions(), other.random_actions()
        one.step(actions[0])
        other.step(actions[1])
        yield tuple([b.states.tobytes(), b.observations.tobytes(), b.masks.tobytes(), b.rewards.tobytes(),
                     b.actors.tolist(), b.dones.tolist()] for b in (one, other))  # fmt: skip


# --- logs ---------------------------------------------------------------------------------------------


def check_logs(case: Case) -> None:
    """A log, from the start or from the middle, replays to the same positions and result without the seed."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.jsonl"
        for number in range(case.few):
            game, rng = case.game(case.seed + number), case.rng(number)
            _replays(case, path, game.clone(), Start(seed=game.seed), play_out(case, game.clone(), rng))
            for _ in range(int(rng.integers(1, 4))):
                if not game.over:
                    play_on(case, game, rng)
            later = game.clone()
            _replays(case, path, game, Start(state=game.save()), play_out(case, later, rng))


def _replays(case: Case, path: Path, game: Game, start: Start, actions: list[int]) -> None:
    log = GameLog.of_play(game, start, actions)
    log.save(path)
    loaded = GameLog.load(path)
    case.expect(loaded == log, "a saved log does not load as it was", game)
    ended = None
    for number, (_, replayed) in enumerate(loaded.replay()):
        if number:
            game.apply(actions[number - 1])
        case.expect(view(replayed) == view(game), "a log replays to another position", game)
        ended = replayed
    if ended is not None and game.over:
        same = all(np.array_equal(a, b) for a, b in zip(ended.results(), game.results(), strict=True))
        case.expect(same, "a log replays to another result", game)
