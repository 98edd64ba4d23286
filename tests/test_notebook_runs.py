"""Notebooks run side by side for the book: what is kept, what fails and how it is told."""

import importlib
import sys
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from sphinx.errors import ExtensionError

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "book" / "_ext"))
margins_and_posteriors = importlib.import_module("margins_and_posteriors")
notebook_runs = importlib.import_module("notebook_runs")


@pytest.fixture
def write(tmp_path):
    """Return a function that writes a notebook of these code cells behind a cell of text, and gives its path."""

    def write(name, *sources):
        kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
        cells = [new_markdown_cell("# Title"), *map(new_code_cell, sources)]
        path = tmp_path / f"{name}.ipynb"
        nbformat.write(new_notebook(cells=cells, metadata={"kernelspec": kernel}), path)
        return path

    return write


@pytest.fixture
def build(tmp_path):
    """Return a function that does what a build does before it reads pages, and gives the names of those it ran."""
    env = SimpleNamespace(doc2path=lambda name: str(next(tmp_path.glob(f"{name}.*"))))
    config = SimpleNamespace(nb_execution_cache_path=str(tmp_path / "cache"), nb_execution_timeout=60)

    def build(capsys, *names):
        capsys.readouterr()
        margins_and_posteriors.run_notebooks(SimpleNamespace(config=config), env, list(names))
        return sorted(line.split()[1] for line in capsys.readouterr().err.splitlines() if line.startswith("["))

    return build


def test_what_was_run_is_not_run_again_until_it_changes(build, write, capsys, tmp_path):
    write("first", "print('one')", "from pathlib import Path\nPath('seen').touch()")
    write("second", "1 + 1")
    (tmp_path / "page.md").write_text("# A page without code")
    assert build(capsys, "first", "page", "second") == ["first.ipynb:", "second.ipynb:"]
    assert (tmp_path / "seen").exists()  # it ran in its own folder
    assert build(capsys, "first", "page", "second") == []
    write("second", "1 + 2")
    assert build(capsys, "first", "page", "second") == ["second.ipynb:"]


def test_a_cell_that_fails_stops_the_build_and_is_named(build, write, capsys):
    write("bad", "a = 1", "a / 0")
    write("worse", "raise ValueError('a reason')")
    write("good", "1")
    with pytest.raises(ExtensionError) as failure:
        build(capsys, "bad", "worse", "good")
    text = str(failure.value)
    assert "bad.ipynb, cell 3 of 3: " in text and "ZeroDivisionError" in text
    assert "worse.ipynb, cell 2 of 2: " in text and "ValueError: a reason" in text
    assert "good.ipynb" not in text
    assert build(capsys, "good") == []  # what ran to its end is kept all the same


def test_a_cell_without_end_and_a_kernel_that_dies_are_named(write):
    for path, timeout in (
        (write("endless", "while True: pass"), 1),
        (write("dead", "1", "import os\nos._exit(1)"), 60),
    ):
        lines = []
        failures = notebook_runs.run_side_by_side([path], timeout, None, lines.append)
        count = len(nbformat.read(path, as_version=4).cells)
        assert [failure.partition(":")[0] for failure in failures] == [f"{path.name}, cell {count} of {count}"]
        assert lines == [f"[1/1] {path.name}: FAILED"]


def test_a_result_that_cannot_be_kept_counts_as_failed(write):
    def keep(path, notebook, seconds):
        raise ValueError("cell 1: expected no output on stderr")

    failures = notebook_runs.run_side_by_side([write("loud", "1")], 60, keep, lambda line: None)
    assert failures == ["loud.ipynb, cell 1: expected no output on stderr"]


def test_nothing_to_run_is_no_failure():
    assert notebook_runs.run_side_by_side([], 60, None, print) == []


def test_many_pictures_go_first(write):
    few, many, none = write("few", "'image/png'"), write("many", "2"), write("none", "3")
    many.write_text('"image/png"' * 3)
    few.write_text('"image/png"' * 2)
    assert notebook_runs.longest_first([none, few, many]) == [many, few, none]
