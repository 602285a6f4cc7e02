#!/usr/bin/env bash
# The tests that need no torch, on every other supported Python that is present.
set -euo pipefail
cd "$(dirname "$0")/.."

# Print an interpreter of the given version: one on the PATH, or one that pyenv keeps.
interpreter() {
    if "python$1" -c "" 2>/dev/null; then
        command -v "python$1"
    elif command -v pyenv >/dev/null && release=$(pyenv latest "$1" 2>/dev/null); then
        echo "$(pyenv prefix "$release")/bin/python"
    fi
}

for version in ${VERSIONS:-3.10 3.12 3.13}; do
    python=$(interpreter "$version")
    if [ -z "$python" ]; then
        echo "Python $version: not present, left out"
        continue
    fi
    echo "Python $version: $python"
    venv="build/venv-$version"
    "$python" -m venv "$venv"
    "$venv/bin/python" -m pip install -q --upgrade pip
    "$venv/bin/python" -m pip install -q -e '.[benchmarks,test]'
    "$venv/bin/python" -m pytest -q -n 2 tests
done
