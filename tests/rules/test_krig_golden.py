"""Golden games: logs in ``tests/golden/krig``, each with a page of the same name that says what happens.

The pages were written by hand, from the rulebook; the logs hold the same moves. A change of either needs a
reason in the rules.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest
from helpers_krig import defence, hit_points, legal, tokens, wins

from kingmaker.envs.core.game import Game
from kingmaker.envs.core.log import GameLog
from kingmaker.envs.core.registry import get_spec
from kingmaker.envs.core.rulebook import read_rulebook

FOLDER = Path(__file__).parents[1] / "golden" / "krig"
NAMES = sorted(path.stem for path in FOLDER.glob("*.jsonl"))
GAMES = ("krig", "krig_intervention")


class Row(NamedTuple):
    """A line of a page's table."""

    move: str
    hit_points: str
    defence: str
    tokens: str
    wins: str
    shows: str


def rows(name: str) -> list[Row]:
    lines = (FOLDER / f"{name}.md").read_text("utf-8").splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    return [Row(*cell) for cell in cells[2:]]  # below the heading and its rule


def pair(values: tuple[int, int]) -> str:
    return f"{values[0]} {values[1]}"


def shown(game: Game, move: str, shows: str) -> Row:
    boards = (pair(part(game)) for part in (hit_points, defence, tokens, wins))
    return Row(move, *boards, shows)


def move_of(words: str, chance: list[int]) -> str:
    return " ".join([words, *(str(outcome + 1) for outcome in chance)])


@pytest.mark.parametrize("name", NAMES)
def test_log_replays_as_its_page_says(name: str) -> None:
    log, page = GameLog.load(FOLDER / f"{name}.jsonl"), rows(name)
    assert len(page) == len(log.decisions) + 1
    for row, (decision, game) in zip(page, log.replay(), strict=True):
        words, chance = ("start", log.header.chance)
        if decision is not None:
            words, chance = f"{decision.seat} {decision.action}", decision.chance
        assert shown(game, move_of(words, chance), row.shows) == row
    assert game.over
    assert log.result is not None
    ranks, scores = pair(tuple(log.result.ranks)), pair(tuple(map(int, log.result.scores)))
    end = f"Result: ranks {ranks}, scores {scores}{', truncated' * log.result.truncated}."
    assert (FOLDER / f"{name}.md").read_text("utf-8").rstrip().endswith(end)
    assert game.truncated == log.result.truncated


@pytest.mark.parametrize("name", NAMES)
def test_page_cites_rules_that_exist(name: str) -> None:
    known = {rule.id for rule in read_rulebook(get_spec("krig"))}
    cited = re.findall(r"KR-\d+", (FOLDER / f"{name}.md").read_text("utf-8"))
    assert cited
    assert set(cited) <= known


@pytest.mark.rule("KR-42", "KR-41", "KR-43")
def test_ban_of_the_broken_guard_game() -> None:
    """After the failed parry seat 0's next turn is barred from defend, through an accepted hit."""
    positions = GameLog.load(FOLDER / "intervention_broken_guard.jsonl").replay()
    barred = [game.moves for _, game in positions if game.phase == "act" and "defend" not in legal(game)]
    assert barred == [16]


def seen(game_name: str) -> dict[str, set[str]]:
    """Return the actions, phases and events that a game's golden logs show."""
    found: dict[str, set[str]] = {"actions": set(), "phases": set(), "events": set()}
    for name in NAMES:
        log = GameLog.load(FOLDER / f"{name}.jsonl")
        if get_spec(log.header.game).name != game_name:
            continue
        for decision, game in log.replay():
            found["actions"].update([decision.action] if decision else [])
            found["phases"].add(game.phase)
            found["events"].update(happening.name for happening in game.journal())
    return found


@pytest.mark.parametrize("game_name", GAMES)
def test_no_action_phase_or_event_is_without_a_golden_game(game_name: str) -> None:
    spec, found = get_spec(game_name), seen(game_name)
    assert found["actions"] == {action.name for action in spec.actions}
    assert found["phases"] == {phase.name for phase in spec.phases} | {"over"}
    # The base game has neither tokens nor guard breaks; all other kinds of event belong to both.
    missing = {"token-spent", "guard-broken"} if game_name == "krig" else set()
    assert found["events"] == {event.name for event in spec.events} - missing | {"chance"}
