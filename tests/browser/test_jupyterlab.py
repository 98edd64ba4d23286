"""A chapter in JupyterLab: every cell runs, and the pictures answer to keyboard and mouse."""

import shutil
import sys
from pathlib import Path

import pytest
from lab import LabNotebook, running_lab
from playwright.sync_api import expect

ROOT = Path(__file__).resolve().parents[2]
CHAPTER = "07_margins.ipynb"
OF_JUPYTERLAB = (
    "undefined (reading 'node')",  # its cell toolbar measures Markdown cells before they are rendered (4.6)
)


@pytest.fixture(scope="module")
def lab(tmp_path_factory, open_lasting_tab):
    """Return the chapter in JupyterLab, what its cells gave when all were run, and the tab."""
    root = tmp_path_factory.mktemp("notebooks")
    shutil.copy(ROOT / "notebooks" / CHAPTER, root)
    with running_lab(root, tmp_path_factory.mktemp("settings")) as address:
        tab = open_lasting_tab(viewport={"width": 1400, "height": 900})
        notebook = LabNotebook(tab.page, address(CHAPTER))
        yield notebook, notebook.run_all()
        tab.page.context.close()
    assert tab.blocked == []
    assert [problem for problem in tab.problems if not any(known in problem for known in OF_JUPYTERLAB)] == []


@pytest.fixture
def notebook(lab):
    return lab[0]


class Live:
    """The live form of an explorable, in the output of a cell."""

    def __init__(self, cell):
        self.page = cell.page
        self.handle = cell.locator(".noUi-handle").first
        self.value = cell.locator(".widget-readout").first
        self.card = cell.locator(".explorable-live")
        self.readout = cell.locator(".explorable-readout")
        self.error = cell.locator(".explorable-error")
        expect(self.readout).to_be_visible()

    def moving(self):
        """Return the moving layer of the first panel as text."""
        return self.card.locator("[role=img] > svg").first.inner_html()

    def press(self, key, times=1):
        """Press a key on the slider, `times` times without waiting."""
        self.handle.focus()
        for _ in range(times):
            self.page.keyboard.press(key)


@pytest.fixture
def soft_margin(notebook):
    """Return the first picture of the chapter, with the slider at C = 1."""
    live = Live(notebook.cell(1))
    live.press("Home")
    expect(live.readout).to_contain_text("C = 0.01:")
    live.press("ArrowRight", times=12)
    expect(live.readout).to_contain_text("C = 1:")
    return live


def test_every_cell_runs_without_error_or_warning(lab):
    cells = lab[1]
    assert [cell["count"] for cell in cells] == list(range(1, len(cells) + 1))
    outputs = [output for cell in cells for output in cell["outputs"]]
    assert [each for each in outputs if each["output_type"] == "error" or each.get("name") == "stderr"] == []


def test_the_kernel_is_that_of_the_book_and_shows_live_pictures(notebook):
    _, outputs = notebook.run("import os, sys\nprint(sys.executable, 'MLCORE_EXPLORE' in os.environ)")
    assert outputs[0]["text"] == f"{sys.executable} False\n"


def test_every_picture_of_the_chapter_is_live(lab, notebook):
    shown = [output for cell in lab[1] for output in cell["outputs"] if output["output_type"] == "execute_result"]
    live = [each["data"] for each in shown if "application/vnd.jupyter.widget-view+json" in each["data"]]
    assert live
    assert not any("image/png" in each["data"] or "text/html" in each["data"] for each in shown)
    assert all(each["text/plain"] for each in live)  # for readers that know no widgets


def test_a_key_press_changes_picture_and_readout(soft_margin):
    picture = soft_margin.moving()
    soft_margin.press("ArrowRight")
    expect(soft_margin.readout).to_contain_text("C = 1.47:")
    assert soft_margin.value.inner_text() == "1.47"
    assert soft_margin.moving() != picture
    assert "C = 1.47:" in soft_margin.card.locator("[role=img]").get_attribute("aria-label")
    soft_margin.press("ArrowLeft")
    expect(soft_margin.readout).to_contain_text("C = 1:")
    assert soft_margin.moving() == picture


def test_the_picture_is_replaced_in_place(soft_margin):
    height = soft_margin.card.bounding_box()["height"]
    soft_margin.press("ArrowRight", times=5)
    expect(soft_margin.readout).to_contain_text("C = 6.81:")
    expect(soft_margin.card).to_have_count(1)
    assert abs(soft_margin.card.bounding_box()["height"] - height) < 60  # lines of the readout come and go


def test_after_a_burst_the_last_position_wins(notebook, soft_margin):
    soft_margin.press("ArrowRight", times=14)
    soft_margin.press("ArrowLeft", times=6)
    expect(soft_margin.value).to_have_text("21.5")
    expect(soft_margin.readout).to_contain_text("C = 21.5:")
    picture = soft_margin.moving()
    notebook.settle()
    assert "C = 21.5:" in soft_margin.readout.inner_text()
    assert soft_margin.moving() == picture


def test_the_slider_can_be_dragged(soft_margin):
    picture = soft_margin.moving()
    handle, rail = soft_margin.handle.bounding_box(), soft_margin.handle.locator("../..").bounding_box()
    middle = handle["y"] + handle["height"] / 2
    mouse = soft_margin.page.mouse
    mouse.move(handle["x"] + handle["width"] / 2, middle)
    mouse.down()
    mouse.move(rail["x"] + 0.9 * rail["width"], middle, steps=12)
    mouse.up()
    expect(soft_margin.value).to_have_text("316")
    expect(soft_margin.readout).to_contain_text("C = 316:")
    assert soft_margin.moving() != picture


FAILING = """
from mlcore.explore import Explorable, linear_slider

def draw(figure, height):
    if height == 1:
        raise ValueError("no <picture> at this height")
    figure.subplots().plot([0, height])

slider = linear_slider("height", "height", 0, 2, start=0, steps=3)
Explorable("Now and then", (slider,), draw, lambda height: f"The height is {height:g}.")
"""


def test_an_error_stands_under_the_picture_with_its_state_and_goes_away(notebook):
    cell, outputs = notebook.run(FAILING)
    assert [each["output_type"] for each in outputs] == ["execute_result"]
    live = Live(cell)
    picture = live.moving()
    live.press("ArrowRight")
    expect(live.error).to_contain_text("height = 1.0")
    expect(live.error).to_contain_text("ValueError: no <picture> at this height")
    expect(live.error).to_have_attribute("role", "alert")
    assert live.moving() == picture  # the last good one
    live.press("ArrowRight")
    expect(live.readout).to_have_text("The height is 2.")
    expect(live.error).to_have_count(0)


def test_hints_fold(notebook):
    index = next(number for number, (_, source) in enumerate(notebook.sources()) if "{dropdown}" in source)
    hint = notebook.cell(index).locator("details").first
    expect(hint).not_to_have_attribute("open", "")
    folded = hint.bounding_box()["height"]
    hint.locator("summary").click()
    expect(hint).to_have_attribute("open", "")
    assert hint.bounding_box()["height"] > folded + 10
    hint.locator("summary").click()
    expect(hint).not_to_have_attribute("open", "")


def test_solutions_fold(notebook):
    index = next(number for number, (_, source) in enumerate(notebook.sources()) if source.startswith("# Solution"))
    cell = notebook.cell(index)
    expect(cell.locator(".cm-content")).to_have_count(0)
    cell.locator(".jp-InputPlaceholder .jp-Placeholder-content").click()
    expect(cell.locator(".cm-content")).to_be_visible()
    expect(cell.locator(".cm-content")).to_contain_text("# Solution")
