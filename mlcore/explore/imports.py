"""Which files of the package a module leads to, by the imports that are really used."""

import ast
import inspect
import re
from collections import defaultdict
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec, resolve_name
from pathlib import Path
from pkgutil import iter_modules

__all__ = ["files_behind"]

_MODULE = re.compile(r"(mlcore)?(\.[A-Za-z_]\w*)+")


def files_behind(names):
    """Return the files of the `mlcore` modules among `names` and of all that their imports lead to.

    Imports count wherever they stand: relative ones, those inside a function, and modules that are only named in a
    text, for ``import_module``. A name that the ``__init__`` of a package hands on leads to the module that defines
    it and to nothing else of the package; where a door looks for a name only when it is asked, the whole package is all
    of its modules. The engine itself is left out.

    Parameters
    ----------
    names : iterable of str
        Names of modules; any other text is passed over.

    Returns
    -------
    list of pathlib.Path
        Sorted, each once.
    """
    waiting, seen, files = {(name, None) for name in names if _is_module(name)}, set(), set()
    while waiting := waiting - seen:
        seen |= waiting
        found = [_follow(module, name) for module, name in waiting]
        files |= {file for file, _ in found if file}
        waiting = {(module, name) for _, references in found for module, name in references if _is_module(module)}
    return sorted(files)


def _is_module(name):
    """Say whether `name` is a module of the package outside the engine."""
    if not isinstance(name, str) or not f"{name}.".startswith("mlcore.") or f"{name}.".startswith("mlcore.explore."):
        return False
    try:
        found = find_spec(name)
    except (ImportError, ValueError):  # a name inside a module, or other text
        return False
    return found is not None and found.has_location


def _follow(module, name):
    """Return the file that defines `name` of `module` (all of it for None), and what that refers to.

    There is no file where the ``__init__`` of a package only hands the name on. Dots lead on: of
    ``("mlcore", "svm.smo")`` the part ``smo`` of ``mlcore.svm`` is meant.
    """
    spec = find_spec(module)
    package = module if spec.submodule_search_locations is not None else module.rpartition(".")[0]
    bound, references, defined = _references(Path(spec.origin).read_bytes(), package)
    if package == module and name is not None:
        head, _, rest = name.partition(".")
        if handed_on := bound.get(head, set()) - {(module, head)}:
            return None, {(origin, ".".join(filter(None, (part, rest))) or None) for origin, part in handed_on}
        if _is_module(f"{module}.{head}"):
            return None, {(f"{module}.{head}", rest or None)}
        value = getattr(import_module(module), head, None)  # from a door that looks only when it is asked
        home = value.__module__ if inspect.isfunction(value) or inspect.isclass(value) else None
        if home != module and _is_module(home):
            return None, {(home, None)}
    if package == module and "__getattr__" in defined:
        modules = iter_modules(spec.submodule_search_locations)
        references = references | {(f"{module}.{found.name}", None) for found in modules}
    return Path(spec.origin), references


@lru_cache(maxsize=1024)
def _references(source, package):
    """Return which pairs (module, name) a source text binds to its names, all pairs it refers to, and its functions.

    What is taken of a name, ``svm.smo`` of ``svm``, narrows the reference; a name that is used as it is does not.
    """
    tree = ast.parse(source)
    bound, references = defaultdict(set), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            references |= {(alias.name, None) for alias in node.names if not alias.asname}
            for alias in node.names:
                if alias.asname:
                    bound[alias.asname].add((alias.name, None))
        elif isinstance(node, ast.ImportFrom):
            origin = resolve_name("." * node.level + (node.module or ""), package) if node.level else node.module
            for alias in node.names:
                if alias.name == "*":
                    references.add((origin, None))
                else:
                    bound[alias.asname or alias.name].add((origin, alias.name))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and _MODULE.fullmatch(node.value):
            references.add((resolve_name(node.value, package), None))
    taken = _attributes(tree)
    for alias, origins in bound.items():
        parts = taken.get(alias, {None})
        for origin, name in origins:
            references |= {(origin, ".".join(filter(None, (name, part))) or None) for part in parts - {None}}
            if None in parts:
                references.add((origin, name))
    defined = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    return bound, references, defined


def _attributes(tree):
    """Return, for every name that is read, which attributes are taken of it; None stands for the name by itself."""
    attributes, inner = defaultdict(set), set()
    for node in ast.walk(tree):  # an attribute comes before the name inside it
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            inner.add(node.value)
            attributes[node.value.id].add(node.attr)
        elif isinstance(node, ast.Name) and node not in inner:
            attributes[node.id].add(None)
    return attributes
