"""The leaderboard's plan: what it says of whom, and what is wrong with it before anything is played."""

from __future__ import annotations

import pytest

from kingmaker.agents import baselines
from kingmaker.benchmarks.leaderboard import PLAN, LeaderboardError, choose, read_plan
from kingmaker.envs.core.errors import KingmakerError
from kingmaker.envs.core.registry import all_specs, get_spec

DEFAULTS = """
[defaults]
agents = ["random", "heuristic"]
seeds = 10
seed = 0
chunk_games = 5
resamples = 20
"""


def plan_of(tmp_path, text):
    path = tmp_path / "plan.toml"
    path.write_text(text, "utf-8")
    return read_plan(path)


def with_agents(*names):
    quoted = ", ".join(f'"{name}"' for name in names)
    return DEFAULTS.replace('"random", "heuristic"', quoted)


# --- the package's own ------------------------------------------------------------------------------------


def test_every_game_at_every_seat_count_is_played_by_all_who_can():
    entries = choose(read_plan(PLAN))
    assert [(e.spec.id, e.num_players) for e in entries] == [
        (spec.id, seats) for spec in all_specs() for seats in spec.seats
    ]
    for entry in entries:
        names = [agent.rpartition("=")[2].partition(":")[0] for agent in entry.config.agents]
        assert names[:2] == ["random", "heuristic"]
        assert names.count("ismcts") == 3
        assert len(set(entry.config.agents)) == len(names)
        planned = {*entry.config.agents, *entry.left_out}
        assert {"exact", "baseline"} <= planned
        assert any(agent.startswith("sb3") for agent in planned)
        assert ("exact" in entry.config.agents) == entry.spec.name.startswith("krig")


# --- settings ---------------------------------------------------------------------------------------------


def test_a_later_override_wins_and_others_do_not_count(tmp_path):
    plan = plan_of(
        tmp_path,
        DEFAULTS
        + """
[[override]]
seats = [2, 3]
seeds = 20
resamples = 30
[[override]]
game = "kingsburg"
seats = [3]
seeds = 40
[[override]]
game = "kingmaker/krig-v0"
options = {hit_points = 9}
max_lineups = 7
""",
    )
    kingsburg, krig = get_spec("kingsburg"), get_spec("krig")
    three = plan.settings(kingsburg, 3)
    assert (three.seeds, three.resamples, three.options, three.max_lineups) == (40, 30, {}, 100)
    assert plan.settings(kingsburg, 4).seeds == 10
    two = plan.settings(krig, 2)
    assert (two.seeds, two.options, two.max_lineups) == (20, {"hit_points": 9}, 7)
    config = choose(plan, ["krig"])[0].config
    assert (config.games, config.options, config.max_lineups) == (2 * 20, {"hit_points": 9}, 7)


def test_games_and_seats_may_be_chosen(tmp_path):
    plan = plan_of(tmp_path, DEFAULTS)
    names = [e.folder for e in choose(plan, ["kingsburg", "kingsburg"], [2, 4])]
    assert names == ["kingsburg-2", "kingsburg-4"]


def test_seeds_are_counted_whoever_plays(tmp_path):
    """Four agents, and the three that Kingsburg has, at two seats: 6 and 3 line-ups by 2 rotations."""
    plan = plan_of(tmp_path, with_agents("random", "heuristic", "exact", "ismcts:3"))
    games = {e.spec.name: e.config.games for e in choose(plan, seats=[2], num_seeds=33)}
    assert (games["krig"], games["kingsburg"]) == (33 * 12, 33 * 6)


@pytest.mark.parametrize(
    ("games", "seats", "words"),
    [
        (["krig"], [3], "krig is for 2 seats"),
        ([], [9], "no game has 9 seats"),
        (["chess"], [], "chess"),
    ],
)
def test_what_does_not_exist_is_not_chosen(tmp_path, games, seats, words):
    with pytest.raises(KingmakerError, match=words):
        choose(plan_of(tmp_path, DEFAULTS), games, seats)


# --- agents that a game lacks -----------------------------------------------------------------------------


def test_agents_that_a_game_lacks_are_left_out_with_a_reason(tmp_path, monkeypatch):
    monkeypatch.setattr(baselines, "FOLDER", tmp_path)
    text = with_agents("random", "exact", "baseline", "mine=policy:" + str(tmp_path / "{game}-{seats}.pt"))
    (tmp_path / "krig-2.pt").write_bytes(b"weights")
    plan = plan_of(tmp_path, text)
    krig, kingsburg = (choose(plan, [game], [2])[0] for game in ("krig", "kingsburg"))
    assert krig.config.agents == ("random", "exact", f"mine=policy:{tmp_path / 'krig-2.pt'}")
    assert list(krig.left_out) == ["baseline"]
    assert "no trained baseline for 2 seats" in krig.left_out["baseline"]
    assert kingsburg.config.agents == ("random",)
    assert "kingsburg is not solved" in kingsburg.left_out["exact"]
    assert kingsburg.left_out["mine"] == f"there is no file {tmp_path / 'kingsburg-2.pt'}"


# --- wrong plans ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("nonsense", "is not a TOML file"),
        ("", "defaults: field required"),
        (DEFAULTS + "speed = 3", "defaults.speed: unknown setting"),
        (DEFAULTS.replace("seeds = 10", "seeds = 0"), "defaults.seeds"),
        (DEFAULTS.replace("seed = 0", "seed = -1"), "defaults.seed"),
        (DEFAULTS.replace('"random", "heuristic"', ""), "defaults.agents"),
        (DEFAULTS + '[[override]]\ngame = "chess"', r"override\.0\.game: .*chess"),
        (DEFAULTS + '[[override]]\ngame = "krig"\nseats = [2, 3]', "seats: 3 is no seat count of krig"),
        (DEFAULTS + "[[override]]\nseats = [9]", "seats: 9 is no seat count of any game"),
        (DEFAULTS + "[[override]]\nseats = []", r"override\.0\.seats"),
        (DEFAULTS + "[[override]]\nchunk_games = 0", r"override\.0\.chunk_games"),
    ],
)
def test_a_wrong_plan_says_where(tmp_path, text, words):
    with pytest.raises(KingmakerError, match=words) as caught:
        plan_of(tmp_path, text)
    assert "\n" not in str(caught.value)


def test_a_missing_plan_is_an_error(tmp_path):
    with pytest.raises(KingmakerError, match="cannot read"):
        read_plan(tmp_path / "none.toml")


@pytest.mark.parametrize(
    ("agents", "words"),
    [
        (["random", "heuristik"], "there is no agent 'heuristik'"),
        (["random", "ismcts:10,depth=3"], "depth"),
        (["random", "ismcts:many"], "many"),
        (["exact", "baseline"], "nobody in the plan plays kingsburg at 2 seats: .*not solved.*baseline"),
    ],
)
def test_agents_that_no_game_knows_are_errors(tmp_path, monkeypatch, agents, words):
    monkeypatch.setattr(baselines, "FOLDER", tmp_path)
    with pytest.raises(KingmakerError, match=words):
        choose(plan_of(tmp_path, with_agents(*agents)), ["kingsburg"], [2])


def test_options_are_checked_before_anything_is_played(tmp_path):
    plan = plan_of(tmp_path, DEFAULTS + "options = {hit_pionts = 3}")
    with pytest.raises(KingmakerError, match="hit_pionts"):
        choose(plan, ["krig"])


def test_the_errors_are_of_the_package():
    assert issubclass(LeaderboardError, KingmakerError)
