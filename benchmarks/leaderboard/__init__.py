"""The leaderboard: one tournament for every game and seat count, and what decides the games.

A plan (``plan.toml``) says who plays and how much; each game and seat count is a tournament in a folder of
its own, which a killed run goes on with. Beside ratings, cross-tables and thinking times stands how much of
winning is skill, seat and luck (``shares``).

    from pathlib import Path
    from kingmaker.benchmarks.leaderboard import PLAN, choose, read_plan, run_leaderboard

    run_leaderboard(choose(read_plan(PLAN), ["krig"]), Path("runs/leaderboard"))
"""

from __future__ import annotations

from kingmaker.benchmarks.leaderboard.choose import choose
from kingmaker.benchmarks.leaderboard.errors import LeaderboardError
from kingmaker.benchmarks.leaderboard.plan import PLAN, Plan, read_plan
from kingmaker.benchmarks.leaderboard.run import run_leaderboard

__all__ = ["PLAN", "LeaderboardError", "Plan", "choose", "read_plan", "run_leaderboard"]
