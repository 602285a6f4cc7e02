"""``kingmaker play`` and ``kingmaker replay``."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from cli_run import run

from kingmaker.cli import play as play_command
from kingmaker.cli import words
from kingmaker.cli.dialogue import match_action
from kingmaker.cli.session import Session
from kingmaker.envs.core.errors import LogError
from kingmaker.envs.core.game import Game, Happening
from kingmaker.envs.core.log import GameLog
from kingmaker.envs.core.registry import get_spec

ONE_BY_ONE = "2\n" * 200  # attacks as long as it lasts
ALL_FIRST = "0\n1\n2\n5\n" * 200  # whatever is legal, in the expansion too


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def play(typed: str, *more: str) -> str:
    return run("play", "krig", "--seed", "5", "--log", "log.jsonl", *more, typed=typed)


def saved(path: str = "log.jsonl") -> GameLog:
    return GameLog.load(path)


# --- whole games ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["krig", "krig_intervention"])
@pytest.mark.parametrize("opponents", ["random", "heuristic"])
def test_a_whole_game(game: str, opponents: str) -> None:
    arguments = ["--seat", "1", "--opponents", opponents, "--seed", "3", "--log", "log.jsonl"]
    text = run("play", game, *arguments, typed=ALL_FIRST)
    log = saved()
    assert log.result is not None
    assert "1. seat" in text
    assert f"({opponents})" in text
    assert "seat 1 (you)" in text
    assert "Verified" in run("replay", "log.jsonl")


def test_options_and_file_of_figures(tmp_path: Path) -> None:
    figures = Path(get_spec("krig").file).with_name("krig.toml").read_text("utf-8")
    (tmp_path / "own.toml").write_text(figures, "utf-8")
    play(ONE_BY_ONE, "--option", "hit_points=6", "--tables", "own.toml")
    assert saved().header.options["hit_points"] == 6
    assert "Verified" in run("replay", "log.jsonl", "--tables", "own.toml")


def test_two_persons() -> None:
    text = play(ALL_FIRST, "--seat", "0", "--seat", "1")
    assert "(person)" in text
    assert {decision.seat for decision in saved().decisions} == {0, 1}


def test_log_gets_a_name_of_its_own() -> None:
    text = run("play", "krig", "--seed", "8", typed="attack\nquit\n")
    assert "krig-8.jsonl" in text
    assert Path("krig-8.jsonl").is_file()
    run("play", "krig", typed="attack\nquit\n")
    assert len(list(Path().glob("krig-*.jsonl"))) == 2


def test_existing_log_is_not_overwritten() -> None:
    Path("log.jsonl").write_text("precious", "utf-8")
    text = run("play", "krig", "--log", "log.jsonl", exit_code=2)
    assert "log.jsonl exists" in text
    assert Path("log.jsonl").read_text("utf-8") == "precious"


def test_folder_of_the_log_is_tried_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.access", lambda *_: False)
    text = run("play", "krig", "--log", "log.jsonl", exit_code=2)
    assert "cannot write log.jsonl: its folder is closed to you" in text


def test_game_without_a_decision_leaves_no_file() -> None:
    run("play", "krig", "--seed", "1", "--log", "log.jsonl", "--seat", "0", "--seat", "1", typed="quit\n")
    assert not Path("log.jsonl").exists()


# --- what a person can type -------------------------------------------------------------------------------


def test_actions_by_number_name_and_beginning() -> None:
    for typed in ("2", "attack", "att", "ATTACK", "  a "):
        text = play(f"{typed}\nquit\n")
        assert "(you) plays attack" in text
        Path("log.jsonl").unlink()


def test_ambiguous_and_illegal_actions() -> None:
    session = Session.begin(get_spec("krig_intervention"), None, 0, {}, None, [0, 1], ["random"])
    session.take("attack")
    choices = session.game.describe().choices

    def names(text: str) -> list[str]:
        return [choice.name for choice in match_action(choices, text)]

    assert names("reroll-at") == ["reroll-attack"]
    assert names("reroll-a") == ["reroll-agility", "reroll-attack", "reroll-agility-attack"]
    assert names("reroll-attack") == ["reroll-attack"]
    assert names("ch") == ["charge"]  # illegal, and there is no legal one
    assert names("1") == ["parry"]
    assert names("nonsense") == []
    assert names("") == []


def test_wrong_input_is_told_and_asked_again() -> None:
    text = play("\nnonsense\n77\naccept\nattack\nquit\n")
    assert "Type an action or a command" in text
    assert "'nonsense' is no action or command" in text
    assert "'77' is no action or command" in text
    assert "accept is not possible" in text
    assert "(KR-6: " in text
    assert [decision.action for decision in saved().decisions if decision.seat == 0][:1] == ["attack"]


def test_why_shows_the_rule() -> None:
    text = play("why accept\nwhy attack\nwhy\nquit\n")
    assert "accept is not possible" in text
    assert "KR-6 (ruling) Parry is not a legal action" in text
    assert "attack is legal" in text


def test_hint_of_the_heuristic_and_of_an_agent_with_probabilities() -> None:
    text = play("hint\nquit\n", "--hints", "random")
    assert "random would play attack 33%, defend 33%, charge 33%." in text
    Path("log.jsonl").unlink()
    assert "heuristic would play" in play("hint\nquit\n")


def test_help_show_rules_and_save() -> None:
    text = play("help\nshow\nrules\nrules KR-12\nrules xyzzy\nsave\nsave copy.jsonl\nsave no/where\nquit\n")
    assert "hint  " in text
    assert text.count("seat 0 is to act") == 2
    assert "kingmaker rules krig" in text
    assert "KR-12 (ruling)" in text
    assert "no rule of krig contains 'xyzzy'" in text
    assert "save needs a file name" in text
    assert "cannot write no/where: there is no folder no" in text
    assert saved("copy.jsonl") == saved()


def test_undo_goes_back_and_keeps_the_luck() -> None:
    moves = "attack\n" * 3
    straight = play(moves + "quit\n")
    first = saved()
    Path("log.jsonl").unlink()
    text = play("undo\nattack\nundo\ncharge\nundo\nundo\n" + moves + "quit\n")
    assert text.count("no earlier decision") == 2
    assert saved() == first
    assert straight.splitlines()[-8:-1] == text.splitlines()[-8:-1]


def test_undo_with_two_persons_returns_to_ones_own_decision() -> None:
    session = Session.begin(get_spec("krig"), None, 0, {}, None, [0, 1], ["random"])
    start = session.game.actor
    session.take("charge")
    session.take("charge")
    assert session.game.actor == start
    assert session.undo()
    assert (session.game.moves, len(session.log.decisions)) == (0, 0)


def test_end_of_input_saves() -> None:
    text = play("attack\n")
    assert "--resume log.jsonl" in text
    assert saved().decisions


def test_interrupt_saves(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = iter(["attack"])

    def read(prompt: str) -> str:
        for line in lines:
            return line
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", read)
    text = run("play", "krig", "--seed", "5", "--log", "log.jsonl", exit_code=130)
    assert text == "kingmaker: interrupted\n"
    assert saved().decisions


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
@pytest.mark.parametrize("number", [signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)])
def test_termination_saves(number: int) -> None:
    command = [sys.executable, "-c", "from kingmaker.cli import main; main()", "play", "krig"]
    with subprocess.Popen(
        [*command, "--seed", "5", "--log", "my log.jsonl"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("attack\n")
        process.stdin.flush()
        for line in process.stdout:
            if "(you) plays attack" in line:
                break
        process.send_signal(number)
        rest = process.stdout.read()
    assert process.returncode == 128 + number
    assert "kingmaker play --resume 'my log.jsonl'" in rest
    assert saved("my log.jsonl").decisions


# --- going on ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("opponents", ["heuristic", "random"])
def test_resumed_game_goes_on_as_it_would_have(opponents: str) -> None:
    play(ALL_FIRST, "--opponents", opponents)
    whole = saved()
    play_in_two = ["--opponents", opponents]
    run("play", "krig", "--seed", "5", "--log", "part.jsonl", *play_in_two, typed="0\n1\n2\n5\n" * 2)
    part = saved("part.jsonl")
    assert part.result is None
    own = sum(decision.seat == 0 for decision in part.decisions)
    rest = [d.action for d in whole.decisions if d.seat == 0][own:]
    run("play", "--resume", "part.jsonl", *play_in_two, typed="\n".join(rest) + "\n")
    assert saved("part.jsonl") == whole


def test_resume_into_another_file_with_undo_across_the_seam() -> None:
    play("attack\nattack\nquit\n")
    before = saved()
    run("play", "--resume", "log.jsonl", "--log", "more.jsonl", typed="undo\nundo\nattack\nattack\nquit\n")
    assert saved("more.jsonl") == before == saved()


def test_resume_of_a_finished_game_shows_the_result() -> None:
    play(ONE_BY_ONE + ALL_FIRST)
    assert "1. seat" in run("play", "--resume", "log.jsonl")


@pytest.mark.parametrize("more", [["krig"], ["--seed", "3"], ["--option", "hit_points=3"], ["--seats", "2"]])
def test_a_resumed_game_has_its_own_settings(more: list[str]) -> None:
    assert "with --resume" in run("play", *more, "--resume", "log.jsonl", exit_code=2)


def test_log_with_other_dice_is_not_resumed() -> None:
    play("attack\nquit\n")
    lines = Path("log.jsonl").read_text("utf-8").splitlines()
    header = json.loads(lines[0])
    header["seed"] += 1
    Path("log.jsonl").write_text("\n".join([json.dumps(header), *lines[1:]]) + "\n", "utf-8")
    run("replay", "log.jsonl")
    assert "replayed but not resumed" in run("play", "--resume", "log.jsonl", exit_code=2)


def test_log_that_starts_at_a_state_is_resumed() -> None:
    from kingmaker.envs.core.log import Start

    game = Game("krig", seed=4)
    game.apply("attack")
    state = game.save()
    action = game.legal_actions()[0]
    GameLog.of_play(game, Start(state=state), [action]).save("log.jsonl")
    run("play", "--resume", "log.jsonl", typed=ALL_FIRST)
    assert saved().result is not None
    assert "Verified" in run("replay", "log.jsonl")


# --- words -----------------------------------------------------------------------------------------------


def test_journal_puts_draws_behind_their_event() -> None:
    def draw(outcome: int) -> Happening:
        return Happening("chance", -1, (outcome, 6, 0), "")

    event = Happening("rolls", 0, (0, 0, 0), "seat 0 rolls")
    assert words.journal([draw(0), event, draw(3), draw(4), event]) == [
        "draws (1 of 6)",
        "seat 0 rolls (4 of 6, 5 of 6)",
        "seat 0 rolls",
    ]


def test_drawn_seeds_are_short() -> None:
    assert 0 <= play_command._seed(None) < 1_000_000
    assert play_command._seed(2**62) == 2**62


# --- replay -----------------------------------------------------------------------------------------------


def test_replay_up_to_a_decision() -> None:
    play(ONE_BY_ONE + ALL_FIRST)
    text = run("replay", "log.jsonl", "--to", "2")
    assert "2. seat" in text
    assert "3. seat" not in text
    assert "Verified" not in text


def test_replay_step_by_step() -> None:
    play(ONE_BY_ONE + ALL_FIRST)
    count = len(saved().decisions)
    whole = run("replay", "log.jsonl", "--step", typed="\n" * (count + 1))
    assert "Verified" in whole
    stopped = run("replay", "log.jsonl", "--step", typed="\n\n")
    assert "2. seat" in stopped
    assert "3. seat" not in stopped


def _damaged(line: int, **changes: object) -> None:
    lines = Path("log.jsonl").read_text("utf-8").splitlines()
    row = {**json.loads(lines[line - 1]), **changes}
    lines[line - 1] = json.dumps(row)
    Path("log.jsonl").write_text("\n".join(lines) + "\n", "utf-8")


@pytest.mark.parametrize(
    ("line", "changes"),
    [
        (1, {"num_players": 7}),
        (1, {"tables": "0" * 16}),
        (2, {"action": "accept"}),
        (2, {"seat": 9}),
        (3, {"chance": [0] * 9}),
        (3, {"action": "dance"}),
        (2, {"nonsense": 1}),
        (-1, {"ranks": [0, 0]}),
    ],
)
def test_replay_names_the_wrong_line(line: int, changes: dict[str, object]) -> None:
    play(ONE_BY_ONE + ALL_FIRST)
    if line < 0:
        line = len(saved().decisions) + 2
    _damaged(line, **changes)
    text = run("replay", "log.jsonl", exit_code=2)
    assert f"line {line}: " in text
    assert text.count("\n") == 1


@pytest.mark.parametrize("command", [["replay"], ["play", "--resume"]])
def test_a_file_that_is_no_log_is_named(command: list[str]) -> None:
    Path("notes.txt").write_text("hello\n", "utf-8")
    text = run(*command, "notes.txt", exit_code=2)
    assert text.startswith("kingmaker: notes.txt, line 1: ")
    assert text.count("\n") == 1


def test_session_refuses_a_log_that_contradicts_the_rules() -> None:
    play("attack\nquit\n")
    log = saved()
    log.decisions[0] = log.decisions[0].model_copy(update={"chance": [1]})
    with pytest.raises(LogError):
        Session.resume(log, None, [0], ["random"])


def test_agents_answer_alike_whenever_they_are_asked() -> None:
    session = Session.begin(get_spec("krig"), None, 11, {}, None, [0, 1], ["random"])
    agent = session.agent("random")
    answers = [session.ask(agent) for _ in range(5)]
    assert len(set(answers)) == 1
    assert np.isin(answers[0], session.game.legal_actions())
