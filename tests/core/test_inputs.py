"""Wrong input of every kind is one of our errors, and never another exception."""

from __future__ import annotations

import base64
import json

import numpy as np
import pydantic
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kingmaker.envs.core.aec import AECGame
from kingmaker.envs.core.datafile import Table, read_table, tables_hash
from kingmaker.envs.core.errors import LogError, OptionError, TableError
from kingmaker.envs.core.game import Game
from kingmaker.envs.core.log import GameLog, Start
from kingmaker.envs.core.record import gaps, record_dtype
from kingmaker.envs.core.spec import check_reward, check_seed
from kingmaker.envs.core.tape import switch_journal
from kingmaker.envs.krig import KRIG, KRIG_INTERVENTION

LENIENT = settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
anything = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.binary(max_size=5)
)


# --- options and seeds --------------------------------------------------------------------------------


def fits(name, value) -> bool:
    """Return whether an option of Krig has such a value, said in another way."""
    option = {option.name: option for option in KRIG_INTERVENTION.options}.get(name)
    return option is not None and type(value) is option.type and option.low <= value <= option.high


@LENIENT
@given(st.sampled_from([o.name for o in KRIG_INTERVENTION.options] + ["nonsense"]), anything)
def test_an_option_is_in_range_or_refused(name, value):
    try:
        checked = KRIG_INTERVENTION.check_options({name: value})
    except OptionError:
        assert not fits(name, value)
    else:
        assert fits(name, value) or value is None
        option = next(option for option in KRIG_INTERVENTION.options if option.name == name)
        assert type(checked[name]) is option.type
        assert option.low <= checked[name] <= option.high


@LENIENT
@given(anything)
def test_a_seed_is_in_range_or_refused(value):
    try:
        assert 0 <= check_seed(value) < 2**63
    except OptionError:
        assert value is not None
    else:
        assert value is None or type(value) is int


def test_reward_modes_are_named_in_the_error():
    with pytest.raises(OptionError, match="win, placement, score"):
        check_reward("points")


# --- data files ---------------------------------------------------------------------------------------


class Small(Table):
    sides: int
    inner: dict[str, int] = pydantic.Field(default_factory=dict)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("sides = 6\nunknown = 1", "unknown"),
        ("sides = '6'", "sides"),
        ("sides = 6.5", "sides"),
        ("", "sides"),
        ("sides = ", "not a TOML file"),
        ("sides = 1\nsides = 2", "not a TOML file"),
    ],
)
def test_a_wrong_data_file_says_where(tmp_path, text, words):
    path = tmp_path / "small.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(TableError, match=words):
        read_table(Small, path)


def test_an_unreadable_data_file_says_which(tmp_path):
    with pytest.raises(TableError, match="cannot read"):
        read_table(Small, tmp_path / "missing.toml")
    with pytest.raises(TableError, match="cannot read"):
        read_table(Small, tmp_path)
    (tmp_path / "latin.toml").write_bytes(b"sides = 6 # \xff")
    with pytest.raises(TableError, match="not a TOML file"):
        read_table(Small, tmp_path / "latin.toml")
    with pytest.raises(TableError):
        AECGame("krig", tables=tmp_path / "missing.toml")


def test_overrides_reach_nested_entries(tmp_path):
    path = tmp_path / "small.toml"
    path.write_text("sides = 6\n[inner]\na = 1", "utf-8")
    assert read_table(Small, path, {"inner.a": 2, "sides": 4}) == Small(sides=4, inner={"a": 2})
    with pytest.raises(TableError):
        read_table(Small, path, {"sides.deeper": 1})


def test_the_tables_hash_knows_figures_and_not_the_tape():
    tables, other = KRIG.configure({})[0], KRIG.configure({"attack_die": 8})[0]
    assert tables_hash(tables) != tables_hash(other)
    before = tables_hash(tables)
    switch_journal(tables, True)
    assert tables_hash(tables) == before


# --- records ------------------------------------------------------------------------------------------


@LENIENT
@given(st.lists(st.sampled_from(["u1", "i2", "i4", "i8", "f4"]), min_size=1, max_size=8))
def test_records_have_no_gaps(kinds):
    fields = [(f"field_{number}", kind) for number, kind in enumerate(kinds)]
    dtype, plain = record_dtype(fields), np.dtype(fields, align=True)
    assert not list(gaps(dtype))
    assert dtype.itemsize == plain.itemsize
    assert [dtype.fields[name][1] for name, _ in fields] == [plain.fields[name][1] for name, _ in fields]
    assert bool(list(gaps(plain))) == (plain.itemsize > sum(plain[name].itemsize for name, _ in fields))


def test_gaps_of_nested_records_are_found():
    inner = np.dtype([("a", "u1"), ("b", "i4")], align=True)
    assert list(gaps(record_dtype([("seats", inner, (2,))]))) == ["before seats.b"]


# --- saved states and logs ----------------------------------------------------------------------------


@LENIENT
@given(st.binary(max_size=2 * KRIG.state_dtype.itemsize))
def test_bytes_of_another_size_are_no_state(saved):
    game = Game("krig", seed=0)
    if len(saved) != KRIG.state_dtype.itemsize:
        with pytest.raises(ValueError, match="a saved krig game has"):
            game.load(saved)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("actor", -1),
        ("actor", 2),
        ("over", 3),
        ("num_players", 3),
        ("phase", 2),
        ("choosing", 4),
        ("moves", -1),
    ],
)
def test_a_state_with_an_impossible_header_is_refused(name, value):
    game = Game("krig", seed=0)
    wrong = game.clone()
    wrong.states[name] = value
    before = game.save()
    with pytest.raises(ValueError, match=f"{name} {value}"):
        game.load(wrong.save())
    assert game.save() == before


@LENIENT
@given(
    st.dictionaries(st.sampled_from(["game", "state", "agents", "reason", "rewards", "episodes"]), anything)
)
def test_garbage_is_no_saved_environment(garbage):
    env = AECGame("krig")
    env.reset(seed=0)
    with pytest.raises(OptionError, match="not a saved state"):
        env.load_state({**env.save_state(), "state": b"", **garbage})


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A finished game's log as bytes, its file, and its result."""
    env = AECGame("krig_intervention", games=1)
    env.reset(seed=4)
    while not any(env.terminations.values()):
        env.step(int(env.last()[0]["action_mask"].argmax()))
    path = tmp_path_factory.mktemp("logs") / "game.jsonl"
    env.log().save(path)
    return path, path.read_bytes(), list(env.log().lines())


def replays(path) -> bool:
    """Return whether a log loads and replays; anything but ``LogError`` is a failure of the test."""
    try:
        for _ in GameLog.load(path).replay():
            pass
    except LogError:
        return False
    return True


@LENIENT
@given(st.data())
def test_a_log_with_a_changed_byte_is_refused_or_says_the_same(played, data):
    path, content, lines = played
    at = data.draw(st.integers(0, len(content) - 1))
    changed = bytearray(content)
    changed[at] = data.draw(st.integers(0, 255))
    other = path.with_name("changed.jsonl")
    other.write_bytes(bytes(changed))
    if replays(other):
        log = GameLog.load(other)
        decided = [(d.seat, d.action, d.chance) for d in log.decisions]
        original = [json.loads(line) for line in lines[1 : 1 + len(decided)]]
        kept = decided == [(row["seat"], row["action"], row["chance"]) for row in original]
        # What may change unseen: the seed (chance stands in the log), a draw that the rules do not
        # tell apart, and blank space.
        assert kept or len(decided) == len(lines) - 2


@LENIENT
@given(st.data())
def test_a_log_cut_short_is_refused_or_a_prefix(played, data):
    path, content, lines = played
    length = data.draw(st.integers(0, len(content)))
    other = path.with_name("short.jsonl")
    other.write_bytes(content[:length])
    if replays(other):
        kept = list(GameLog.load(other).lines())
        assert kept == lines[: len(kept)]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"game": "kingmaker/chess-v0"}, "there is no game"),
        ({"game": "antigravity:krig"}, "game: String should match"),
        ({"num_players": 5}, "seats"),
        ({"options": {"hit_points": 5000}}, "hit_points"),
        ({"options": {"magic": 1}}, "magic"),
        ({"tables": "0" * 16}, "another data file"),
        ({"seed": -1}, "seed"),
        ({"seed": 2**70}, "seed"),
        ({"state": "!!"}, "does not start"),
        ({"state": base64.b64encode(b"short").decode()}, "damaged"),
        ({"state": base64.b64encode(bytes(500)).decode()}, "damaged"),
        ({"chance": []}, "script"),
        ({"chance": [2**40]}, "does not start"),
        ({"kingmaker_log": 99}, "format 99"),
    ],
)
def test_a_wrong_header_says_what_is_wrong(played, tmp_path, change, words):
    _, _, lines = played
    path = tmp_path / "wrong.jsonl"
    path.write_text("\n".join([json.dumps({**json.loads(lines[0]), **change}), *lines[1:]]), "utf-8")
    with pytest.raises(LogError, match=words):
        list(GameLog.load(path).replay())


def test_a_log_from_the_middle_is_guarded_against_damage(tmp_path):
    game = Game("krig", seed=1)
    game.apply("attack")
    path = tmp_path / "middle.jsonl"
    GameLog.of_play(game, Start(state=game.save()), game.legal_actions()[:1]).save(path)
    content = path.read_bytes()
    start = content.index(b'"state"') + 10
    for at in range(start, start + 80):
        path.write_bytes(content[:at] + (b"A" if content[at : at + 1] != b"A" else b"B") + content[at + 1 :])
        assert not replays(path)


@pytest.mark.parametrize("tail", ["{}", '{"seat": 0}', "null", "[]", '"ranks"', '{"ranks": "x"}', "\x00"])
def test_a_line_after_the_end_is_refused(played, tmp_path, tail):
    _, content, lines = played
    path = tmp_path / "long.jsonl"
    path.write_bytes(content + tail.encode())
    with pytest.raises(LogError, match=f"line {len(lines) + 1}"):
        GameLog.load(path)


def test_a_log_of_a_game_under_way_has_no_result():
    game = Game("krig", seed=3)
    log = GameLog.of_play(game, Start(seed=3), [])
    assert log.result is None
    assert [replayed.moves for _, replayed in log.replay()] == [0]
