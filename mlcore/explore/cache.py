"""Drawn states kept between builds, under a key made from everything that decides how they look."""

import hashlib
import inspect
import json
import os
import pickletools
import tempfile
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import cloudpickle

from mlcore.explore.imports import files_behind

__all__ = ["CACHE_VARIABLE", "StateStore", "state_keys", "state_store"]

CACHE_VARIABLE = "MLCORE_EXPLORE_CACHE"
"""Environment variable that names the folder for drawn states; without it nothing is kept."""

_LIBRARIES = ("numpy", "scipy", "scikit-learn", "cvxopt", "numba", "matplotlib", "contourpy", "pillow")
_ENGINE = Path(__file__).parent
_DRAWING = ("scene.py", "svg.py", "book.mplstyle")


def state_keys(explorable, states):
    """Return, for every state, a hash of the code and data that draw it.

    The code is that of the functions and of every `mlcore` module they lead to; the data is what the
    functions hold, by value. A change elsewhere in the package leaves the keys as they are.

    Parameters
    ----------
    explorable : Explorable
    states : list of dict

    Returns
    -------
    list of str
        Hexadecimal digits.
    """
    functions = [explorable.draw, explorable.describe, explorable.frame]
    pickles = [cloudpickle.dumps(part) for part in (*functions, explorable.title, explorable.size, explorable.panels)]
    sources = [_source(function).encode() for function in functions]
    modules = {getattr(getattr(function, "func", function), "__module__", None) for function in functions}
    files = [*(_ENGINE / name for name in _DRAWING), *files_behind(modules | _texts(pickles))]
    libraries = " ".join(map(_version, _LIBRARIES)).encode()
    digest = hashlib.sha256()
    for part in (*pickles, *sources, *(file.read_bytes() for file in files), libraries):
        digest.update(hashlib.sha256(part).digest())
    keys = []
    for state in states:
        own = digest.copy()
        own.update(cloudpickle.dumps(sorted(state.items())))
        keys.append(own.hexdigest())
    return keys


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
        text = json.dumps(result)
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False, encoding="utf-8") as half:
            half.write(text)
        os.replace(half.name, path)

    def _path(self, key):
        return None if self._folder is None else self._folder / key[:2] / f"{key}.json"


def _source(function):
    function = getattr(function, "func", function)  # functools.partial
    try:
        return inspect.getsource(function)
    except (OSError, TypeError):
        return ""


def _texts(pickles):
    """Return every text in `pickles`; among them are the modules of functions and classes."""
    return {text for data in pickles for _, text, _ in pickletools.genops(data) if isinstance(text, str)}


def _version(library):
    try:
        return version(library)
    except PackageNotFoundError:  # Numba need not be there
        return ""
