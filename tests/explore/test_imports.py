import importlib
import sys

import pytest

import mlcore
from mlcore.explore.imports import files_behind

TEXTS = {
    # Algorithms: a door that hands on what four modules define.
    "probe/__init__.py": """
        from ._line import LIMIT, line as straight
        from ._late import late
        from . import loops
        try:
            from ._fast import shared
        except ImportError:
            from ._slow import shared
    """,
    "probe/_line.py": "from ._number import NUMBER\nLIMIT = NUMBER\ndef line(): ...",
    "probe/_number.py": "NUMBER = 1",
    "probe/_late.py": "def late():\n    from ..probe_flat import value",
    "probe/loops.py": "def run(): ...",
    "probe/_compiled.py": "",
    "probe/_fast.py": "from importlib import import_module\ndef shared(): import_module('mlcore.probe._compiled')",
    "probe/_slow.py": "def shared(): import_module('._compiled', __package__)",
    "probe/_alone.py": "",
    "probe_flat.py": "value = 1",
    # Pictures: doors that open at once and when they are asked.
    "probe_pictures/__init__.py": "",
    "probe_pictures/_shared.py": "",
    "probe_pictures/eager/__init__.py": "from .first import first\nfrom .second import second",
    "probe_pictures/eager/first.py": "from mlcore.probe import straight\nfrom .._shared import *\ndef first(): ...",
    "probe_pictures/eager/second.py": "from mlcore import probe\ndef second(): probe.loops.run()",
    "probe_pictures/lazy/__init__.py": """
        from importlib import import_module
        def __getattr__(name):
            return getattr(import_module(f"mlcore.probe_pictures.lazy._{name}"), name)
    """,
    "probe_pictures/lazy/_first.py": "from mlcore.probe import LIMIT\ndef first(): ...",
    "probe_pictures/lazy/_second.py": "import mlcore.probe as p\ndef second(): p.late()",
    # Those who use them.
    "probe_use/__init__.py": "",
    "probe_use/_of_eager.py": "from mlcore.probe_pictures.eager import first",
    "probe_use/_of_module.py": "from mlcore.probe_pictures import eager\ndef f(): eager.second()",
    "probe_use/_of_lazy.py": "from mlcore.probe_pictures.lazy import second",
    "probe_use/_of_choice.py": "from mlcore.probe import shared",
    "probe_use/_of_all.py": "from mlcore.probe_pictures import eager\ndef f(name): getattr(eager, name)()",
    "probe_use/_of_two.py": """
        def f():
            from ._of_lazy import second as run
        def g():
            from mlcore.probe.loops import run
    """,
    "probe_use/_of_engine.py": "from mlcore.explore import Explorable\nfrom mlcore.explore.page import page_html",
}
LINE = {"probe/_line.py", "probe/_number.py"}
EAGER_FIRST = {"probe_pictures/eager/first.py", "probe_pictures/_shared.py"} | LINE
EAGER_SECOND = {"probe_pictures/eager/second.py", "probe/loops.py"}
LAZY_SECOND = {"probe_pictures/lazy/_second.py", "probe/_late.py", "probe_flat.py"}
SHARED = {"probe/_fast.py", "probe/_slow.py", "probe/_compiled.py"}


@pytest.fixture
def probes(monkeypatch, tmp_path):
    """Return a function that gives, for names in the package, the files behind them, as names too."""
    for name, text in TEXTS.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(line.removeprefix(" " * 8) for line in text.splitlines()))
    monkeypatch.setattr(mlcore, "__path__", [*mlcore.__path__, str(tmp_path)])
    importlib.invalidate_caches()
    yield lambda *names: {path.relative_to(tmp_path).as_posix() for path in files_behind(names)}
    for name in [name for name in sys.modules if name.startswith("mlcore.probe")]:
        del sys.modules[name]
    for name in [name for name in vars(mlcore) if name.startswith("probe")]:
        delattr(mlcore, name)


@pytest.mark.parametrize(
    ("module", "behind"),
    [
        ("_of_eager", EAGER_FIRST),
        ("_of_module", EAGER_SECOND),
        ("_of_lazy", LAZY_SECOND),
        ("_of_choice", SHARED),
        ("_of_two", {"probe_use/_of_lazy.py", "probe/loops.py"} | LAZY_SECOND),
        ("_of_engine", set()),
        ("_of_all", {"probe_pictures/eager/__init__.py"} | EAGER_FIRST | EAGER_SECOND),
    ],
)
def test_a_name_leads_to_the_module_that_defines_it_and_no_other(probes, module, behind):
    assert probes(f"mlcore.probe_use.{module}") == {f"probe_use/{module}.py"} | behind


def test_a_whole_package_is_its_door_and_all_that_it_hands_on(probes):
    behind = {"probe/__init__.py", "probe/_late.py", "probe_flat.py", "probe/loops.py"} | LINE | SHARED
    assert probes("mlcore.probe") == behind
    behind = {"probe_pictures/lazy/__init__.py", "probe_pictures/lazy/_first.py"} | LINE | LAZY_SECOND
    assert probes("mlcore.probe_pictures.lazy") == behind


def test_text_that_names_no_module_leads_nowhere(probes):
    assert probes("mlcore.probe_missing", "mlcore.probe.straight", "mlcore.", "numpy", "a text", "", None) == set()


def test_all_modules_of_the_package_can_be_followed():
    (start,) = mlcore.__path__
    files = files_behind([f"mlcore.{path.stem}" for path in importlib.resources.files("mlcore").iterdir()])
    assert files and all(path.is_relative_to(start) for path in files)
