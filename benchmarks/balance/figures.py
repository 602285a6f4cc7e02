"""The figures of a balance report, computed from a sample of games."""

from __future__ import annotations

from typing import Any

import numpy as np

from kingmaker.benchmarks.balance.config import BalanceError
from kingmaker.benchmarks.balance.sample import Sample
from kingmaker.envs.core.spec import Tally

_QUANTILES = {"5 %": 0.05, "median": 0.5, "95 %": 0.95}
NORMAL_95 = 1.959964  # half the width of a 95 % interval, in standard errors
_DIGITS = 4


def summarise(sample: Sample) -> dict[str, Any]:
    """Return everything the report tells of one agent's games; JSON types only.

    Raises:
        BalanceError: if figures that claim to be the parts of the score do not add up to it.
    """
    return {
        "games": len(sample.decisions),
        "truncated": _number(sample.truncated.mean()),
        "decisions": _spread(sample.decisions),
        "score": _spread(sample.scores),
        "winning score": _spread(sample.scores[sample.wins > 0]),
        "seats": [_seat(sample, seat) for seat in range(sample.wins.shape[1])],
        "tallies": [_tally(sample, tally) for tally in sample.tallies],
    }


def _spread(values: np.ndarray) -> dict[str, float] | None:
    if not values.size:
        return None
    quantiles = {name: _number(np.quantile(values, q)) for name, q in _QUANTILES.items()}
    return {"mean": _number(values.mean()), "sd": _number(values.std()), **quantiles}


def _seat(sample: Sample, seat: int) -> dict[str, float]:
    wins = sample.wins[:, seat]
    reach = NORMAL_95 * wins.std(ddof=1) / np.sqrt(len(wins))
    return {
        "win share": _number(wins.mean()),
        "low": _number(wins.mean() - reach),
        "high": _number(wins.mean() + reach),
        "score": _number(sample.scores[:, seat].mean()),
    }


def _tally(sample: Sample, tally: Tally) -> dict[str, Any]:
    values = tally.values.astype(np.float64)
    if tally.parts and not np.allclose(values.sum(axis=2), sample.scores):
        raise BalanceError(f"{tally.title}: the parts of a score do not add up to it")
    total = values.sum(axis=2).mean()
    return {
        "title": tally.title,
        "parts": tally.parts,
        "rows": [
            {
                "name": name,
                "mean": _number(values[:, :, i].mean()),
                **({"share": _number(values[:, :, i].mean() / total)} if tally.parts and total else {}),
                **_company(sample.wins, values[:, :, i]),
            }
            for i, name in enumerate(tally.names)
        ],
    }


def _company(wins: np.ndarray, values: np.ndarray) -> dict[str, float | None]:
    """Return a figure's mean among winners, how many seats have it, and their and the others' win shares."""
    have = values != 0
    return {
        "winners' mean": _number((wins * values).sum() / wins.sum()) if wins.any() else None,
        "seats with it": _number(have.mean()),
        "win share with": _number(wins[have].mean()) if have.any() else None,
        "win share without": _number(wins[~have].mean()) if not have.all() else None,
    }


def _number(value: Any) -> float:
    return round(float(value), _DIGITS)
