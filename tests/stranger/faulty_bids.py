"""Sealed Bids with one fault each: what the conformance suite must find.

The faults are meant for interpreted mode, where none takes time to compile.
"""

from __future__ import annotations

import dataclasses
import itertools
import json
from collections.abc import Callable
from typing import Any

import numpy as np
import sealed_bids
from findings import FINDINGS
from sealed_bids import rules
from sealed_bids.actions import MAX_BID, STOP
from sealed_bids.observation import features, observe
from sealed_bids.state import BID, STATE

from kingmaker.envs import testing
from kingmaker.envs.core.chance import below, seed_stream
from kingmaker.envs.core.kernel import JIT, kernel
from kingmaker.envs.core.loops import PURPOSE_GAME, TURN_ILLEGAL
from kingmaker.envs.core.record import record_dtype
from kingmaker.envs.core.registry import register_game
from kingmaker.envs.core.spec import Action, Feature, GameSpec, GameText, Option, Phase

SOUND = sealed_bids.SEALED_BIDS
FAULTY: dict[str, GameSpec] = {}


def faulty(name: str, facts: dict[str, Any] | None = None, **kernels: Callable[..., Any]) -> GameSpec:
    """Register the game with other kernels or facts under a name, and a state layout, of its own."""
    fields = [(field, STATE[field]) for field in STATE.names]
    own: dict[str, Any] = {
        "name": f"bids_{name}",
        "module": __name__,
        "state_dtype": record_dtype([*fields, (f"for_{name}", "i4")]),
        "rules": dataclasses.replace(SOUND.rules, **{k: kernel(f) for k, f in kernels.items()}),
        "_entries": {},
    }
    FAULTY[name] = register_game(dataclasses.replace(SOUND, **{**own, **(facts or {})}))
    return FAULTY[name]


def sabotaged(name: str, entry: str, wrap: Callable[[Callable[..., Any]], Callable[..., Any]]) -> None:
    """Register the game with one of its shared loops replaced, as a fault of the core would be."""
    spec = faulty(name)
    spec._entries[entry] = wrap(spec.entry(entry))


def after(function: Callable[..., Any], then: Callable[..., Any]) -> Callable[..., Any]:
    """Return a kernel that runs ``function`` and then spoils its work."""

    def run(*arguments):
        function(*arguments)
        then(*arguments)

    return run


# --- masks and ends -----------------------------------------------------------------------------------


def _too_much(state, tables, mask):
    if state.phase == BID:
        mask[: MAX_BID + 1] = 1


def _other_phase(state, tables, mask):
    mask[STOP] = 1


def _single(state, tables, mask):
    if state.phase == BID:
        mask[1:] = 0


def _impure(state, tables, mask):
    state.prize = 3 - state.prize


def _tells_secret(state, tables, mask):
    if state.phase == BID:
        mask[1] = state.seats[(state.actor + 1) % state.num_players].secret > 2


def _no_op(state, tables, action):
    if action != STOP:
        rules.apply(state, tables, action)


def _endless(state, tables, options, num_players, seed):
    state.max_rounds = 10_000


def _pointless(state, tables, action):
    for seat in range(state.num_players):
        state.seats[seat].points = 1


def _keeps_points(run):
    def start(states, *rest):
        before = states["seats"]["points"].copy()
        answer = run(states, *rest)
        states["seats"]["points"] = before
        return answer

    return start


def _no_ties(state, tables, ranks, scores):
    ranks[: state.num_players] = 0


faulty("mask_too_much", legal=after(rules.legal, _too_much))
faulty("mask_other_phase", legal=after(rules.legal, _other_phase))
faulty("mask_single", legal=after(rules.legal, _single))
faulty("mask_impure", legal=after(rules.legal, _impure))
faulty("mask_tells", legal=after(rules.legal, _tells_secret))
faulty("no_op", apply=_no_op)
faulty("endless", reset=after(rules.reset, _endless), apply=after(rules.apply, _pointless))
sabotaged("keeps_points", "start_game", _keeps_points)
faulty("short_bound", {"longest": lambda num_players, options: 3})
sabotaged("unfair_rewards", "game_returns", lambda run: after(run, lambda *a: a[-1].fill(1.0)))
sabotaged("unfair_ranks", "game_returns", lambda run: after(run, lambda *a: a[-3].fill(1)))

# --- views and hidden things --------------------------------------------------------------------------


def _leaky(state, tables, seat, out):
    out[3] = state.seats[(seat + 1) % state.num_players].secret / tables.secrets


def _early_bids(state, tables, seat, out):
    out[6 + 3 + 2] = state.seats[(seat + 1) % state.num_players].bid / MAX_BID


def _stale(state, tables, seat, out):
    before = out[4]
    observe(state, tables, seat, out)
    if state.pushes == 0:
        out[4] = before


def _keep_chance(state, tables, seat, seed):
    before = [state.chance[name] for name in ("a", "b", "c", "counter")]
    rules.redeal(state, tables, seat, seed)
    for name, value in zip(("a", "b", "c", "counter"), before, strict=True):
        state.chance[name] = value


def _peek(state, tables, seat, seed):
    real = int(state.chance.a)
    rules.redeal(state, tables, seat, seed)
    seed_stream(state.chance, (seed + real) % 2**62, PURPOSE_GAME)


def _lazy(state, tables, seat, seed):
    seed_stream(state.chance, seed, PURPOSE_GAME)


def _own_too(state, tables, seat, seed):
    state.seats[seat].coins += 1


def _narrow(num_players: int) -> tuple[Feature, ...]:
    return tuple(dataclasses.replace(f, high=0.1) if f.name == "prize" else f for f in features(num_players))


def _nameless(num_players: int) -> tuple[Feature, ...]:
    return tuple(dataclasses.replace(feature, meaning="") for feature in features(num_players))


faulty("leaky_view", observe=after(observe, _leaky))
faulty("early_bids", observe=after(observe, _early_bids))
faulty("stale_view", observe=_stale)
faulty("redeal_keeps_chance", redeal=_keep_chance)
faulty("redeal_peeks", redeal=_peek)
faulty("redeal_lazy", redeal=_lazy)
faulty("redeal_own_too", redeal=after(rules.redeal, _own_too))
faulty("narrow_bounds", {"features": _narrow})
faulty("heuristic_illegal", heuristic=lambda tables, observation, mask, stream: -1)

# --- chance and things outside the record -------------------------------------------------------------

_calls = itertools.count()


def _counter(state, tables, action):
    state.prize = 1 + pow(3, next(_calls), 101) % 4  # without a short period


def _global_generator(state, tables, action):
    state.prize = 1 + np.random.randint(tables.prizes)


def _own_chance(state, tables, action):
    state.prize = 1 + below(state.chance, tables.prizes)


def _hash_seed(state, tables, action):
    state.prize = 1 + hash("prize") % 30_000


def _mode(state, tables, action):
    state.prize = 1 + JIT


faulty("counter", apply=after(rules.apply, _counter))
faulty("global_generator", apply=after(rules.apply, _global_generator))
faulty("own_chance", apply=after(rules.apply, _own_chance))
faulty("hash_seed", apply=after(rules.apply, _hash_seed))

# --- facts --------------------------------------------------------------------------------------------


@kernel
def _apply_by_mode(state, tables, action):
    rules.apply(state, tables, action)
    state.prize = 1 + JIT


_GAPPED = np.dtype([*((n, STATE[n]) for n in STATE.names), ("x", "u1"), ("gapped", "i4")], align=True)
_LOW = Option("max_rounds", "rounds", int, 200, 1, 100)

faulty("by_mode", {"rules": dataclasses.replace(SOUND.rules, apply=_apply_by_mode)})
faulty("bad_name", {"actions": (Action("Bid 0", "bid nothing", "bid"), *SOUND.actions[1:])})
faulty("no_history", {"history": ()})
faulty("gapped", {"state_dtype": _GAPPED})
faulty("nameless_features", {"features": _nameless})
faulty("bad_default", {"options": (_LOW, SOUND.options[1])})
faulty("not_declared", {"phases": tuple(Phase(p.name, p.chooser, p.meaning) for p in SOUND.phases)})
faulty("no_reasons", {"text": GameText(SOUND.text.position, lambda state, tables, action: ("", ""))})

# --- faults of the core -------------------------------------------------------------------------------


def _moves_when_refused(run):
    def turn(states, *rest):
        answer = run(states, *rest)
        states["moves"] += answer == TURN_ILLEGAL
        return answer

    return turn


def _full_masks(run):
    def turn(*arguments):
        answer = run(*arguments)
        arguments[-1][:] = 1
        return answer

    return turn


sabotaged("refusal_moves", "take_turn", _moves_when_refused)
sabotaged("nothing_illegal", "first_illegal", lambda run: lambda *arguments: -1)
sabotaged("full_masks", "seats_step", _full_masks)
sabotaged("full_mask", "seat_turn", _full_masks)


def complaint(fault: str, check: str) -> str | None:
    """Return what a check says of a faulty game, ``None`` if it finds nothing."""
    case = testing.Case(FAULTY[fault], 3, games=10, invariant=sealed_bids.nobody_owes)
    try:
        testing.run_check(getattr(testing, check), case)
    except testing.ConformanceError as error:
        return str(error)
    return None


def main() -> None:
    """Print all findings as a line of JSON."""
    print(json.dumps([complaint(fault, check) for fault, check, _ in FINDINGS]))
