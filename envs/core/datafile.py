"""Reading a game's TOML data file: printed figures as data, validated before any rule sees them."""

from __future__ import annotations

import copy
import hashlib
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pydantic

from kingmaker.envs.core.errors import TableError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Model = TypeVar("Model", bound=pydantic.BaseModel)
_SHOWN_PROBLEMS = 8


class Table(pydantic.BaseModel):
    """Base of data-file models: unknown keys are errors, since a misspelt one would be silently ignored."""

    model_config = pydantic.ConfigDict(extra="forbid", frozen=True, strict=True)


def read_table(model: type[Model], path: Path, overrides: Mapping[str, Any] | None = None) -> Model:
    """Read and validate a TOML file.

    Args:
        model: what the file must look like.
        path: the file.
        overrides: entries to replace, by dotted path (``"dice.attack"``).

    Raises:
        TableError: if the file cannot be read, is not TOML, or does not fit the model; says where.
    """
    try:
        content = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise TableError(f"cannot read {path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise TableError(f"{path} is not a TOML file: {error}") from error
    content = copy.deepcopy(content)
    for dotted, value in (overrides or {}).items():
        *parents, last = dotted.split(".")
        node = content
        for parent in parents:
            node = node.setdefault(parent, {})
            if not isinstance(node, dict):
                raise TableError(f"{path.name}: {parent} is no table, so {dotted} cannot be replaced")
        node[last] = value
    try:
        return model.model_validate(content)
    except pydantic.ValidationError as error:
        raise TableError(f"{path.name}: {problems(error)}") from None


def problems(error: pydantic.ValidationError) -> str:
    """Return what does not fit a model, as one line: each place and what is wrong there."""
    found = error.errors(include_url=False, include_context=False)
    told = [_problem(item) for item in found[:_SHOWN_PROBLEMS]]
    return "; ".join([*told, *([f"and {len(found) - len(told)} more"] if len(found) > len(told) else [])])


def _problem(item: Any) -> str:
    place = ".".join(map(str, item["loc"]))
    message = "unknown setting" if item["type"] == "extra_forbidden" else item["msg"]
    message = message.removeprefix("Value error, ").partition("\n")[0]
    message = message[:1].lower() + message[1:]
    return f"{place}: {message}" if place else message


def tables_hash(tables: np.ndarray) -> str:
    """Return a hash of the printed data in a tables record, the tape left out."""
    names = [name for name in tables.dtype.names or () if name != "tape"]
    digest = hashlib.sha256()
    for name in names:
        digest.update(name.encode() + b"\0" + np.ascontiguousarray(tables[name]).tobytes())
    return digest.hexdigest()[:16]
