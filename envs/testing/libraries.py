"""The libraries' own checks, with every warning an error but the two that any masked game gets."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from io import StringIO

import gymnasium
from gymnasium.utils.env_checker import check_env, data_equivalence
from pettingzoo.test import api_test, parallel_api_test, seed_test
from pettingzoo.utils import turn_based_aec_to_parallel

from kingmaker.envs.core.aec import AECGame
from kingmaker.envs.testing.case import Case

# ``api_test`` says these of every observation dict that carries a mask (see PettingZoo's own classic games).
KNOWN_WARNINGS = (
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
)
CYCLES = 50  # for each game that a check plays


@contextmanager
def _strict() -> Iterator[None]:
    with warnings.catch_warnings(), redirect_stdout(StringIO()):
        warnings.simplefilter("error")
        for message in KNOWN_WARNINGS:
            warnings.filterwarnings("ignore", message=message)
        yield


def check_pettingzoo(case: Case) -> None:
    """``api_test``, ``seed_test`` and, through the turn-based wrapper, ``parallel_api_test``."""

    def make() -> AECGame:
        return AECGame(case.spec, **case.arguments())

    with _strict():
        api_test(make(), num_cycles=CYCLES * case.few)
        seed_test(make, num_cycles=CYCLES * case.few)
        parallel_api_test(turn_based_aec_to_parallel(make()), num_cycles=CYCLES * case.few)


def check_turn_based_parallel(case: Case) -> None:
    """The turn-based wrapper names the agent to move, and plays the same game as the AEC environment."""
    aec, parallel = (AECGame(case.spec, **case.arguments()) for _ in range(2))
    wrapped = turn_based_aec_to_parallel(parallel)
    for number in range(case.few):
        rng = case.rng(number)
        aec.reset(seed=case.seed + number)
        seen, _ = wrapped.reset(seed=case.seed + number)
        while not (any(aec.terminations.values()) or any(aec.truncations.values())):
            same = all(data_equivalence(seen[agent], aec.observe(agent)) for agent in aec.agents)
            case.expect(same, "the turn-based wrapper shows something else", aec.game())
            agent = aec.agent_selection
            action = int(rng.choice(seen[agent]["action_mask"].nonzero()[0]))
            aec.step(action)
            seen, *answers, infos = wrapped.step({name: action for name in wrapped.agents if name == agent})
            same = answers == [aec.rewards, aec.terminations, aec.truncations]
            case.expect(same, "the turn-based wrapper pays or ends otherwise", aec.game())
            active = {info.get("active_agent") for info in infos.values()}
            named = wrapped.agents == [] or active == {aec.agent_selection}
            case.expect(named, "the turn-based wrapper names another agent", aec.game())


def check_gymnasium(case: Case) -> None:
    """Gymnasium's ``check_env`` on the registered one-seat environment."""
    with _strict():
        env = gymnasium.make(f"{case.spec.module}:{case.spec.gym_id}", **case.arguments())
        check_env(env.unwrapped)
        env.close()
