"""Arguments that used to reach compiled code, or to be taken for something else, are refused in our words."""

from __future__ import annotations

import copy
import dataclasses
import importlib

import numpy as np
import pytest
from gymnasium.error import ResetNeeded

import kingmaker.envs
from kingmaker.agents.base import Agent
from kingmaker.agents.loader import load_agent
from kingmaker.envs.core.aec import AECGame
from kingmaker.envs.core.batch import BatchGames
from kingmaker.envs.core.errors import (
    AgentError,
    BrokenStep,
    GameOver,
    IllegalAction,
    LogError,
    OptionError,
    TableError,
)
from kingmaker.envs.core.game import Game
from kingmaker.envs.core.log import GameLog, Start, _seal
from kingmaker.envs.core.one_seat import SeatEnv
from kingmaker.envs.core.seat_games import SeatGames
from kingmaker.envs.core.vector import SeatVectorEnv
from kingmaker.envs.krig import KRIG, KRIG_INTERVENTION
from kingmaker.envs.krig.tables import FOLDER


class Fickle(Agent):
    """Plays the first legal action, or answers what it is told to."""

    def __init__(self, answer=None):
        super().__init__(KRIG, 2, "fickle")
        self.answer = answer

    def _choose(self, observations, action_masks, seats, games):
        if isinstance(self.answer, Exception):
            raise self.answer
        return action_masks.argmax(axis=1) if self.answer is None else self.answer


# --- batches ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seats", "seeds"),
    [
        ([0, 2], [1, 2]),
        ([0, -1], [1, 2]),
        ([0], [1]),
        ([0, 1, 1], [1, 2, 3]),
        ([0.0, 1.0], [1, 2]),
        ([True, False], [1, 2]),
        ([0, 1], [1, -2]),
        ([0, 1], [1]),
        ([0, 1], np.array([1, 2**63], np.uint64)),
    ],
)
def test_a_redeal_needs_a_seat_and_a_seed_for_each_game(seats, seeds):
    batch = BatchGames(KRIG, 2, seed=0)
    with pytest.raises(OptionError, match="2 integers"):
        batch.redeal(seats, seeds)
    batch.redeal([0, 1], [1, 2])


def test_seeds_are_compared_before_they_are_cast():
    with pytest.raises(OptionError, match="seeds"):
        BatchGames(KRIG, 2, seed=0).start(np.array([1, 2**64 - 1], np.uint64))


@pytest.mark.parametrize("actions", [[2], [2, 2, 2], [2.0, 2.0], [True, True], [[2, 2]], "ab"])
def test_actions_are_one_integer_a_game(actions):
    games, env = SeatGames(KRIG, 2, seed=0), SeatVectorEnv(KRIG, 2)
    games.reset()
    env.reset(seed=0)
    for step in (BatchGames(KRIG, 2, seed=0).step, games.step, env.step):
        with pytest.raises(IllegalAction, match="actions are 2 integers"):
            step(actions)


@pytest.mark.parametrize("make", [BatchGames, SeatGames])
def test_a_batch_has_no_game_beyond_its_last(make):
    games = make(KRIG, 2, seed=0)
    for wrong in (-1, 2, 2**70):
        with pytest.raises(IndexError, match=r"games are 0\.\.1"):
            games.game(wrong)


@pytest.mark.parametrize("wrong", [0, -1, 1.0, True, "2", None, np.array([2])])
def test_counts_are_integers(wrong):
    for make in (BatchGames, SeatGames, SeatVectorEnv):
        with pytest.raises(OptionError, match="num_games"):
            make(KRIG, wrong)
    with pytest.raises(OptionError, match="threads"):
        BatchGames(KRIG, 2, threads=wrong)
    if wrong is not None:
        with pytest.raises(OptionError, match="num_players"):
            Game(KRIG, wrong)


@pytest.mark.parametrize("first", [-1, 0.0, True, 2**29 - 1])
def test_games_have_an_index_below_the_number_of_streams(first):
    with pytest.raises(OptionError, match="first_game"):
        BatchGames(KRIG, 2, first_game=first)


@pytest.mark.parametrize("tables", [5, b"krig.toml", ["krig.toml"]])
def test_tables_are_a_path(tables):
    with pytest.raises(TableError, match="path"):
        Game(KRIG, tables=tables)


# --- seeds --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "seed",
    [1.0, True, -1, 2**63, np.uint64(2**63), np.array(3), [1, 1.5], [1, True], [1, -1], "ab", [[1, 2]]],
)
def test_a_vector_seed_is_an_integer_or_one_for_each_game(seed):
    env = SeatVectorEnv(KRIG, 2)
    with pytest.raises(OptionError, match="seed"):
        env.reset(seed=seed)
    env.reset(seed=[np.int64(1), None])


@pytest.mark.parametrize("seed", [1.0, True, -1, 2**63, "1"])
def test_seeds_of_redeals_and_agents_are_checked(seed):
    with pytest.raises(OptionError, match="seed"):
        Game(KRIG, seed=0).redealt(0, seed)
    with pytest.raises(OptionError, match="seed"):
        load_agent("random", KRIG, seed=seed)


# --- states and logs ----------------------------------------------------------------------------------


def pending_attack() -> Game:
    game = Game(KRIG, seed=0)
    game.reset(0, script=[2, 1])
    game.apply("attack", script=[4, 2])
    return game


BEYOND = [
    *((("pending", name), 7) for name in ("active", "target", "face", "critical", "charged")),
    *((("pending", name), -1) for name in ("target", "total")),
    *((("roll", name), 99) for name in ("kind", "roller", "agility", "attack", "parry", "bonus", "passes")),
    *(((name,), -1) for name in ("game", "first", "turn", "max_turns", "bonus")),
    *((("seats", 1, name), 99) for name in ("hit_points", "defence", "charging", "broken", "tokens", "wins")),
    (("pending", "active"), 0),
    (("choosing",), 0),
]


@pytest.mark.parametrize(("where", "value"), BEYOND)
def test_a_state_beyond_the_rules_is_refused_wherever_it_comes_from(where, value, tmp_path):
    game, env = pending_attack(), AECGame(KRIG)
    log = GameLog.of_play(game, Start(state=game.save()), [])
    env.reset(seed=0)
    saved = env.save_state() | {"agent_selection": f"player_{game.actor}", "state": game.save()}
    env.load_state(saved)
    *path, name = where
    record = game.states[0]
    for part in path:
        record = record[part]
    record[name] = value
    crafted = game.states.tobytes()
    with pytest.raises(ValueError, match="not a saved krig game"):
        pending_attack().load(crafted)
    with pytest.raises(OptionError, match="not a saved"):
        env.load_state(saved | {"state": crafted})
    log.header.state = _seal(crafted)
    log.save(tmp_path / "log.jsonl")
    with pytest.raises(LogError, match="does not start"):
        list(GameLog.load(tmp_path / "log.jsonl").replay())


def test_a_saved_place_in_the_cycle_fits_its_game():
    env = AECGame(KRIG)
    env.reset(seed=0)
    saved = env.save_state()
    other = next(agent for agent in env.agents if agent != env.agent_selection)
    for wrong in ({"agent_selection": other}, {"reason": 1}, {"reason": 2}, {"agents": [other], "reason": 3}):
        with pytest.raises(OptionError, match="not a saved state"):
            env.load_state(saved | wrong)
    env.load_state(saved)


@pytest.mark.parametrize("given", [{}, {"hit_points": 20}, {"hit_points": 7}])
def test_options_are_those_in_force_with_a_data_file(given, tmp_path):
    file = tmp_path / "own.toml"
    text = (FOLDER / "krig_intervention.toml").read_text("utf-8")
    text = text.replace("hit_points = 20", "hit_points = 12").replace(
        "perfect_parry = true", "perfect_parry = false"
    )
    file.write_text(text.replace("attack = 6", "attack = 4"), "utf-8")
    options = {"games": 1, **given}
    makes = (
        lambda: Game(KRIG_INTERVENTION, seed=0, options=options, tables=file),
        lambda: AECGame(KRIG_INTERVENTION, tables=file, **options),
        lambda: BatchGames(KRIG_INTERVENTION, 1, options=options, tables=file),
        lambda: SeatGames(KRIG_INTERVENTION, 1, options=options, tables=file),
    )
    for make in makes:
        assert make().options == {
            "games": 1, "tokens": 3, "handicap": 2, "perfect_parry": False, "guard_break": True,
            "hit_points": given.get("hit_points", 12), "agility_die": 10, "attack_die": 4, "defence_die": 8,
            "parry_die": 4, "max_turns": 500,
        }  # fmt: skip
        assert type(make().options["perfect_parry"]) is bool
    log = GameLog.of_play(makes[0](), Start(seed=0), [2])
    log.save(tmp_path / "log.jsonl")
    log = GameLog.load(tmp_path / "log.jsonl")
    assert len(list(log.replay(file))) == 2
    with pytest.raises(LogError):
        list(dataclasses.replace(log, header=log.header.model_copy(update={"tables": "0"})).replay(file))


def test_a_log_says_rightly_what_ended_its_game():
    game = Game(KRIG, seed=0, options={"max_turns": 1})
    log = GameLog.of_play(game, Start(seed=0), [4])
    assert log.result.truncated
    list(log.replay())
    log.result.truncated = False
    with pytest.raises(LogError, match="the rules ended the game, but a limit did"):
        list(log.replay())


def test_a_turn_with_two_windows_stays_within_the_longest_game():
    options = {"games": 1, "max_turns": 2, "handicap": 0}
    game = Game(KRIG_INTERVENTION, seed=0, options=options)
    game.reset(0, script=[2, 1])
    own = [("attack", [4, 1]), ("pass", []), ("pass", [])]
    answer = [("parry", [3]), ("pass", []), ("pass", []), *own]
    for action, script in own + answer:
        game.apply(action, script=script)
    assert game.truncated
    assert game.moves == 9
    no_tokens = KRIG_INTERVENTION.longest(2, game.options | {"tokens": 0})
    assert no_tokens >= 6 * options["max_turns"]


# --- before a reset -----------------------------------------------------------------------------------


def test_what_needs_a_reset_says_so():
    aec, seat = AECGame(KRIG, render_mode="ansi"), SeatEnv(KRIG, render_mode="ansi")
    vector = SeatVectorEnv(KRIG, 2, render_mode="ansi")
    for call in (aec.render, aec.describe, aec.game, aec.log, seat.render, seat.describe, seat.game,
                 seat.action_masks, vector.render, vector.action_masks):  # fmt: skip
        with pytest.raises(ResetNeeded, match=r"call reset\(\)"):
            call()
    for name in ("agents", "num_agents", "agent_selection", "rewards", "infos"):
        assert not hasattr(aec, name)
        with pytest.raises(ResetNeeded):
            getattr(aec, name)
    aec.reset(seed=0)
    assert all(hasattr(aec, name) for name in ("agents", "num_agents", "agent_selection", "rewards", "infos"))


def test_a_game_module_that_is_gone_is_no_attribute_and_names_its_successor():
    assert not hasattr(kingmaker.envs, "krig_v9")
    assert not hasattr(kingmaker.envs, "nope_v3")
    with pytest.raises(OptionError, match=r"use kingmaker/krig-v0"):
        kingmaker.envs.krig_v9  # noqa: B018
    with pytest.raises(ImportError, match="use kingmaker/krig-v0"):
        from kingmaker.envs import krig_v9  # noqa: F401
    with pytest.raises(ImportError, match="there is no game 'nope_v3'"):
        from kingmaker.envs import nope_v3  # noqa: F401
    assert importlib.import_module("kingmaker.envs.krig_v0")


# --- agents -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("answer", [[2.0, 2.0], [2], 2, [True, True], None, "x", [[2, 2]]])
def test_answers_are_one_integer_a_row(answer):
    batch = BatchGames(KRIG, 2, seed=0)
    agent = Fickle(answer if answer is not None else np.array([None, None]))
    with pytest.raises(AgentError, match="the answers of fickle are 2 integers"):
        agent.act_batch(batch.observations, batch.masks)


def test_an_agent_needs_masks_and_a_seat_a_row():
    batch = BatchGames(KRIG, 2, seed=0)
    with pytest.raises(AgentError, match="mask"):
        Fickle().act(batch.observations[0], None)
    for seats in ([0], [0.0, 1.0], 0):
        with pytest.raises(AgentError, match="seats are 2 integers"):
            Fickle().act_batch(batch.observations, batch.masks, seats)


@pytest.mark.parametrize("agent", [5, None, b"random", Fickle])
def test_an_agent_is_a_name_or_an_agent(agent):
    with pytest.raises(AgentError, match="an agent is"):
        load_agent(agent, KRIG)


def test_an_agent_of_another_game_is_refused():
    with pytest.raises(AgentError, match="plays kingmaker/krig-v0, not kingmaker/krig_intervention-v0"):
        SeatEnv(KRIG_INTERVENTION, opponents=Fickle())


def test_opponents_of_two_seats_are_one():
    with pytest.raises(OptionError, match="opponents are 1 agent, not 2"):
        SeatEnv(KRIG, opponents=["random", "random"])


def test_after_an_error_of_an_opponent_nobody_plays_for_it():
    agent = Fickle()
    env, vector = SeatEnv(KRIG, opponents=agent, seat=0), SeatVectorEnv(KRIG, 2, opponents=agent, seat=0)
    env.reset(seed=0)
    vector.reset(seed=0)
    agent.answer = RuntimeError("out of memory")
    one, many = int(env.action_masks().argmax()), vector.action_masks().argmax(axis=1)
    for step, action in ((env.step, one), (vector.step, many)):
        with pytest.raises(RuntimeError, match="out of memory"):
            step(action)
    agent.answer = None
    before = vector.games.states.tobytes()
    with pytest.raises(ResetNeeded, match="broke off"):
        env.step(one)
    with pytest.raises(BrokenStep, match="an error of an opponent"):
        vector.step(many)
    assert vector.games.states.tobytes() == before
    env.reset()
    vector.reset()
    env.step(int(env.action_masks().argmax()))
    vector.step(vector.action_masks().argmax(axis=1))


def test_games_that_do_not_run_are_not_stepped():
    games = SeatGames(KRIG, 1, seed=0)
    with pytest.raises(BrokenStep, match="never reset"):
        games.step([2])
    games.reset()
    games.step([99])
    with pytest.raises(GameOver, match="are over"):
        games.step([2])


# --- small things -------------------------------------------------------------------------------------


@pytest.mark.parametrize("action", [True, np.True_])
def test_a_truth_value_is_no_action(action):
    env, seat = AECGame(KRIG), SeatEnv(KRIG)
    env.reset(seed=0)
    seat.reset(seed=0)
    for step in (env.step, seat.step, Game(KRIG, seed=0).apply):
        with pytest.raises(IllegalAction, match="an action is an integer"):
            step(action)


def test_an_unknown_agent_is_answered_with_the_agents():
    env = AECGame(KRIG)
    env.reset(seed=0)
    with pytest.raises(KeyError, match="agents are player_0, player_1, not 'player_7'"):
        env.observe("player_7")


def test_shallow_copies_are_independent():
    game, env = Game(KRIG, seed=0), AECGame(KRIG)
    env.reset(seed=0)
    other, twin = copy.copy(game), copy.copy(env)
    game.apply("attack")
    env.step(2)
    assert (other.moves, twin.game().moves) == (0, 0)
    assert other.legal_actions() == Game(KRIG, seed=0).legal_actions()
