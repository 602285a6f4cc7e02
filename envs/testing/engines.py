"""Checks that every engine plays the same game: batch, seat games, one-seat and vector environments."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from kingmaker.agents.base import Agent
from kingmaker.envs.core.batch import BatchGames
from kingmaker.envs.core.errors import IllegalAction
from kingmaker.envs.core.game import Game
from kingmaker.envs.core.loops import (
    PURPOSE_AGENTS,
    PURPOSE_EPISODES,
    REASON_LIMIT,
    REASON_RULES,
    REASON_RUNNING,
)
from kingmaker.envs.core.one_seat import SeatEnv
from kingmaker.envs.core.seat_games import SeatGames
from kingmaker.envs.core.spec import REWARD_MODES, RewardMode
from kingmaker.envs.core.vector import SeatVectorEnv
from kingmaker.envs.testing.case import Case, draw_seed, stream

NUM_GAMES = 6


# --- batch --------------------------------------------------------------------------------------------


def _batch(case: Case, num_games: int = NUM_GAMES, **arguments: Any) -> BatchGames:
    return BatchGames(
        case.spec, num_games, case.num_players, seed=case.seed, options=case.options, **arguments
    )


def _episode_ends(case: Case, batch: BatchGames) -> Iterator[None]:
    """Step a batch at random until each game has ended ``case.few`` times; yield after every step."""
    ends = np.zeros(batch.num_games, np.int64)
    for _ in range((case.few + 1) * case.longest):
        if ends.min() >= case.few:
            return
        yield
        ends += batch.dones
    case.expect(False, f"the batch's games do not end within {case.longest} decisions")


def check_batch(case: Case) -> None:
    """A batch plays the same games as ``Game`` from the same seeds and actions, in every reward mode."""
    for mode in REWARD_MODES:
        batch = _batch(case, reward=mode)
        seeds = [stream(case.spec, case.seed, i, PURPOSE_EPISODES) for i in range(NUM_GAMES)]
        games = [case.game(draw_seed(case.spec, one)) for one in seeds]
        for _ in _episode_ends(case, batch):
            for i, game in enumerate(games):
                _same_view(case, batch, i, game)
            actions = batch.random_actions()
            batch.step(actions)
            for i, game in enumerate(games):
                game.apply(int(actions[i]))
                _same_reward(case, batch, i, game, mode)
                if game.over:
                    game.reset(draw_seed(case.spec, seeds[i]))


def _same_view(case: Case, batch: BatchGames, i: int, game: Game) -> None:
    case.expect(batch.actors[i] == game.actor, "the batch has another seat to move", game)
    case.expect(np.array_equal(batch.masks[i], game.mask()), "the batch has another mask", game)
    case.expect(np.array_equal(batch.observations[i], game.observe()), "the batch has another view", game)


def _same_reward(case: Case, batch: BatchGames, i: int, game: Game, mode: RewardMode) -> None:
    ended = (bool(batch.dones[i]), bool(batch.truncated[i]))
    case.expect(ended == (game.over, game.truncated), "the batch ends otherwise", game)
    if not game.over:
        case.expect(not batch.rewards[i].any(), "the batch pays before the end", game)
        return
    ranks, scores, returns = game.results(mode)
    same = np.array_equal(batch.rewards[i], returns) and np.array_equal(batch.ranks[i], ranks)
    case.expect(same and np.array_equal(batch.scores[i], scores), "the batch has another result", game)


def check_batch_splits(case: Case) -> None:
    """Threads and a split by ``first_game`` change nothing."""
    whole, threaded = _batch(case), _batch(case, threads=2)
    parts = [_batch(case, NUM_GAMES // 2, first_game=first) for first in (0, NUM_GAMES // 2)]
    for step, _ in enumerate(_episode_ends(case, whole)):
        together = [np.concatenate(rows) for rows in zip(*map(_arrays, parts), strict=True)]
        for name, rows in (("threads", _arrays(threaded)), ("first_game", together)):
            same = all(np.array_equal(a, b) for a, b in zip(_arrays(whole), rows, strict=True))
            case.expect(same, f"{name} changes the batch after {step} steps")
        for batch in (whole, threaded, *parts):
            batch.step(batch.random_actions())


def _arrays(batch: BatchGames) -> list[np.ndarray]:
    return [batch.observations, batch.masks, batch.actors, batch.rewards, batch.dones, batch.truncated]


def check_batch_stops(case: Case) -> None:
    """Without ``autoreset`` an ended game stands still with an empty mask, whatever is asked of it."""
    batch = _batch(case, autoreset=False)
    for _ in range(case.longest + 1):
        done, before = batch.dones.copy(), batch.states.copy()
        case.expect(not batch.masks[done].any(), "an ended game of a batch has legal actions")
        case.expect((batch.actors[done] == -1).all(), "an ended game of a batch waits for a seat")
        if done.all():
            break
        batch.step(np.where(done, 10**6, batch.random_actions()))
        case.expect((batch.states[done] == before[done]).all(), "an ended game of a batch moves on")
        case.expect(not batch.rewards[done].any(), "an ended game of a batch pays twice")
    case.expect(batch.dones.all(), "some games of a batch do not end")


def check_batch_refusals(case: Case) -> None:
    """A batch refuses an illegal action before any game has moved."""
    batch = _batch(case)
    for _ in range(10):
        actions = batch.random_actions()
        illegal = np.flatnonzero(batch.masks[-1] == 0)
        for wrong in (-1, case.spec.num_actions, *illegal[:1]):
            before = batch.states.tobytes()
            try:
                batch.step(np.append(actions[:-1], wrong))
            except IllegalAction:
                case.expect(batch.states.tobytes() == before, "a refused step moved some games of the batch")
            else:
                case.expect(False, f"a batch accepts the illegal action {wrong}")
        batch.step(actions)


# --- one seat among opponents -------------------------------------------------------------------------


class _Outsider(Agent):
    """An agent that the kernels cannot play: it takes the last legal action."""

    def _choose(self, observations: Any, action_masks: Any, seats: Any, games: Any) -> np.ndarray:
        return action_masks.shape[1] - 1 - action_masks[:, ::-1].argmax(axis=1)


class _Replay:
    """Game ``index`` of ``SeatGames`` once more, turn by turn on ``Game``."""

    def __init__(self, case: Case, seed: int, index: int, kinds: list[str], mode: RewardMode) -> None:
        self.case, self.kinds, self.mode = case, kinds, mode
        self.episodes = stream(case.spec, seed, index, PURPOSE_EPISODES)
        self.agents = stream(case.spec, seed, index, PURPOSE_AGENTS)
        self.begin()

    def begin(self) -> None:
        """Start an episode; one that ends before the learner's first choice is passed over."""
        spec = self.case.spec
        while True:
            self.game = self.case.game(draw_seed(spec, self.episodes))
            self.seat = draw_seed(spec, self.episodes) % self.case.num_players
            self.opponents()
            if not self.game.over:
                return

    def step(self, action: int) -> None:
        """Take the learner's action and play the opponents on."""
        self.game.apply(action)
        self.opponents()

    def opponents(self) -> None:
        """Play until the learner is to move or the game is over."""
        game = self.game
        while not game.over and game.actor != self.seat:
            place = (game.actor - self.seat) % self.case.num_players
            game.apply(self._decide(self.kinds[place - 1]))

    def _decide(self, kind: str) -> int:
        game, spec = self.game, self.case.spec
        mask, actors, actions = game.mask()[None], np.array([game.actor]), np.zeros(1, np.int64)
        if kind == "random":
            spec.entry("batch_random")(mask, actors, self.agents, actions)
        elif kind == "heuristic":
            seen = game.observe()[None]
            spec.entry("batch_heuristic")(game.states, game.tables, seen, mask, actors, self.agents, actions)
        else:
            actions[0] = game.legal_actions()[-1]
        return int(actions[0])

    @property
    def reason(self) -> int:
        """Why the episode ended, as environments report it."""
        if not self.game.over:
            return REASON_RUNNING
        return REASON_LIMIT if self.game.truncated else REASON_RULES

    @property
    def reward(self) -> float:
        """The learner's reward."""
        return float(self.game.returns(self.mode)[self.seat]) if self.game.over else 0.0


def _line_ups(case: Case) -> Iterator[tuple[list[str], list[Any]]]:
    """Yield opponents by kind and as the environments take them: each kind alone, then mixed."""
    outsider = _Outsider(case.spec, case.num_players, "outsider")
    agents: dict[str, Any] = {"random": "random", "heuristic": "heuristic", "outsider": outsider}
    places = case.num_players - 1
    for kind, agent in agents.items():
        yield [kind] * places, [agent]
    if places > 1:
        kinds = [list(agents)[k % 3] for k in range(places)]
        yield kinds, [agents[kind] for kind in kinds]


def check_seat_games(case: Case) -> None:
    """``SeatGames`` plays what a turn-by-turn replay of learner and opponents plays."""
    for number, (kinds, opponents) in enumerate(_line_ups(case)):
        mode = REWARD_MODES[number % len(REWARD_MODES)]
        games = SeatGames(case.spec, NUM_GAMES, case.num_players, opponents=opponents, seed=case.seed,
                          reward=mode, options=case.options)  # fmt: skip
        games.reset()
        replays = [_Replay(case, case.seed, i, kinds, mode) for i in range(NUM_GAMES)]
        _follow(case, games, replays, case.rng(number))


def _follow(case: Case, games: SeatGames, replays: list[_Replay], rng: np.random.Generator) -> None:
    ends = 0
    while ends < NUM_GAMES * case.few:
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in games.masks])
        for i, replay in enumerate(replays):
            _same_seat(case, games, i, replay)
            replay.step(int(actions[i]))
        games.step(actions)
        for i, replay in enumerate(replays):
            case.expect(games.reasons[i] == replay.reason, "an episode ends otherwise", replay.game)
            case.expect(np.isclose(games.rewards[i], replay.reward), "a learner's reward is off", replay.game)
        ended = np.flatnonzero(games.reasons != REASON_RUNNING)
        for i in ended.tolist():
            _same_seat(case, games, i, replays[i])
            replays[i].begin()
        games.reset(ended)
        ends += len(ended)


def _same_seat(case: Case, games: SeatGames, i: int, replay: _Replay) -> None:
    game = replay.game
    mask = np.ones_like(games.masks[i]) if game.over else game.mask()
    case.expect(games.learners[i] == replay.seat, "the learner sits elsewhere", game)
    case.expect(np.array_equal(games.masks[i], mask), "the learner's mask is not its own", game)
    case.expect(np.array_equal(games.observations[i], game.observe(replay.seat)), "a view is off", game)


def check_seat_envs(case: Case) -> None:
    """The one-seat and the vector environment play what ``SeatGames`` plays from the same seed."""
    for kinds, opponents in _line_ups(case):
        vector = SeatVectorEnv(case.spec, NUM_GAMES, opponents=opponents, autoreset_mode="SameStep",
                               **case.arguments())  # fmt: skip
        single = SeatEnv(case.spec, opponents=opponents, **case.arguments())
        games = SeatGames(case.spec, NUM_GAMES, case.num_players, opponents=opponents, options=case.options)
        seen, infos = vector.reset(seed=case.seed)
        one, info = single.reset(seed=case.seed)
        games.seed(derived_seed(single, case.seed))
        games.reset()
        rng = case.rng(len(kinds))
        for _ in range(3 * case.few):
            case.expect(np.array_equal(seen, games.observations), "the vector environment goes its own way")
            case.expect(np.array_equal(one, seen[0]), "the one-seat environment goes its own way")
            case.expect(np.array_equal(info["action_mask"], infos["action_mask"][0]), "masks are not alike")
            actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in games.masks])
            seen, rewards, terminated, truncated, infos = vector.step(actions)
            one, reward, ended, cut, info = single.step(int(actions[0]))
            games.step(actions)
            same = (reward, ended, cut) == (rewards[0], terminated[0], truncated[0])
            case.expect(
                same and np.array_equal(rewards, games.rewards), "environments pay or end differently"
            )
            games.reset(np.flatnonzero(games.reasons != REASON_RUNNING))
            if ended or cut:
                one, info = single.reset()


def derived_seed(env: SeatEnv, seed: int) -> int:
    """Return the seed that ``reset(seed=seed)`` hands on to the games."""
    generator: Callable[..., Any] = type(env.np_random)
    fresh = generator(type(env.np_random.bit_generator)(np.random.SeedSequence(seed)))
    return int(fresh.integers(2**63))
