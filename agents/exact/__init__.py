"""Krig solved: perfect play, its values, and what it makes of other agents.

* ``find_solution`` solves a game, or loads what was solved before (``store``);
* ``ExactAgent`` plays it, and is what ``load_agent("exact", "krig")`` returns (``agent``);
* ``exploit`` computes the value of a best response to any agent (``exploit``).

``layout`` numbers the positions, ``turns`` and ``rolls`` tell the rules, ``layer`` and ``solver`` iterate.
"""

from __future__ import annotations
