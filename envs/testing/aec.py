"""Checks of the AEC environment: flags, rewards in every reading order, illegal actions, seeds."""

from __future__ import annotations

import random
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from kingmaker.envs.core.aec import AECGame, IllegalActionWarning
from kingmaker.envs.core.errors import IllegalAction
from kingmaker.envs.core.loops import REASON_ILLEGAL, REASON_LIMIT, REASON_RULES, REASON_RUNNING
from kingmaker.envs.core.one_seat import SeatEnv
from kingmaker.envs.core.spec import REWARD_MODES
from kingmaker.envs.testing.case import Case
from kingmaker.envs.testing.copies import aec_state

TOLERANCE = 1e-5
WRONG = 3  # illegal actions tried at a decision: over a game that is nearly all of them


def _made(case: Case, **arguments: Any) -> AECGame:
    return AECGame(case.spec, **case.arguments(), **arguments)


def _pick(env: AECGame, rng: np.random.Generator) -> int:
    mask = env.observe(env.agent_selection)["action_mask"]
    return int(rng.choice(np.flatnonzero(mask)))


def _running(env: AECGame) -> bool:
    return not any(env.terminations.values()) and not any(env.truncations.values())


# --- views and flags ----------------------------------------------------------------------------------


def check_aec(case: Case) -> None:
    """Views, masks and flags of all agents at all times, and the same configuration after any reset."""
    env = _made(case)
    settings = _settings(env)
    for number in range(case.games):
        env.reset(seed=case.seed + number if number % 2 else None)
        case.expect(_settings(env) == settings, "a reset changes the configuration")
        rng = case.rng(number)
        while _running(env):
            _all_agents_see(case, env)
            case.expect(set(env.agents) == set(env.possible_agents), "an agent has left a running game")
            case.expect(
                {i["reason"] for i in env.infos.values()} == {REASON_RUNNING}, "a reason to end, early"
            )
            env.step(_pick(env, rng))
        _ended_well(case, env)


def _settings(env: AECGame) -> tuple[Any, ...]:
    spaces = [(id(env.observation_space(a)), id(env.action_space(a))) for a in env.possible_agents]
    return spaces, list(env.possible_agents), env.num_players, dict(env.options), dict(env.metadata)


def _all_agents_see(case: Case, env: AECGame) -> None:
    game = env.game()
    for seat, agent in enumerate(env.possible_agents):
        seen = env.observe(agent)
        case.expect(env.observation_space(agent).contains(seen), f"{agent}'s view is not in its space", game)
        case.expect(np.array_equal(seen["observation"], game.observe(seat)), f"{agent}'s view is off", game)
        moves = agent == env.agent_selection and not game.over and _running(env)
        mask = game.mask() if moves else np.zeros_like(game.mask())
        case.expect(np.array_equal(seen["action_mask"], mask), f"{agent}'s mask is off", game)


def _ended_well(case: Case, env: AECGame) -> None:
    game = env.game()
    reason = REASON_LIMIT if game.truncated else REASON_RULES
    case.expect(set(env.terminations.values()) == {not game.truncated}, "terminations are off", game)
    case.expect(set(env.truncations.values()) == {game.truncated}, "truncations are off", game)
    case.expect({info["reason"] for info in env.infos.values()} == {reason}, "the reason is off", game)
    while env.agents:
        _all_agents_see(case, env)
        env.step(None)
    _all_agents_see(case, env)


# --- rewards ------------------------------------------------------------------------------------------


def check_rewards(case: Case) -> None:
    """Every reading order adds up to the declared returns, and these to zero, in each reward mode."""
    for mode in REWARD_MODES:
        for number in range(case.few):
            env = _made(case, reward=mode)
            env.reset(seed=case.seed + number)
            totals = _read_rewards(env, case.rng(number))
            returns = env.game().returns(mode)
            for reader, total in totals.items():
                got = np.array([total[agent] for agent in env.possible_agents])
                place = f"{mode!r} rewards as {reader} reads them"
                case.expect(
                    np.allclose(got, returns, atol=TOLERANCE), f"{place}: {got}, not {returns}", env.game()
                )
                case.expect(abs(got.sum()) < TOLERANCE, f"{place} do not sum to zero", env.game())


def _read_rewards(env: AECGame, rng: np.random.Generator) -> dict[str, dict[str, float]]:
    """Play an episode; return each agent's total as RLlib, Tianshou and TorchRL would collect it.

    RLlib and PettingZoo's own loop read ``last()`` whenever an agent comes up, dead steps included.
    Tianshou reads ``rewards`` after each live step and stops at the first flag. TorchRL reads ``rewards``
    of all possible agents after each live step.
    """
    last, tianshou, torchrl = (dict.fromkeys(env.possible_agents, 0.0) for _ in range(3))
    for agent in env.agent_iter():
        _, reward, terminated, truncated, _ = env.last()
        last[agent] += reward
        if terminated or truncated:
            env.step(None)
            continue
        env.step(_pick(env, rng))
        for name, amount in env.rewards.items():
            tianshou[name] += amount
        for name in env.possible_agents:
            torchrl[name] += env.rewards[name]
    return {"last()": last, "Tianshou": tianshou, "TorchRL": torchrl}


# --- illegal actions ----------------------------------------------------------------------------------


def check_illegal_end(case: Case) -> None:
    """An illegal action ends the game at the offender's cost, and the episodes after it are healthy."""
    env = _made(case)
    for number in range(case.few):
        rng = case.rng(number)
        env.reset(seed=case.seed + number)
        for _ in range(int(rng.integers(4))):
            if _running(env):
                env.step(_pick(env, rng))
        if not _running(env):
            continue
        _offend(case, env)
        seed = case.seed + number + 1
        env.reset(seed=seed)
        other = _made(case)
        other.reset(seed=seed)
        for _ in _lockstep(env, other, rng):
            same = aec_state(env) == aec_state(other)
            case.expect(same, "an episode after an illegal end is not as it should be", other.game())


def _offend(case: Case, env: AECGame) -> None:
    offender = env.agent_selection
    illegal = np.flatnonzero(env.observe(offender)["action_mask"] == 0)
    if not len(illegal):
        return
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        env.step(int(illegal[0]))
    case.expect([w.category for w in caught] == [IllegalActionWarning], "an illegal end does not warn once")
    case.expect(
        all(env.terminations.values()) and all(env.truncations.values()), "an illegal end sets no flags"
    )
    case.expect(
        {i["reason"] for i in env.infos.values()} == {REASON_ILLEGAL}, "an illegal end gives no reason"
    )
    wanted = {agent: -1.0 if agent == offender else 0.0 for agent in env.possible_agents}
    case.expect(env.rewards == wanted == env._cumulative_rewards, "an illegal end pays the wrong agent")
    while env.agents:
        env.step(None)


def _lockstep(one: AECGame, other: AECGame, rng: np.random.Generator) -> Iterator[None]:
    yield
    while _running(one):
        action = _pick(one, rng)
        one.step(action)
        other.step(action)
        yield


def check_illegal_raise(case: Case) -> None:
    """In strict mode an illegal action raises and changes nothing, in AEC and with one seat."""
    env, seat = (
        _made(case, illegal_action="raise"),
        SeatEnv(case.spec, illegal_action="raise", **case.arguments()),
    )
    env.reset(seed=case.seed)
    _, info = seat.reset(seed=case.seed)
    rng = case.rng(0)
    while _running(env):
        masks = env.observe(env.agent_selection)["action_mask"], info["action_mask"]
        for wrong in _wrong_actions(case, masks[0], rng):
            before = aec_state(env), env.game().save()
            _raises(case, env, wrong)
            same = before == (aec_state(env), env.game().save())
            case.expect(same, "a refused action changed the AEC environment", env.game())
        for wrong in _wrong_actions(case, masks[1], rng):
            saved = seat.game().save()
            _raises(case, seat, wrong)
            case.expect(seat.game().save() == saved, "a refused action changed the one-seat environment")
        env.step(_pick(env, rng))
        _, _, terminated, truncated, info = seat.step(int(rng.choice(np.flatnonzero(masks[1]))))
        if terminated or truncated:
            _, info = seat.reset()


def _wrong_actions(case: Case, mask: np.ndarray, rng: np.random.Generator) -> list[int]:
    """Return actions to be refused: beyond either end, and some of the illegal ones, others every time."""
    illegal = np.flatnonzero(mask == 0)
    some = rng.choice(illegal, min(WRONG, len(illegal)), replace=False)
    return [-1, case.spec.num_actions, *map(int, some)]


def _raises(case: Case, env: Any, action: int) -> None:
    try:
        env.step(action)
    except IllegalAction as error:
        case.expect(str(action) in str(error), f"the complaint about {action} does not name it: {error}")
    else:
        case.expect(False, f"the illegal action {action} is accepted by {type(env).__name__}")


# --- seeds --------------------------------------------------------------------------------------------


def check_seeds(case: Case) -> None:
    """Seeds fix several episodes in a row, whatever the global generators do, which stay untouched."""
    kept = random.getstate(), np.random.get_state()
    try:
        first = _episodes(case, case.seed, disturb=1)
        case.expect(
            _episodes(case, case.seed, disturb=2) == first, "a seed does not fix the episodes after it"
        )
        case.expect(len(set(first)) > 1, "an unseeded reset repeats the episode before")
        case.expect(
            _episodes(case, case.seed + 1, disturb=1) != first, "another seed gives the same episodes"
        )
    finally:
        random.setstate(kept[0])
        np.random.set_state(kept[1])


def _global_states() -> tuple[Any, ...]:
    words: Any = np.random.get_state(legacy=True)
    return random.getstate(), words[1].tolist()


def _episodes(case: Case, seed: int, disturb: int) -> list[bytes]:
    """Return the final states of three AEC episodes and one-seat episodes."""
    env, seat = _made(case), SeatEnv(case.spec, **case.arguments())
    finals, rng = [], case.rng(0)
    for number in range(3):
        random.seed(disturb)
        np.random.seed(disturb)
        globals_before = _global_states()
        env.reset(seed=None if number else seed)
        while _running(env):
            env.step(_pick(env, rng))
        _, info = seat.reset(seed=None if number else seed)
        ended = False
        while not ended:
            _, _, terminated, truncated, info = seat.step(
                int(rng.choice(np.flatnonzero(info["action_mask"])))
            )
            ended = terminated or truncated
        untouched = globals_before == (_global_states())
        case.expect(untouched, "the environment draws from a global generator")
        finals += [env.game().save(), seat.game().save()]
    return finals
