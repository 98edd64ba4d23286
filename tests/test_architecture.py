"""The arrows between packages and modules: who may import whom, and through which door."""

import ast
import json
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FILES = sorted((ROOT / "mlcore").rglob("*.py"))
LAYERS = (  # each imports only from layers before it, or from itself
    {"errors", "validation"},
    {"optimize", "kernels", "preprocessing"},
    {"svm", "neighbors", "linear_model", "gaussian_process", "bayes"},
    {"datasets"},
    {"explore"},
    {"exercises", "pictures"},
)
LEVEL = {package: level for level, packages in enumerate(LAYERS) for package in packages}
DRAWING = {"matplotlib", "contourpy", "ipywidgets", "IPython", "PIL"}
LONGEST_MODULE = 400
ON_PURPOSE = {"bayes_net.py": {"mlcore.bayes._elimination_plan"}}  # the benchmark empties the memory of plans


def module_name(file):
    parts = list(file.relative_to(ROOT).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


NAMES = {module_name(file): file for file in FILES}


def imported(source, package=""):
    """Return the dotted names that `source` imports, wherever the import stands; a name in a module counts as it."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            module = ".".join([*above, *([node.module] if node.module else [])])
            found |= {whole if (whole := f"{module}.{alias.name}") in NAMES else module for alias in node.names}
        elif isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) == "import_module":
            found |= {part.value for part in node.args if isinstance(part, ast.Constant)}
    return found


def door_of(module):
    """The package whose door a reader of `module` comes through: `mlcore.svm` for `mlcore.svm._smo`."""
    return module if NAMES[module].name == "__init__.py" else module.rpartition(".")[0]


IMPORTS = {name: imported(file.read_text(encoding="utf-8"), door_of(name)) for name, file in NAMES.items()}
OWN = {name: {other for other in found if other in NAMES} for name, found in IMPORTS.items()}


def package_of(module):
    """The part of the project that `module` belongs to: `svm` for `mlcore.svm._smo`, "" for `mlcore` itself."""
    return module.split(".")[1] if "." in module else ""


def test_every_part_has_its_layer():
    assert {package_of(name) for name in NAMES} - {""} <= set(LEVEL)


def test_arrows_between_packages_point_down():
    wrong = [
        f"{name} imports {other}"
        for name, others in OWN.items()
        for other in others
        if package_of(name) != package_of(other) and LEVEL[package_of(other)] >= LEVEL[package_of(name)]
    ]
    assert not wrong


def test_no_package_imports_itself_through_others():
    graph = {}
    for name, others in OWN.items():
        graph.setdefault(package_of(name), set()).update(
            package_of(o) for o in others if package_of(o) != package_of(name)
        )
    assert list(TopologicalSorter(graph).static_order())  # a CycleError names the packages


def test_no_module_imports_itself_through_others():
    assert list(TopologicalSorter(OWN).static_order())  # a CycleError names the modules


def test_algorithms_draw_nothing():
    for name, found in IMPORTS.items():
        if LEVEL.get(package_of(name), 0) < LEVEL["explore"]:
            assert not {module.split(".")[0] for module in found} & DRAWING, name


def test_chapters_import_no_other_chapter():
    for name, others in OWN.items():
        if name.startswith("mlcore.pictures."):
            chapters = {other.split(".")[2] for other in others if other.startswith("mlcore.pictures.")}
            assert chapters <= {name.split(".")[2], "drawing"}, name
        if name.startswith("mlcore.pictures.drawing"):
            assert {o.split(".")[2] for o in others if o.startswith("mlcore.pictures.")} <= {"drawing"}, name


def test_exercises_and_pictures_leave_each_other_alone():
    for name, others in OWN.items():
        for other in others:
            assert {package_of(name), package_of(other)} != {"exercises", "pictures"}, f"{name} imports {other}"


def sources_outside():
    """Code that uses the package: notebooks, benchmarks, the book's tools and extensions."""
    for path in [*(ROOT / "benchmarks").glob("*.py"), *(ROOT / "book").glob("[_t]*/*.py")]:
        yield pytest.param(path.name, path.read_text(encoding="utf-8"), id=path.name)
    for path in [*(ROOT / "notebooks").glob("*.ipynb"), *(ROOT / "book").glob("*.ipynb")]:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
        yield pytest.param(path.name, "\n\n".join(code), id=path.name)


def is_inside(module):
    return any(part.startswith("_") for part in module.split("."))


def test_modules_behind_a_door_are_imported_only_from_inside():
    for name, others in OWN.items():
        for other in others:
            if is_inside(other):
                assert door_of(name) == door_of(other), f"{name} imports {other}"


@pytest.mark.parametrize(("file", "source"), list(sources_outside()))
def test_outside_every_import_goes_through_a_door(file, source):
    found = {name for name in imported(source) if name.split(".")[0] == "mlcore"}
    assert {name for name in found if is_inside(name)} == ON_PURPOSE.get(file, set())


@pytest.mark.parametrize("name", list(NAMES))
def test_a_module_offers_only_what_it_defines(name):
    tree = ast.parse(NAMES[name].read_text(encoding="utf-8"))
    offered = next((ast.literal_eval(n.value) for n in tree.body if _assigns(n, "__all__")), None)
    if NAMES[name].name == "__init__.py":
        kinds = (ast.Import, ast.ImportFrom, ast.Assign, ast.Expr)
        assert all(isinstance(node, kinds) for node in tree.body), "a door holds no code"
        return
    made = (ast.FunctionDef, ast.ClassDef)
    defined = {node.name for node in tree.body if isinstance(node, made)}
    defined |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    assert set(offered or ()) <= defined


def _assigns(node, name):
    return isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == name


@pytest.mark.parametrize("name", list(NAMES))
def test_a_module_is_one_room(name):
    assert len(NAMES[name].read_text(encoding="utf-8").splitlines()) <= LONGEST_MODULE
    assert NAMES[name].stem not in {"utils", "helpers", "common", "misc"}
