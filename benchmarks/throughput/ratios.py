"""Our rates over those of other libraries, taken round by round within one run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kingmaker.benchmarks.throughput import ours
from kingmaker.benchmarks.throughput.report import Rate, Ratio

ONE_THREAD = ours.batch_api(1, ours.BATCH)
TWO_THREADS = ours.batch_api(2, ours.LARGE_BATCH)

# The interface of ours that does for its user what a peer's does. Pgx, PufferLib and EnvPool play many games
# in a call; the first two may use every core, and so is ours that stands beside Pgx. A name of the form
# "library" is for all interfaces of a library, "library: api" for one.
COUNTERPARTS = {
    "PettingZoo": ours.AEC_ENV,
    "PettingZoo: AEC, raw_env()": ours.AEC_RAW,
    "OpenSpiel": ours.AEC_ENV,
    "RLCard": ours.AEC_ENV,
    "Catanatron": ours.AEC_ENV,
    "Pgx": TWO_THREADS,
    "PufferLib": ours.VECTOR,
    "EnvPool": ours.VECTOR,
}


def counterpart(peer: Rate) -> str | None:
    """Return the name of our interface to set beside a peer's, if one is known."""
    return COUNTERPARTS.get(f"{peer.library}: {peer.api}", COUNTERPARTS.get(peer.library))


def ratios(rates: Sequence[Rate]) -> list[Ratio]:
    """Return for each peer and each of our games the like-for-like ratio, and our batch on one thread."""
    our_rates = [rate for rate in rates if rate.game is not None]
    found = []
    for peer in rates:
        if peer.game is not None:
            continue
        for rate in our_rates:
            for api, like in _wanted(peer):
                if rate.api == api:
                    found.append(_ratio(rate, peer, like))
    return found


def _wanted(peer: Rate) -> Iterator[tuple[str, bool]]:
    api = counterpart(peer)
    if api is not None:
        yield api, True
    yield ONE_THREAD, False


def _ratio(our: Rate, peer: Rate, like: bool) -> Ratio:
    return Ratio(
        name=our.name,
        api=our.api,
        peer=f"{peer.library} {peer.name}: {peer.api}",
        like_for_like=like,
        rounds=[a / b for a, b in zip(our.rates, peer.rates, strict=True)],
    )
