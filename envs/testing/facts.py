"""Checks of what a game declares: names, words, features, options."""

from __future__ import annotations

import pickle
import re
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from kingmaker.envs.core.errors import KingmakerError, OptionError
from kingmaker.envs.core.game import Game
from kingmaker.envs.core.record import gaps
from kingmaker.envs.core.spec import Option
from kingmaker.envs.testing.case import Case, play_out

KEBAB = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def check_names(case: Case) -> None:
    """Names are unique and well formed, and everything declared is put into words."""
    spec = case.spec
    phases = [phase.name for phase in spec.phases]
    for kind, names in (("action", [a.name for a in spec.actions]), ("event", [e.name for e in spec.events])):
        _distinct(case, kind, names)
        for name in names:
            case.expect(KEBAB.fullmatch(name), f"{kind} name {name!r} is not lower case with dashes")
    _distinct(case, "phase", phases)
    for action in spec.actions:
        case.expect(action.meaning.strip(), f"action {action.name!r} has no meaning")
        case.expect(action.phase in phases, f"action {action.name!r} is of an unknown phase {action.phase!r}")
    for phase in spec.phases:
        case.expect(phase.meaning.strip() and phase.chooser.strip(), f"phase {phase.name!r} is not explained")
        used = any(action.phase == phase.name for action in spec.actions)
        case.expect(used, f"phase {phase.name!r} has no action")
    for event in spec.events:
        case.expect(event.text.format(seat=0, a=1, b=2, c=3).strip(), f"event {event.name!r} has no text")
    case.expect(spec.hidden.strip(), "what is hidden is not said")


def check_registration(case: Case) -> None:
    """The spec survives pickling, has its pages, and refuses seat counts that it lacks."""
    spec = case.spec
    case.expect(pickle.loads(pickle.dumps(spec)) is spec, "the spec does not unpickle to itself")
    case.expect((Path(spec.file).parent / spec.rulebook).is_file(), f"there is no {spec.rulebook}")
    case.expect(spec.version in dict(spec.history), f"the history does not speak of version {spec.version}")
    case.expect(list(spec.seats) == sorted(set(spec.seats)), "seat counts are not ascending")
    wrong = [0, -1, max(spec.seats) + 1]
    for count in wrong:
        try:
            Game(spec, count, seed=0)
        except OptionError as error:
            case.expect(str(count) in str(error), f"the error for {count} seats does not name the count")
        else:
            case.expect(False, f"num_players={count} is accepted, though the seats are {spec.seats}")


def check_records(case: Case) -> None:
    """The records have no gaps, so that equal states are equal bytes, and options go where they are read."""
    spec = case.spec
    for name in ("state_dtype", "tables_dtype", "options_dtype"):
        found = ", ".join(gaps(getattr(spec, name)))
        case.expect(not found, f"{name} has gaps ({found}); make it with record_dtype")
    fields = set(spec.options_dtype.names or ())
    for option in spec.options:
        case.expect(option.table or option.name in fields, f"option {option.name!r} reaches neither record")


def check_features(case: Case) -> None:
    """Features are named, explained and bounded, and their slices cover the vector."""
    features = case.spec.features(case.num_players)
    _distinct(case, "feature", [feature.name for feature in features])
    for feature in features:
        case.expect(feature.meaning.strip(), f"feature {feature.name!r} has no meaning")
        case.expect(feature.size >= 1, f"feature {feature.name!r} is empty")
        bounded = np.isfinite([feature.low, feature.high]).all() and feature.low <= feature.high
        case.expect(bounded, f"feature {feature.name!r} has the bounds {feature.low}..{feature.high}")
    covered = [
        i for part in case.spec.slices(case.num_players).values() for i in range(part.start, part.stop)
    ]
    size = case.game(case.seed).observe(0).size
    case.expect(covered == list(range(size)), "the feature slices do not cover the vector once, in order")


def check_options(case: Case) -> None:
    """Options are explained and guarded, and each plays a game at either bound."""
    _distinct(case, "option", [option.name for option in case.spec.options])
    for option in case.spec.options:
        case.expect(option.name.isidentifier(), f"option {option.name!r} cannot be written as a keyword")
        case.expect(option.meaning.strip(), f"option {option.name!r} has no meaning")
        case.expect(option.check(option.default) == option.default, f"{option.name!r}: impossible default")
        for value in _wrong_values(option):
            _refused(case, {option.name: value})
        for value in (False, True) if option.type is bool else (option.low, option.high):
            _playable(case, option, value)
    _refused(case, {"no_such_option": 1})


def _wrong_values(option: Option) -> list[object]:
    if option.type is bool:
        return [1, "yes", 0.0]
    return [option.low - 1, option.high + 1, True, float(option.low), str(option.low)]


def _refused(case: Case, options: dict[str, object]) -> None:
    try:
        case.spec.check_options(options)
    except OptionError:
        return
    case.expect(False, f"the options {options!r} are accepted")


def _playable(case: Case, option: Option, value: object) -> None:
    """Play with one option at ``value``; a data file may refuse what does not go with its other figures."""
    options = {**case.options, option.name: value}
    bound = Case(case.spec, case.num_players, options, seed=case.seed, invariant=case.invariant)
    try:
        game = bound.game(case.seed)
    except KingmakerError as error:
        case.expect(str(error).strip(), f"{option.name}={value!r} is refused without a word")
        return
    play_out(bound, game, bound.rng(0))
    bound.holds(game)


def _distinct(case: Case, kind: str, names: Iterable[str]) -> None:
    names = list(names)
    twice = sorted({name for name in names if names.count(name) > 1})
    case.expect(not twice and all(names), f"{kind} names are missing or not unique: {twice}")
