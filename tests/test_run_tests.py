"""The program behind `make test`: which steps it takes, for all chapters or for one, and how it closes."""

import importlib
import json
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "book" / "tools"))
run_tests = importlib.import_module("run_tests")

CHAPTERS = sorted(path.name[:2] for path in (ROOT / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_chapter_has_tests_of_its_pictures_and_of_its_exercises(chapter):
    _, tests = run_tests.chapter_files(chapter, ROOT)
    assert len(tests) == 2
    assert all(any(kind in str(path) for path in tests) for kind in ("pictures", "exercises"))


@pytest.fixture
def project(tmp_path):
    """Return the root of a project with two chapters whose tests lie beside each other and in folders."""
    for name in (
        "notebooks/07_margins.ipynb",
        "notebooks/10_kernels.ipynb",
        "tests/test_pictures_margins.py",
        "tests/exercises/test_margins.py",
        "tests/pictures/test_kernels.py",
        "tests/test_kernels.py",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    config = "title: A book\nsphinx: {config: {html_static_path: [assets]}, local_extensions: {our: book/_ext}}\n"
    (tmp_path / "_config.yml").write_text(config)
    return tmp_path


def test_tests_are_found_by_the_topic_wherever_they_lie(project):
    for chapter, notebook, tests in (
        ("07", "07_margins", ["test_pictures_margins.py", "exercises/test_margins.py"]),
        ("10", "10_kernels", ["pictures/test_kernels.py"]),
    ):
        expected = project / "notebooks" / f"{notebook}.ipynb", [project / "tests" / name for name in tests]
        assert run_tests.chapter_files(chapter, project) == expected


@pytest.mark.parametrize("chapter", ["8", "08", "", "7", "*"])
def test_an_unknown_chapter_is_answered_with_those_there_are(project, chapter):
    with pytest.raises(ValueError, match="^chapter: expected one of 07, 10, got"):
        run_tests.chapter_files(chapter, project)


def test_the_page_of_a_chapter_is_a_book_of_its_own(project):
    steps, environment = run_tests.chapter_steps("10", project)
    assert set(steps) < set(run_tests.STEPS)
    folder = project / "_build" / "10_kernels"
    assert json.loads((folder / "_toc.yml").read_text())["root"] == "notebooks/10_kernels"
    config = json.loads((folder / "_config.yml").read_text())
    assert config["title"] == "A book"
    assert config["sphinx"]["config"]["html_static_path"] == ["assets"]
    assert config["sphinx"]["local_extensions"] == {"our": str(project / "book" / "_ext")}
    assert steps["book"][-1] == folder
    assert environment["browser"] == {"MARGINS_BOOK": str(folder / "_build" / "html")}


def test_the_table_names_every_step_and_the_last_line_counts():
    lines = run_tests.table({"style": (0.6, True), "unit": (129.4, False), "book": (75.2, True)})
    assert lines == [
        "style            1 s  passed",
        "unit           129 s  FAILED",
        "book            75 s  passed",
        "together       205 s",
        "2 passed, 1 failed: unit",
    ]
    assert run_tests.table({"style": (1, True)})[-1] == "1 passed, 0 failed"


@pytest.fixture
def ran(monkeypatch):
    """Return the names of the steps that `main` takes; they take no time and fail by the name of "unit"."""
    names = []

    def run(name, command, environment):
        names.append(name)
        return 0, name != "unit"

    monkeypatch.setattr(run_tests, "run", run)
    monkeypatch.setattr(run_tests, "get_browser", lambda: None)
    return names


def test_chosen_steps_are_taken_in_their_order(ran, capsys):
    with pytest.raises(SystemExit) as stop:
        run_tests.main(["style", "notebooks"])
    assert ran == ["style", "notebooks"]
    assert not stop.value.code
    assert capsys.readouterr().out.splitlines()[-1] == "2 passed, 0 failed"


def test_a_step_that_fails_does_not_stop_the_next(ran, capsys):
    with pytest.raises(SystemExit) as stop:
        run_tests.main(["unit", "style"])
    assert ran == ["unit", "style"]
    assert stop.value.code
    assert capsys.readouterr().out.splitlines()[-1] == "1 passed, 1 failed: unit"


def test_without_a_browser_nothing_is_run_that_would_end_in_one(ran):
    with pytest.raises(SystemExit, match="^The tests open the pages in Chromium and found none"):
        run_tests.main([])
    assert ran == []


def test_an_unknown_step_is_answered_with_those_there_are(ran):
    with pytest.raises(SystemExit, match="^expected steps among style, .*, got styl$"):
        run_tests.main(["styl"])
    assert ran == []
