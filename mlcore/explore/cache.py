"""Drawn states kept between builds, under a key made from everything that decides how they look."""

import hashlib
import inspect
import json
import os
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

import cloudpickle

__all__ = ["CACHE_VARIABLE", "StateStore", "state_key", "state_store"]

CACHE_VARIABLE = "MLCORE_EXPLORE_CACHE"
"""Environment variable that names the folder for drawn states; without it nothing is kept."""

_LIBRARIES = ("numpy", "scipy", "scikit-learn", "cvxopt", "matplotlib")


def state_key(explorable, state):
    """Return a hash of the code and data that draw `state`.

    The code is that of the functions and of every `mlcore` module they lead to; the data is what the
    functions hold, by value. A change elsewhere in the package leaves the key as it is.

    Parameters
    ----------
    explorable : Explorable
    state : dict

    Returns
    -------
    str
        Hexadecimal digits.
    """
    digest = hashlib.sha256()
    functions = [explorable.draw, explorable.describe, explorable.frame]
    for part in (*functions, explorable.title, explorable.size, explorable.panels, sorted(state.items())):
        digest.update(cloudpickle.dumps(part))
    for function in functions:
        digest.update(_source(function).encode())
    for name in sorted(_modules_behind(functions)):
        digest.update(Path(sys.modules[name].__file__).read_bytes())
    digest.update(" ".join(version(library) for library in _LIBRARIES).encode())
    return digest.hexdigest()


def state_store():
    """Return the store in the folder that the environment names, or one that keeps nothing."""
    folder = os.environ.get(CACHE_VARIABLE)
    return StateStore(Path(folder) if folder else None)


class StateStore:
    """A folder with one JSON file a state.

    Parameters
    ----------
    folder : pathlib.Path or None
        None keeps nothing.
    """

    def __init__(self, folder):
        self._folder = folder

    def get(self, key):
        """Return what was put under `key`, or None; a file that cannot be read counts as not there."""
        path = self._path(key)
        if path is None:
            return None
        try:
            moving, text = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, TypeError, ValueError):
            return None
        return moving, text

    def put(self, key, result):
        """Keep `result`; a reader never sees a half-written file."""
        path = self._path(key)
        if path is None:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False, encoding="utf-8") as half:
            json.dump(result, half)
        os.replace(half.name, path)

    def _path(self, key):
        return None if self._folder is None else self._folder / key[:2] / f"{key}.json"


def _source(function):
    function = getattr(function, "func", function)  # functools.partial
    try:
        return inspect.getsource(function)
    except (OSError, TypeError):
        return ""


def _modules_behind(functions):
    """Return the names of the `mlcore` modules that the functions' modules lead to, themselves included."""
    waiting = {getattr(getattr(function, "func", function), "__module__", None) for function in functions}
    waiting.add("mlcore.explore.svg")
    waiting.add("mlcore.explore.scene")
    found = set()
    while waiting:
        name = waiting.pop()
        if name in found or name is None or name.split(".")[0] != "mlcore" or name not in sys.modules:
            continue
        found.add(name)
        for value in vars(sys.modules[name]).values():
            waiting.add(value.__name__ if inspect.ismodule(value) else getattr(value, "__module__", None))
        waiting = {name for name in waiting if isinstance(name, str)}
    return found
