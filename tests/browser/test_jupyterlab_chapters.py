"""Every chapter in JupyterLab: all cells run, and every control of every picture does something."""

import shutil
from pathlib import Path

import pytest
from lab import LabNotebook, running_lab
from playwright.sync_api import expect

ROOT = Path(__file__).resolve().parents[2]
CHAPTERS = sorted(path.name for path in (ROOT / "notebooks").glob("*.ipynb"))
VIEW = "application/vnd.jupyter.widget-view+json"


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """Return the addresses of copies of the chapters on a server of their own."""
    root = tmp_path_factory.mktemp("notebooks")
    for name in CHAPTERS:
        shutil.copy(ROOT / "notebooks" / name, root)
    with running_lab(root, tmp_path_factory.mktemp("settings")) as address:
        yield address


class LivePicture:
    """One explorable in the output of a cell: the box around its controls and its card."""

    def __init__(self, notebook, output):
        self.notebook = notebook
        self.page = output.page
        self.card = output.locator(".explorable-live")
        self.card.wait_for()
        self.title = self.card.locator(".explorable-caption").inner_text()
        sliders = output.locator(".widget-slider")
        expect(sliders.locator(".noUi-handle")).to_have_count(sliders.count())
        self.controls = output.locator(".noUi-handle, select, input[type=checkbox]").all()

    def seen(self):
        return self.card.evaluate("card => card.innerHTML")

    def push(self, control, move):
        """Move a control by a key, or a list to an entry, and say whether the card changed."""
        before = self.seen()
        if isinstance(move, int):
            control.select_option(index=move)
        else:
            control.focus()
            self.page.keyboard.press(move)
        self.notebook.settle()
        assert self.card.locator(".explorable-error").count() == 0, self.card.inner_text()
        return self.seen() != before

    @staticmethod
    def moves(control):
        """Return the moves that lead a control through its range, first to its ends."""
        kind = control.evaluate("control => control.type ?? 'slider'")
        if kind == "checkbox":
            return ["Space", "Space"]
        if kind == "slider":
            return ["End", "Home", "PageUp", "PageUp"]
        return [control.locator("option").count() - 1, *range(control.locator("option").count() - 1)]

    def matters(self, control):
        """Say whether a control changes the card, if not here then where the others are at an end."""
        if any(self.push(control, move) for move in self.moves(control)):
            return True
        others = [other for other in self.controls if other is not control]
        return any(
            self.push(other, end) and any(self.push(control, move) for move in self.moves(control))
            for other in others
            for end in self.moves(other)[:2]
        )


@pytest.mark.parametrize("name", CHAPTERS)
def test_all_cells_run_and_every_control_changes_its_picture(name, address, open_tab, record_property):
    tab = open_tab(viewport={"width": 1400, "height": 900})
    notebook = LabNotebook(tab.page, address(name))
    cells = notebook.run_all()
    assert [cell["count"] for cell in cells] == list(range(1, len(cells) + 1))
    outputs = [output for cell in cells for output in cell["outputs"]]
    assert [each for each in outputs if each["output_type"] == "error" or each.get("name") == "stderr"] == []
    live = [cell["index"] for cell in cells if any(VIEW in output.get("data", {}) for output in cell["outputs"])]
    moved = 0
    for index in live:
        picture = LivePicture(notebook, notebook.cell(index).locator(".jp-OutputArea").first)
        idle = [number for number, control in enumerate(picture.controls) if not picture.matters(control)]
        assert idle == [], f"{picture.title}: controls that change nothing"
        moved += len(picture.controls)
    record_property("controls_moved", moved)
    assert moved >= 5
    notebook.end()
