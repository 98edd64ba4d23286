import importlib
import json
import os
import shutil
import subprocess
import sys
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np
import pytest

import mlcore
from mlcore.explore import Explorable, cache, toggle
from mlcore.explore.cache import CACHE_VARIABLE, StateStore, state_keys, state_store


def key(draw=lambda figure, t: None, describe=lambda t: "text", state=None, **more):
    explorable = Explorable("title", (toggle("t", "t"),), draw, describe, **more)
    return state_keys(explorable, [{"t": True} if state is None else state])[0]


# What a key depends on


def test_a_key_is_the_same_for_the_same_code_and_data():
    def make(data):
        return lambda figure, t: figure.text(0, 0, f"{data.sum()}")

    assert key(make(np.arange(3.0))) == key(make(np.arange(3.0)))


def test_a_key_changes_with_the_data_that_draw_holds():
    def make(data):
        return lambda figure, t: figure.text(0, 0, f"{data.sum()}")

    other = np.arange(3.0)
    other[1] = np.nextafter(1, 2)
    assert key(make(np.arange(3.0))) != key(make(other))


def draw_with(figure, t, data):
    figure.text(0, 0, f"{data}")


def test_a_key_changes_with_the_arguments_of_a_partial():
    assert key(partial(draw_with, data=1)) == key(partial(draw_with, data=1))
    assert key(partial(draw_with, data=1)) != key(partial(draw_with, data=2))


def test_a_key_changes_with_the_code():
    first = key(lambda figure, t: figure.text(0, 0, "a"), describe=lambda t: "a")
    assert first != key(lambda figure, t: figure.text(0, 0, "b"), describe=lambda t: "a")
    assert first != key(lambda figure, t: figure.text(0, 0, "a"), describe=lambda t: "b")
    assert first != key(lambda figure, t: figure.text(0, 0, "a"), describe=lambda t: "a", frame=lambda figure: None)


def test_a_key_changes_with_the_figure():
    def draw(figure, t):
        pass

    assert len({key(draw), key(draw, size=(5.0, 5.0)), key(draw, size=(10.0, 4.0), panels=2)}) == 3


def test_states_have_keys_of_their_own_whatever_the_order_of_their_names():
    explorable = Explorable("title", (toggle("a", "a"), toggle("b", "b")), lambda **state: None, lambda **state: "")
    assert len(set(state_keys(explorable, explorable.page_states()))) == 4
    forth, back = state_keys(explorable, [{"a": True, "b": False}, {"b": False, "a": True}])
    assert forth == back


def test_a_key_changes_with_a_library(monkeypatch):
    before = key(draw_with)
    monkeypatch.setattr(cache, "version", lambda name: "1.2.3")
    assert key(draw_with) != before


def test_a_key_changes_with_a_library_that_need_not_be_there(monkeypatch):
    def absent(name):
        if name == "numba":
            raise PackageNotFoundError(name)
        return version(name)

    before = key(draw_with)
    monkeypatch.setattr(cache, "version", absent)
    assert key(draw_with) != before


@pytest.mark.parametrize("name", ["scene.py", "svg.py", "book.mplstyle"])
def test_a_key_changes_with_the_drawing_part_of_the_engine(monkeypatch, tmp_path, name):
    before = key(draw_with)
    engine = tmp_path / "explore"
    shutil.copytree(Path(cache.__file__).parent, engine)
    monkeypatch.setattr(cache, "_ENGINE", engine)
    assert key(draw_with) == before
    for other in ("live.py", "explorable.css", "explorable.js", "page.py"):
        (engine / other).write_text("changed")
    assert key(draw_with) == before
    (engine / name).write_text("# changed")
    assert key(draw_with) != before


@pytest.fixture
def probes(monkeypatch, tmp_path):
    """Return the folder of a few more modules of the package, which may be changed at will."""
    monkeypatch.setattr(mlcore, "__path__", [*mlcore.__path__, str(tmp_path)])
    texts = {
        "probe_drawing": "from mlcore.probe_method import method\n\ndef draw(figure, t): method()\n",
        "probe_method": "from mlcore.probe_number import NUMBER\n\ndef method(): import mlcore.probe_late\n",
        "probe_number": "NUMBER = 1\n",
        "probe_late": "",
        "probe_other": "import mlcore.probe_drawing\n",
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.py").write_text(text)
    importlib.invalidate_caches()
    yield tmp_path
    for name in texts:
        sys.modules.pop(f"mlcore.{name}", None)
        vars(mlcore).pop(name, None)


@pytest.mark.parametrize("name", ["probe_drawing", "probe_method", "probe_number", "probe_late"])
def test_a_key_changes_with_every_module_behind_draw(probes, name):
    from mlcore.probe_drawing import draw

    before = key(draw)
    with (probes / f"{name}.py").open("a") as file:
        file.write("# changed\n")
    assert key(draw) != before


def test_a_key_stays_when_a_module_changes_that_draw_does_not_use(probes):
    from mlcore.probe_drawing import draw

    before = key(draw)
    (probes / "probe_other.py").write_text("import mlcore.probe_drawing\n# changed\n")
    assert key(draw) == before


def test_a_key_changes_with_a_module_that_only_the_data_name(probes):
    from mlcore.probe_method import method

    draw = partial(draw_with, data=method)
    before = key(draw)
    (probes / "probe_number.py").write_text("NUMBER = 2\n")
    assert key(draw) != before


def test_a_key_changes_with_a_module_that_a_function_of_a_notebook_uses(probes):
    from mlcore.probe_method import method

    def draw(figure, t):
        method()

    before = key(draw)
    (probes / "probe_method.py").write_text("# changed\n")
    assert key(draw) != before


SCRIPT = """
import numpy as np
from mlcore.explore import Explorable, choice
from mlcore.explore.cache import state_keys

def make(data, names):
    def draw(figure, kind):
        figure.text(0, 0, f"{data.sum()} {names[kind]}")
    return Explorable("title", (choice("kind", "kind", list(names)),), draw, lambda kind: names[kind])

explorable = make(np.arange(5.0), {"a": "first", "b": "second"})
print(*state_keys(explorable, explorable.page_states()))
"""


def test_keys_are_the_same_in_every_process(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    keys = {
        subprocess.run(
            [sys.executable, script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(keys) == 1
    assert len(keys.pop().split()) == 2


# The store


@pytest.fixture
def store(tmp_path):
    return StateStore(tmp_path / "states")


RESULT = (["<path d='M0 0'/>", ""], "readout − ½‖w‖²\nsecond line")


def test_what_was_put_is_got(store):
    assert store.get("abc") is None
    store.put("abc", RESULT)
    moving, text = store.get("abc")
    assert (list(moving), text) == RESULT
    assert store.get("abd") is None


@pytest.mark.parametrize("damage", [b"", b"[", b"\xff\xfe", b"null", b"3", b"[1]", b'[["a"], "b", "c"]', b"{}"])
def test_a_damaged_file_counts_as_missing_and_is_replaced(store, tmp_path, damage):
    store.put("abc", RESULT)
    (file,) = (tmp_path / "states").rglob("*.json")
    file.write_bytes(damage)
    assert store.get("abc") is None
    store.put("abc", RESULT)
    assert tuple(store.get("abc")) == RESULT


def test_every_beginning_of_a_file_counts_as_missing(store, tmp_path):
    store.put("abc", RESULT)
    (file,) = (tmp_path / "states").rglob("*.json")
    whole = file.read_bytes()
    for length in range(len(whole)):
        file.write_bytes(whole[:length])
        assert store.get("abc") is None


def test_a_write_that_fails_leaves_the_old_file(store, tmp_path):
    store.put("abc", RESULT)
    with pytest.raises(TypeError):
        store.put("abc", (["new"], object()))
    assert tuple(store.get("abc")) == RESULT
    assert len([path for path in (tmp_path / "states").rglob("*") if path.is_file()]) == 1


def test_a_folder_in_place_of_the_file_counts_as_missing(store, tmp_path):
    store.put("abc", RESULT)
    (file,) = (tmp_path / "states").rglob("*.json")
    file.unlink()
    file.mkdir()
    assert store.get("abc") is None


def test_without_a_folder_nothing_is_kept(monkeypatch):
    store = state_store()
    store.put("abc", RESULT)
    assert store.get("abc") is None


def test_the_environment_names_the_folder(monkeypatch, tmp_path):
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    state_store().put("abc", RESULT)
    (file,) = tmp_path.rglob("*.json")
    assert json.loads(file.read_text(encoding="utf-8")) == [RESULT[0], RESULT[1]]
