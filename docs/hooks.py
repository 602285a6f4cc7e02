"""Pages made from the games when the site is built: one per game, one per rulebook, an overview."""

from __future__ import annotations

import inspect
import sys
from collections import defaultdict
from importlib import import_module
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))  # the map from rules to the tests that prove them

import rule_map  # noqa: E402

import kingmaker.envs  # noqa: E402
from kingmaker.cli import facts  # noqa: E402
from kingmaker.envs.core.rulebook import Rule, read_rulebook, rulebook_path  # noqa: E402
from kingmaker.envs.core.spec import GameSpec  # noqa: E402

USAGE = """
import gymnasium
import numpy as np
import pettingzoo
import kingmaker.envs  # registers the games

# All seats, PettingZoo AEC.
env = pettingzoo.make("aec", "{spec.id}")
env.reset(seed=1)
rng = np.random.default_rng(1)
for agent in env.agent_iter():
    observation, reward, terminated, truncated, info = env.last()
    if terminated or truncated:
        action = None
    else:
        action = int(rng.choice(np.flatnonzero(observation["action_mask"])))
    env.step(action)

# One seat, Gymnasium.
env = gymnasium.make("{spec.gym_id}", opponents=["heuristic"], seat="random")
observation, info = env.reset(seed=1)
over = False
while not over:
    action = int(rng.choice(np.flatnonzero(info["action_mask"])))
    observation, reward, terminated, truncated, info = env.step(action)
    over = terminated or truncated
"""


def usage(spec: GameSpec) -> str:
    """Return the usage example of a game's page; a test runs it for every game."""
    return USAGE.format(spec=spec).strip()


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).replace("|", "\\|")


def table(sheet: facts.Sheet) -> str:
    """Return a sheet as a Markdown table."""
    lines = ["| " + " | ".join(sheet.header) + " |", "|" + "---|" * len(sheet.header)]
    lines += ["| " + " | ".join(map(_cell, row)) + " |" for row in sheet.rows]
    return "\n".join(lines)


def game_page(spec: GameSpec) -> str:
    """Return a game's page: docstring, usage, and the tables of its spec."""
    prose = inspect.getdoc(import_module(spec.module)) or ""
    title = f"# {spec.title}"
    sections = [
        ("Facts", table(facts.facts(spec))),
        ("Usage", f"```python\n{usage(spec)}\n```"),
        ("Phases", table(facts.phases(spec))),
        *(
            (f"Observation, {seats} seats", table(facts.observation(spec, seats)))
            for seats in _distinct_seats(spec)
        ),
        ("Actions", table(facts.actions(spec))),
        ("Mask", "int8, 1 for a legal action; `describe()` names the rule that forbids each of the others."),
        ("Rewards", table(facts.rewards())),
        ("Options", table(facts.options(spec))),
        ("Journal", table(facts.events(spec))),
        ("Version history", table(facts.history(spec))),
    ]
    return "\n\n".join([title, prose, *(f"## {name}\n\n{body}" for name, body in sections)])


def _distinct_seats(spec: GameSpec) -> list[int]:
    """Return the smallest seat count of each observation size."""
    sizes: dict[int, int] = {}
    for seats in spec.seats:
        sizes.setdefault(spec.observation_size(seats), seats)
    return list(sizes.values())


def rules_page(spec: GameSpec) -> str:
    """Return a game's rulebook with the tests that prove each rule."""
    tests = defaultdict(list)
    for proof in rule_map.find_all_proofs(ROOT / "tests"):
        tests[proof.rule].append(proof.test)
    text = rulebook_path(spec).read_text("utf-8")
    rules = read_rulebook(spec)
    head = "| rule | section | status | tests |\n|---|---|---|---|"
    rows = "\n".join(_map_row(rule, tests[rule.id]) for rule in rules)
    return f"{text}\n\n## Which test proves which rule\n\n{head}\n{rows}\n"


def _map_row(rule: Rule, tests: list[str]) -> str:
    return f"| {rule.id} | {rule.section} | {rule.status} | {'<br>'.join(f'`{t}`' for t in tests)} |"


def overview_page() -> str:
    """Return the list of games."""
    return f"# Games\n\n{table(facts.games(kingmaker.envs.all_specs('kingmaker')))}\n"


def on_files(files: Files, config: Any) -> Files:
    """Add the generated pages to the site."""
    pages = {"games/index.md": overview_page()}
    for spec in kingmaker.envs.all_specs("kingmaker"):
        pages[f"games/{spec.name}.md"] = game_page(spec)
        folder = Path(spec.file).parent.name
        pages[f"rules/{folder}.md"] = rules_page(spec)
    for path, content in pages.items():
        files.append(File.generated(config, path, content=content))
    return files
