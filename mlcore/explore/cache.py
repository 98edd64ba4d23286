"""Drawn states kept between builds, under a key made from everything that decides how they look."""

import ast
import hashlib
import inspect
import json
import os
import pickletools
import tempfile
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import cloudpickle

__all__ = ["CACHE_VARIABLE", "StateStore", "state_keys", "state_store"]

CACHE_VARIABLE = "MLCORE_EXPLORE_CACHE"
"""Environment variable that names the folder for drawn states; without it nothing is kept."""

_LIBRARIES = ("numpy", "scipy", "scikit-learn", "cvxopt", "matplotlib", "pillow")
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
    files = [*(_ENGINE / name for name in _DRAWING), *_files_behind(functions, pickles)]
    libraries = " ".join(version(library) for library in _LIBRARIES).encode()
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


def _files_behind(functions, pickles):
    """Return the files of the `mlcore` modules that functions and data name and of those that these import."""
    waiting = {getattr(getattr(function, "func", function), "__module__", None) for function in functions}
    for data in pickles:
        waiting.update(text for _, text, _ in pickletools.genops(data) if isinstance(text, str))
    files, seen = set(), set()
    while waiting := {name for name in waiting - seen if _is_module(name)}:
        seen |= waiting
        found = {Path(find_spec(name).origin) for name in waiting}
        files |= found
        waiting = {name for file in found for name in _imported(file)}
    return sorted(files)


def _is_module(name):
    """Say whether `name` is a module of the package, the engine left out: `_DRAWING` names what draws there."""
    if not isinstance(name, str) or name.split(".")[0] != "mlcore" or name.startswith("mlcore.explore"):
        return False
    try:
        found = find_spec(name)
    except (ImportError, ValueError):  # a name inside a module, or other text
        return False
    return found is not None and found.has_location


def _imported(file):
    """Yield the names of what `file` imports, wherever the import stands."""
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
