"""The concordance: its data are complete, its labels are sound, and the page leads where it says."""

import doctest
import importlib
import json
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from docutils.core import publish_doctree
from myst_parser.docutils_ import Parser

ROOT = Path(__file__).parents[1]
EXTENSIONS = ROOT / "book" / "_ext"
sys.path.insert(0, str(EXTENSIONS))
source_items = importlib.import_module("source_items")

# Parts of the concordance without a gap: chapters such as "07_margins", or prefixes of ids such as "es-figure".
COMPLETE: tuple[str, ...] = (
    "03_nearest_neighbours",
    "05_linear_programs",
    "06_simplex",
    "07_margins",
    "08_duals",
    "09_lagrange",
    "10_kernels",
    "11_smo",
    "12_regression",
    "16_bayes",
    "17_bayesian_regression",
    "18_gaussian_processes",
    "19_multitask",
    "20_bayesian_networks",
)

CHAPTERS = [
    "01_data",
    "02_learning",
    "03_nearest_neighbours",
    "04_naive_bayes",
    "05_linear_programs",
    "06_simplex",
    "07_margins",
    "08_duals",
    "09_lagrange",
    "10_kernels",
    "11_smo",
    "12_regression",
    "10_kernels",
    "10_kernels",
    "11_smo",
    "12_regression",
    "12_regression",
    "13_perceptron",
    "14_neural_networks",
    "15_genetic_algorithms",
    "16_bayes",
    "17_bayesian_regression",
    "18_gaussian_processes",
    "19_multitask",
    "20_bayesian_networks",
    "21_kernel_ridge",
    "22_clustering",
    "23_kernel_pca",
    "24_fisher",
    "25_cca",
]

# Counted in the sources. ES, table of contents (pages 5 and 6): numbered sections of chapters 1 to 11 and of the
# appendix. The contents give the one section of chapter 11 no number, page 131 prints it as 11.1.
ES_SECTIONS = {1: 2, 2: 4, 3: 3, 4: 3, 5: 3, 6: 4, 7: 3, 8: 3, 9: 4, 10: 5, 11: 1}
ES_APPENDIX = 4
# ES, the other headings without a number in the same contents: "MATLAB example" in 2.3, three steps in 6.4, three
# headings in 9.1, two in 9.2 and two in 10.4.
ES_UNNUMBERED = {
    "es-section-2-3-example",
    *(f"es-section-6-4-step-{step}" for step in (1, 2, 3)),
    *(f"es-section-9-1-{topic}" for topic in ("algorithm", "convergence", "feasibility")),
    *(f"es-section-9-2-{topic}" for topic in ("forward-propagation", "backpropagation")),
    *(f"es-section-10-4-{topic}" for topic in ("hyperparameters", "covariance-functions")),
}
# ES, places with a task for the reader, by page: 16 headed "Exercise" or "Programming Exercise" and 7 in the running
# text: the convex hull (24), the fifth point (32), the four points (53), the origin as start (68), the scaling to
# norm 1 (91), the other checks of the coins (130), the sum of the joint probabilities (137).
ES_EXERCISES = {24: 2, 41: 2, 82: 2, 130: 2}
ES_EXERCISES |= dict.fromkeys((31, 32, 35, 40, 42, 52, 53, 64, 65, 68, 77, 91, 94, 126, 137), 1)
# MW, table of contents: sections of chapters 1 to 14 and of the appendices; beside them "Learning and Intuition".
MW_SECTIONS = {1: 2, 2: 0, 3: 1, 4: 1, 5: 1, 6: 6, 7: 3, 8: 1, 9: 0, 10: 2, 11: 0, 12: 1, 13: 2, 14: 1}
MW_APPENDICES = {"a": 1, "b": 3}
# The headings of HJ and SN were counted on the pages, from below the title to the end.
COUNTS = {
    ("ES", "section"): 11 + 35 + 1 + 4 + 11,
    ("ES", "figure"): 79,
    ("ES", "algorithm"): 17,
    ("ES", "exercise"): 23,
    ("MW", "section"): 1 + 14 + 21 + 2 + 4,
    ("MW", "exercise"): 12,
    ("HJ", "section"): 28,
    ("SN", "section"): 25,
    ("SN", "figure"): 1,
}


@pytest.fixture(scope="module")
def items():
    return source_items.load_items(ROOT / source_items.ITEMS_FILE)


@pytest.fixture(scope="module")
def book(items):
    return source_items.coverage(items, ROOT)


def ids(items, source, kind):
    return [item.id for item in items if (item.source, item.kind) == (source, kind)]


def of_part(items, part):
    """Return the items planned in a chapter, or those whose id starts with a prefix."""
    return [item for item in items if item.chapter == part or item.id.startswith(part)]


# The data


def test_number_of_items_of_each_source_and_kind(items):
    assert Counter((item.source, item.kind) for item in items) == COUNTS


def test_every_section_of_es_is_listed(items):
    chapters = {f"es-chapter-{chapter}" for chapter in ES_SECTIONS} | {"es-appendix-a"}
    sections = {f"es-section-{chapter}-{n}" for chapter, last in ES_SECTIONS.items() for n in range(1, last + 1)}
    appendix = {f"es-appendix-a-{n}" for n in range(1, ES_APPENDIX + 1)}
    assert set(ids(items, "ES", "section")) == chapters | sections | appendix | ES_UNNUMBERED


def test_every_figure_of_es_is_listed_once_and_in_order(items):
    assert ids(items, "ES", "figure") == [f"es-figure-{n}" for n in range(1, 80)]


def test_every_exercise_of_es_is_listed(items):
    expected = set()
    for page, count in ES_EXERCISES.items():
        expected |= {f"es-exercise-p{page}" + (f"-{n + 1}" if count > 1 else "") for n in range(count)}
    assert set(ids(items, "ES", "exercise")) == expected


def test_every_section_of_mw_is_listed(items):
    expected = {"mw-learning-and-intuition"} | {f"mw-chapter-{chapter}" for chapter in MW_SECTIONS}
    expected |= {f"mw-section-{chapter}-{n}" for chapter, last in MW_SECTIONS.items() for n in range(1, last + 1)}
    for letter, last in MW_APPENDICES.items():
        expected |= {f"mw-appendix-{letter}"} | {f"mw-appendix-{letter}-{n}" for n in range(1, last + 1)}
    assert set(ids(items, "MW", "section")) == expected


@pytest.mark.parametrize("source", ["HJ", "SN"])
def test_headings_of_unnumbered_sources_are_counted_from_the_top(items, source):
    numbers = [int(item.number) for item in items if (item.source, item.kind) == (source, "section")]
    assert numbers == list(range(1, COUNTS[source, "section"] + 1))


@pytest.mark.parametrize("source", ["ES", "MW"])
def test_items_follow_the_pages_of_their_source(items, source):
    pages = [item.page for item in items if item.source == source and item.page != "vii"]
    assert pages == sorted(pages)


def test_ids_agree_with_number_and_page(items):
    for item in items:
        prefix = item.source.lower()
        if item.kind == "figure":
            assert item.id == f"{prefix}-figure-{item.number}"
        elif item.kind == "exercise":
            assert item.id == f"{prefix}-exercise-p{item.page}" + (f"-{item.number}" if item.number else "")
        elif item.kind == "algorithm":
            assert item.id.startswith(f"{prefix}-algorithm-")
        elif item.page is not None and item.number is not None and item.id not in ES_UNNUMBERED:
            kind = item.place.split()[0].lower()
            assert item.id == f"{prefix}-{kind}-{item.number.lower().replace('.', '-')}"


def test_every_item_is_planned_in_a_chapter_and_no_chapter_is_left_out(items):
    assert {item.chapter for item in items} == set(CHAPTERS)


# The labels in the book


def test_labels_in_the_book_are_known_and_unique(book):
    assert book.unknown == ()
    assert book.duplicates == ()


def test_items_not_yet_in_the_book(items, book, record_property, capsys):
    record_property("items_missing", len(book.missing))
    by_chapter = dict(Counter(item.chapter for item in book.missing))
    with capsys.disabled():
        print(f"\nconcordance: {len(book.missing)} of {len(items)} items not yet in the book {by_chapter or ''}")
    assert len(book.covered) + len(book.missing) == len(items)


def test_parts_declared_complete_have_no_gap(items, book):
    for part in COMPLETE:
        wanted = of_part(items, part)
        assert wanted, f"COMPLETE: no item belongs to {part!r}"
        assert [item.id for item in wanted if item.id not in book.covered] == []


def test_page_has_a_table_for_every_source():
    page = (ROOT / "book" / "concordance.md").read_text(encoding="utf-8")
    assert tuple(re.findall(r"^```\{concordance\} (\w+)$", page, re.MULTILINE)) == source_items.SOURCES


# The functions


def test_doctests():
    assert doctest.testmod(source_items).failed == 0


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("(es-a)=\n(es-b)=\n\nText", ["es-a", "es-b"]),
        ("Text\n(es-a)=  \nmore", ["es-a"]),
        ("See (es-a)= here, (es-b)\nor es-c)=", []),
        ("    (es-code)=", []),
        ("% (es-comment)=", []),
        ("~~~\n(es-code)=\n```\n(es-code)=\n~~~\n(es-a)=", ["es-a"]),
        ("```{code-block} md\n(es-code)=\n```\n(es-a)=", ["es-a"]),
        ("````{note}\n(es-a)=\n```{hint}\n(es-b)=\n```\n(es-c)=\n````\n(es-d)=", ["es-a", "es-b", "es-c", "es-d"]),
        ("````{note}\n```python\n(es-code)=\n```\n(es-a)=\n````\n(es-b)=", ["es-a", "es-b"]),
        ("```one line``` of code\n(es-a)=", ["es-a"]),
        (":::{note}\n(es-a)=\nText\n:::", ["es-a"]),
        ("(ES-A)=\nText", ["es-a"]),
    ],
)
def test_targets_are_those_that_myst_sees(text, labels):
    assert list(source_items.markdown_targets(text)) == labels
    settings = {"myst_enable_extensions": ["colon_fence"], "myst_suppress_warnings": ["myst"]}
    document = publish_doctree(text, parser=Parser(), settings_overrides=settings)
    assert sorted(document.nameids) == labels


ITEM = {"id": "es-figure-1", "source": "ES", "kind": "figure", "title": "Objects", "chapter": "01_data"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"source": "XX"}, "source of es-figure-1: expected one of ES, MW, HJ, SN, got 'XX'"),
        ({"kind": "table"}, "kind of es-figure-1"),
        ({"id": "mw-figure-1"}, "id of mw-figure-1: expected its source as prefix"),
        ({"id": "es-Figure-1"}, "id of es-Figure-1"),
        ({"id": 1}, "id of 1"),
        ({"title": " "}, "title of es-figure-1"),
        ({"chapter": "data"}, "chapter of es-figure-1: expected a notebook's stem"),
        ({"number": 3.1}, "number of es-figure-1: expected a quoted text, got 3.1"),
        ({"colour": "red"}, "unexpected keyword argument 'colour'"),
    ],
)
def test_bad_items_are_named(tmp_path, change, message):
    path = tmp_path / "items.yml"
    path.write_text(json.dumps([ITEM | change]))
    with pytest.raises(ValueError, match=re.escape(message)):
        source_items.load_items(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[3]", "bad item 3"),
        ("", "expected a list of items, got NoneType"),
        (json.dumps([ITEM, ITEM]), "ids must be unique, got more than one es-figure-1"),
    ],
)
def test_bad_item_files_are_refused(tmp_path, text, message):
    path = tmp_path / "items.yml"
    path.write_text(text)
    with pytest.raises(ValueError, match=message):
        source_items.load_items(path)


def write_notebook(path, *cells):
    """Write a notebook: a text is a Markdown cell, a pair (source, output) a code cell that has been run."""
    blocks = []
    for number, cell in enumerate(cells):
        block = {"id": f"cell-{number}", "metadata": {}}
        if isinstance(cell, str):
            block |= {"cell_type": "markdown", "source": cell.splitlines(keepends=True)}
        else:
            source, text = cell
            output = {"output_type": "display_data", "metadata": {}, "data": {"text/plain": text}}
            block |= {"cell_type": "code", "execution_count": 1, "source": source, "outputs": [output]}
        blocks.append(block)
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    notebook = {"cells": blocks, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(notebook), encoding="utf-8")


def test_coverage_of_a_small_book(tmp_path):
    listed = tuple(source_items.Item(**ITEM | {"id": f"es-figure-{n}"}) for n in (1, 2, 3))
    write_notebook(tmp_path / "notebooks/01_data.ipynb", "# Data\n(es-figure-1)=", ("1", "1"), "(es-figure-9)=")
    write_notebook(tmp_path / "notebooks/02_learning.ipynb", "(es-figure-2)=\n(es-figure-1)=")
    (tmp_path / "book").mkdir()
    (tmp_path / "book/notes.md").write_text("# Notes\n\n(es-figure-2)=\n(errata-es-1)=\n")
    book = source_items.coverage(listed, tmp_path)
    assert book.covered == {"es-figure-1": "notebooks/01_data.ipynb", "es-figure-2": "notebooks/02_learning.ipynb"}
    assert book.missing == (listed[2],)
    assert book.unknown == (("es-figure-9", "notebooks/01_data.ipynb"),)
    assert book.duplicates == (("es-figure-1", "notebooks/02_learning.ipynb"), ("es-figure-2", "book/notes.md"))
    assert of_part(listed, "01_data") == list(listed)
    assert of_part(listed, "es-figure-3") == [listed[2]]
    assert source_items.chapter_title(tmp_path, "01_data") == "Data"
    assert source_items.page_title(tmp_path / "notebooks/02_learning.ipynb") == "02_learning"


@pytest.mark.parametrize("text", ["", "{}", '{"cells": 3}', '{"cells": [{"cell_type": "markdown"}]}'])
def test_files_that_are_no_notebooks_are_named(tmp_path, text):
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "notebooks/01_data.ipynb").write_text(text)
    with pytest.raises(ValueError, match="01_data.ipynb: expected a notebook"):
        source_items.coverage((), tmp_path)


# The page, built by Sphinx

CONF = """
extensions = ["myst_nb", "concordance"]
exclude_patterns = ["_build", "notebooks/99_*"]
nb_execution_mode = "off"
smartquotes = False
html_theme = "basic"
"""
MARGINS = (
    "# Wide margins\n\n(es-chapter-3)=\n(es-section-3-1)=\n(es-figure-13)=\n## A heading\n\n"
    "(es-figure-14)=\n(es-figure-15)=\nA paragraph.\n\n(es-figure-16)=\n(es-exercise-p31)=\n",
    ("1 + 1", "2"),
    "```{note}\n(mw-chapter-8)=\nIn a directive.\n```\n\n(es-figure-17)=\n- a list\n",
)


def build(root):
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-n", "-q", "-b", "html", ".", "_build/html"]
    environment = os.environ | {"PYTHONPATH": str(EXTENSIONS)}
    return subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, timeout=600)


def read(page):
    return BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser")


def rows(root):
    """Return the cells of the built concordance by the first cell, for all four tables."""
    found = {}
    for row in read(root / "_build/html/book/concordance.html").select("table.concordance tbody tr"):
        place, title, here = row.find_all("td")
        found[place.get_text(strip=True), title.get_text(strip=True)] = here
    return found


def test_page_in_clean_incremental_and_faulty_builds(tmp_path, items):
    place = {item.id: (item.place, item.title) for item in items}
    (tmp_path / "book/concordance").mkdir(parents=True)
    for name in ("concordance.md", "concordance/items.yml"):
        (tmp_path / "book" / name).write_bytes((ROOT / "book" / name).read_bytes())
    (tmp_path / "conf.py").write_text(CONF)
    index = "# Book\n\n```{toctree}\nnotebooks/07_margins\nbook/concordance\n```\n"
    (tmp_path / "index.md").write_text(index)
    write_notebook(tmp_path / "notebooks/07_margins.ipynb", *MARGINS)
    write_notebook(tmp_path / "notebooks/99_draft.ipynb", "# Draft\n\n(es-figure-1)=\nNot in the book.")

    clean = build(tmp_path)
    assert (clean.returncode, clean.stderr) == (0, "")
    table = rows(tmp_path)
    assert table.keys() == set(place.values())
    covered = source_items.markdown_targets("\n".join(cell for cell in MARGINS if isinstance(cell, str)))
    assert len(covered) == 9
    anchors = {tag["id"] for tag in read(tmp_path / "_build/html/notebooks/07_margins.html").find_all(id=True)}
    for label in covered:
        link = table[place[label]].find("a")
        assert link["href"] == f"../notebooks/07_margins.html#{label}"
        assert link.get_text() == "Wide margins"
        assert label in anchors
    assert sum(cell.find("a") is not None for cell in table.values()) == len(covered)
    for label, text in (("es-figure-1", "Chapter 3: nearest neighbours"), ("es-figure-12", "Wide margins")):
        planned = table[place[label]].select_one("span.concordance-planned")
        assert planned.get_text() == f"planned: {text}"
    counts = read(tmp_path / "_build/html/book/concordance.html").select("p:has(> strong)")
    assert [paragraph.get_text() for paragraph in counts] == [
        "8 of 181 items stand in the book: 2 of 62 sections, 5 of 79 figures, 0 of 17 algorithms, 1 of 23 exercises.",
        "1 of 54 items stand in the book: 1 of 42 sections, 0 of 12 exercises.",
        "0 of 28 items stand in the book.",
        "0 of 26 items stand in the book: 0 of 25 sections, 0 of 1 figure.",
    ]

    write_notebook(tmp_path / "notebooks/07_margins.ipynb", "# Margins\n\n(es-figure-18)=\n", ("1 + 1", "2"))
    write_notebook(tmp_path / "notebooks/08_duals.ipynb", "# Duals\n\n(es-figure-16)=\nIn a notebook just added.")
    (tmp_path / "index.md").write_text(index.replace("07_margins", "07_margins\nnotebooks/08_duals"))
    incremental = build(tmp_path)
    assert (incremental.returncode, incremental.stderr) == (0, "")
    links = {cell: here.find("a") for cell, here in rows(tmp_path).items()}
    assert {cell: (link["href"], link.get_text()) for cell, link in links.items() if link} == {
        place["es-figure-16"]: ("../notebooks/08_duals.html#es-figure-16", "Duals"),
        place["es-figure-18"]: ("../notebooks/07_margins.html#es-figure-18", "Margins"),
    }

    write_notebook(tmp_path / "notebooks/08_duals.ipynb", "# Duals\n\n(es-figure-18)=\n(es-figure-80)=\nFaulty.")
    faulty = build(tmp_path)
    assert faulty.returncode != 0
    assert "08_duals.ipynb: WARNING: concordance: unknown label 'es-figure-80'" in faulty.stderr
    assert "08_duals.ipynb: WARNING: concordance: duplicate label 'es-figure-18'" in faulty.stderr
