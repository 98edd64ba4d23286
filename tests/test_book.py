"""The sources of the book: pages listed, modules documented, misprints explained, works cited."""

import importlib
import json
import pkgutil
import re
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

import mlcore

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "book" / "_ext"))
margins_and_posteriors = importlib.import_module("margins_and_posteriors")

TOC = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
PAGES = [TOC["root"]] + [chapter["file"] for part in TOC["parts"] for chapter in part["chapters"]]


def _text(path):
    if path.suffix == ".ipynb":
        return "\n".join("".join(cell["source"]) for cell in json.loads(path.read_text(encoding="utf-8"))["cells"])
    return path.read_text(encoding="utf-8")


def _page(name):
    return next(path for path in (ROOT / f"{name}.ipynb", ROOT / f"{name}.md") if path.exists())


TEXTS = {name: _text(_page(name)) for name in PAGES}


def test_every_notebook_is_in_the_table_of_contents():
    notebooks = {f"notebooks/{path.stem}" for path in (ROOT / "notebooks").glob("*.ipynb")}
    assert notebooks == {page for page in PAGES if page.startswith("notebooks/")}


def test_chapters_stand_in_order():
    chapters = [page for page in PAGES if page.startswith("notebooks/")]
    assert chapters == sorted(chapters)


def test_every_public_module_is_in_the_reference():
    pages = TEXTS["book/reference"] + TEXTS["book/reference_pictures"]
    documented = set(re.findall(r"automodule:: (\S+)", pages))
    found = {m.name for m in pkgutil.walk_packages(mlcore.__path__, "mlcore.")}
    modules = {name for name in found if not any(part.startswith("_") for part in name.split("."))}
    modules -= {"mlcore.explore", "mlcore.exercises", "mlcore.pictures", "mlcore.pictures.drawing"}  # no door
    private = {name for name in modules if name.startswith("mlcore.explore.")}  # the engine's inside, but for:
    private -= {"mlcore.explore.controls", "mlcore.explore.explorable", "mlcore.explore.mode"}
    assert documented == modules - private


def test_every_misprint_that_a_chapter_names_is_on_the_errata_page():
    explained = set(re.findall(r"^### ((?:ES|MW|HJ|SN)-\d+)", TEXTS["book/errata"], flags=re.M))
    named = {
        code
        for name, text in TEXTS.items()
        if name.startswith("notebooks/")
        for code in re.findall(r"\b((?:ES|MW|HJ|SN)-\d+)\b", text)
    }
    assert named and named <= explained


def test_every_errata_entry_has_its_target():
    text = TEXTS["book/errata"]
    codes = re.findall(r"^### ((?:ES|MW|HJ|SN)-\d+)", text, flags=re.M)
    assert len(codes) == len(set(codes))
    for code in codes:
        assert f"(errata-{code.lower()})=\n### {code}" in text


def test_the_bibliography_holds_what_is_cited_and_no_more():
    entries = set(re.findall(r"^@\w+\{([^,]+),", (ROOT / "book" / "references.bib").read_text(encoding="utf-8"), re.M))
    cited = {
        key.strip()
        for text in TEXTS.values()
        for keys in re.findall(r"\{cite(?::\w+)?\}`([^`]+)`", text)
        for key in keys.split(",")
    }
    assert cited == entries


@pytest.mark.parametrize(
    ("remote", "address"),
    [
        ("https://github.com/someone/a-book.git", "https://github.com/someone/a-book"),
        ("git@github.com:someone/a-book.git", "https://github.com/someone/a-book"),
        ("ssh://git@gitlab.com/someone/a-book", "https://gitlab.com/someone/a-book"),
        ("https://token@github.com/someone/a-book/", "https://github.com/someone/a-book"),
        ("/srv/git/a-book", None),
        ("", None),
        ("https://elsewhere.example/someone/a-book", None),
    ],
)
def test_launch_buttons_follow_the_remote(remote, address):
    assert margins_and_posteriors.web_address(remote) == address


def test_the_execution_cache_follows_package_and_lock(tmp_path):
    (tmp_path / "mlcore").mkdir()
    module, lock = tmp_path / "mlcore" / "module.py", tmp_path / "requirements.txt"
    module.write_text("a = 1")
    lock.write_text("numpy==2")
    keys = [margins_and_posteriors.package_key(tmp_path)]
    for path, text in ((module, "a = 2"), (lock, "numpy==3")):
        path.write_text(text)
        keys.append(margins_and_posteriors.package_key(tmp_path))
    assert len(set(keys)) == 3
    (tmp_path / "notes.txt").write_text("unrelated")
    assert margins_and_posteriors.package_key(tmp_path) == keys[-1]


def test_the_locks_are_exact_and_cover_the_package():
    book, tests = (
        dict(line.split("==") for line in (ROOT / name).read_text(encoding="utf-8").split())
        for name in ("requirements.txt", "requirements-test.txt")
    )
    assert book.items() < tests.items()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    for lock, named in (
        (book, project["dependencies"] + extras["book"] + extras["fast"]),
        (tests, extras["test"]),
    ):
        assert {re.match(r"[A-Za-z0-9_.-]+", each)[0].lower() for each in named} <= lock.keys()
    # The tests' own packages, large as some are, are not what a reader installs.
    assert not {"pgmpy", "playwright", "highspy", "statsmodels", "hypothesis"} & book.keys()


def test_absolute_values_in_docstrings_are_no_substitutions():
    lines = ["Minimise |Ax − b|.", "", "Conventions::", "", "    |d| ≤ 1", "", "A ``a | b`` stays.", ">>> a | b"]
    margins_and_posteriors.keep_bars(None, "", "", None, {}, lines)
    assert lines == [
        r"Minimise \|Ax − b\|.", "", "Conventions::", "", "    |d| ≤ 1", "", "A ``a | b`` stays.", ">>> a | b",
    ]  # fmt: skip
