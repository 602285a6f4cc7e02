"""Other libraries' games, played at random through their usual quick interface, to set ours beside.

A workload plays legal moves for a given wall time and reports the decisions applied. A decision is one move
of one player. Chance and resets take time and are not counted. The observation and the legal moves are read
before each decision, as our own side does; where a library offers no observation, the workload's `api` says
so. `workload` says how moves are chosen.

None of these libraries is needed by the package; one that is not installed is left out.
"""

from __future__ import annotations

from . import catanatron, envpool, openspiel, pettingzoo, pgx, pufferlib, rlcard
from .workload import Peer, Workload

__all__ = ["PEERS", "Workload", "installed", "missing"]

PEERS: tuple[Peer, ...] = (
    pettingzoo.PEER,
    openspiel.PEER,
    rlcard.PEER,
    pgx.PEER,
    pufferlib.PEER,
    catanatron.PEER,
    envpool.PEER,
)


def installed() -> list[Workload]:
    """Lists what can be run here.

    Returns:
        The workloads of every library that is present. No library is imported for it; that is left to
        `Workload.make`.
    """
    return [workload for peer in PEERS if peer.installed() for workload in peer.workloads()]


def missing() -> dict[str, str]:
    """Lists what is not here.

    Returns:
        From the library to what `pip install` needs to be given for it.
    """
    return {peer.library: peer.pip for peer in PEERS if not peer.installed()}
