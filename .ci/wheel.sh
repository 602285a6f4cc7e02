#!/usr/bin/env bash
# Build the wheel, install it into a fresh virtual environment outside the checkout, and play a game there.
set -euo pipefail
python=$(realpath -s "$1")
root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" # away from the checkout's own build folder, which would shadow the module of that name
"$python" -m build --wheel --outdir "$work/dist" "$root" >"$work/build.log" 2>&1 || { cat "$work/build.log"; exit 1; }
"$python" -m venv "$work/venv"
"$work/venv/bin/pip" install -q "$(ls "$work"/dist/*.whl)[cli]"
export KINGMAKER_CACHE_DIR="$work/cache"
venv/bin/python - <<'PYTHON'
import importlib.util
import pathlib
import sys

import numpy as np
import pettingzoo

import kingmaker.envs

folder = pathlib.Path(kingmaker.envs.__file__).parents[1]
assert "site-packages" in str(folder), folder
assert "torch" not in sys.modules and importlib.util.find_spec("torch") is None
for spec in kingmaker.envs.all_specs():
    env = pettingzoo.make("aec", spec.id)
    env.reset(seed=1)
    rng = np.random.default_rng(1)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        over = terminated or truncated
        env.step(None if over else int(rng.choice(np.flatnonzero(observation["action_mask"]))))
    print("wheel: played", spec.id)
PYTHON
venv/bin/kingmaker list
venv/bin/kingmaker rules krig KR-12
echo "wheel: ok"
