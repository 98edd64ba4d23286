"""Every page of the built book as a reader opens it: a file, no network, a keyboard, a mouse, a phone, either theme.

The book is the folder that MARGINS_BOOK names, by default `_build/html`. Each page is loaded once and every test
looks at it in turn.
"""

import os
import re
import subprocess
from dataclasses import dataclass
from importlib.metadata import version
from itertools import product
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
import yaml
from playwright.sync_api import Page

ROOT = Path(__file__).resolve().parents[2]
BOOK = Path(os.environ.get("MARGINS_BOOK", ROOT / "_build" / "html")).resolve()
LARGEST_PAGE = 4_000_000  # bytes
PHONE = {"width": 390, "height": 844}
DESK = {"width": 1200, "height": 900}


def _is_redirect(path):
    return b'http-equiv="refresh"' in path.read_bytes()[:500].lower()


PAGES = [
    path.relative_to(BOOK).as_posix()
    for path in sorted(BOOK.rglob("*.html"))
    if "_static" not in path.parts and path.name not in ("genindex.html", "search.html") and not _is_redirect(path)
]


@dataclass
class Opened:
    """A page of the book in a tab, and which of its solutions were open before anybody touched it."""

    path: Path
    tab: object
    solutions_shown: int

    @property
    def page(self) -> Page:
        return self.tab.page

    def figures(self):
        """Return every explorable of the page that has controls."""
        moving = self.page.locator("figure.explorable:has(> .explorable-controls)")
        return [Figure(moving.nth(number)) for number in range(moving.count())]

    def unfold(self):
        """Open every hint and solution, so that nothing escapes a test by being hidden."""
        self.page.evaluate("document.querySelectorAll('article details').forEach((fold) => { fold.open = true; })")


@pytest.fixture(scope="module", params=PAGES or ["no page"])
def opened(request, open_lasting_tab):
    if not PAGES:
        pytest.fail(f"There is no built book in {BOOK}: run `make book` first.", pytrace=False)
    path = BOOK / request.param
    tab = open_lasting_tab(viewport=DESK, color_scheme="light")
    page = tab.page
    page.goto(path.as_uri())
    page.evaluate("window.MathJax?.startup?.promise")
    page.wait_for_function(
        "[...document.querySelectorAll('.explorable-controls')].every((e) => e.closest('figure').dataset.ready)"
    )
    yield Opened(path, tab, page.locator("article .tag_solution details[open]").count())
    page.context.close()
    tab.check()  # nothing went wrong in any of the tests either


def test_every_page_of_the_table_of_contents_is_there():
    contents = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    listed = [contents["root"], *(chapter["file"] for part in contents["parts"] for chapter in part["chapters"])]
    missing = [page for page in listed if f"{page}.html" not in PAGES]
    assert not missing, f"not in {BOOK}, run `make book` first: {missing}"


# The page itself


def test_nothing_is_missing_and_nothing_comes_from_outside(opened):
    opened.tab.check()
    assert opened.tab.failed == []
    assert {urlsplit(address).scheme for address in opened.tab.asked} <= {"file", "data", "blob"}


def test_every_formula_is_typeset(opened):
    raw = opened.page.evaluate(
        """() => [...document.querySelectorAll(".math")]
             .filter((formula) => !formula.querySelector("mjx-container"))
             .map((formula) => formula.outerHTML)"""
    )
    assert raw == []
    assert opened.page.locator("mjx-merror").count() == 0
    text = opened.page.evaluate(
        """() => {
          const article = document.querySelector("article").cloneNode(true);
          article.querySelectorAll("pre, code, script, style, mjx-container").forEach((each) => each.remove());
          return article.textContent;
        }"""
    )
    assert re.findall(r".{0,20}(?:\$\$|\\\(|\\\[|\\begin\{).{0,20}", text) == []


def test_hints_and_solutions_unfold_by_keyboard(opened):
    assert opened.solutions_shown == 0
    folds = opened.page.locator("article details:has(> summary)")
    for number in range(folds.count()):
        fold = folds.nth(number)
        fold.evaluate(
            "fold => { for (let e = fold.parentElement; e; e = e.parentElement) if ('open' in e) e.open = true; }"
        )
        was_open = fold.evaluate("fold => fold.open")
        heights = [fold.evaluate("fold => fold.offsetHeight")]
        for key in ("Enter", "Space"):
            fold.locator("> summary").press(key)
            heights.append(fold.evaluate("fold => fold.offsetHeight"))
        larger, smaller = (0, 1) if was_open else (1, 0)
        assert heights[larger] > heights[smaller] + 10, fold.inner_text()
        assert heights[2] == heights[0], fold.inner_text()
        assert fold.evaluate("fold => fold.open") == was_open


def test_the_page_weighs_at_most_4_megabytes(opened):
    own = {opened.path} | {
        Path(unquote(urlsplit(address).path))
        for address in opened.tab.asked
        if address.startswith("file:") and "/_static/" not in address  # theme and MathJax serve every page
    }
    assert sum(path.stat().st_size for path in own) <= LARGEST_PAGE


def test_the_page_says_which_mlcore_built_it(opened):
    assert f"mlcore {version('mlcore')}" in opened.page.locator(".build-stamp").inner_text()


def test_launch_buttons_lead_to_the_repository_or_are_not_there(opened):
    remote = subprocess.run(["git", "remote", "get-url", "origin"], cwd=ROOT, capture_output=True, text=True).stdout
    address = re.search(r"(?:github|gitlab)\.com[:/]([^/\s]+/[^/\s]+?)(?:\.git)?/?\s*$", remote)
    buttons = opened.page.locator(".dropdown-launch-buttons a, [class*='launch-thebe'], .thebelab-button")
    elsewhere = opened.page.locator("a[href*='mybinder.org']:not(article a, .dropdown-launch-buttons a)")
    assert elsewhere.count() == 0
    if address is None:
        assert buttons.count() == 0
    elif opened.path.parent.name == "notebooks":
        assert buttons.count() > 0
    for button in buttons.all():
        target = unquote(button.get_attribute("href"))
        assert f"/{address[1]}/" in target and target.endswith(f"{opened.path.stem}.ipynb")


# Pictures

ONLY_TO_LOOK = ("turn the view",)
"""Labels of controls that change what is seen and not what there is to say about it."""

# Drawings are long: each different one gets a number in the page.
_SEEN = """figure => {
  const picture = figure.querySelector(".explorable-picture");
  const drawing = [...picture.querySelectorAll(":scope > svg")].map((svg) => svg.children[1].innerHTML).join();
  window.drawings ??= new Map();
  if (!drawings.has(drawing)) drawings.set(drawing, drawings.size);
  const readout = figure.querySelector(".explorable-readout").textContent;
  return [drawings.get(drawing), readout, picture.getAttribute("aria-label")];
}"""
_CONTROL = """control => {
  if (control.type === "checkbox") return [control.checked, null, null];
  if (control.type === "select-one") return [control.selectedIndex, null, null];
  const beside = control.closest(".explorable-control").querySelector("output").textContent;
  return [Number(control.value), control.getAttribute("aria-valuetext"), beside];
}"""


class Figure:
    """An explorable in the page."""

    def __init__(self, root):
        self.root = root
        self.title = root.locator(".explorable-caption").inner_text()
        self.controls = root.locator(".explorable-controls").locator("input, select").all()
        self.kinds = [control.evaluate("control => control.type") for control in self.controls]
        self.labels = [
            control.evaluate("control => control.closest('label').querySelector('span').textContent")
            for control in self.controls
        ]

    def seen(self):
        """Return a number for the moving layers of the picture, and the readout; the alternative text repeats it."""
        drawing, readout, alternative = self.root.evaluate(_SEEN)
        assert alternative == f"{self.title}. {readout}"
        return drawing, readout

    def sweep(self, number):
        """Move a focused control over its range by keyboard; return its value, spoken value, picture and readout."""
        control, kind = self.controls[number], self.kinds[number]
        if kind == "checkbox":
            keys = ("Space", "Space")
        elif kind == "range":
            keys = ("Home", "ArrowRight", "PageUp", "PageUp", "End", "PageDown", "ArrowLeft")
        else:
            keys = ("Home", *["ArrowDown"] * (control.locator("option").count() - 1))
        stops = []
        for key in keys:
            control.page.keyboard.press(key)
            value, spoken, beside = control.evaluate(_CONTROL)
            assert spoken == beside, self.title
            if kind == "range" and key in ("Home", "End"):
                assert value == int(control.get_attribute("min" if key == "Home" else "max")), self.title
            stops.append((value, spoken, *self.seen()))
        return stops

    def push(self, number, key):
        """Move a control to the end that the key leads to."""
        self.controls[number].press("Space" if self.kinds[number] == "checkbox" else key)

    def first_slider(self):
        """Return the first range input, or None."""
        return next((each for each, kind in zip(self.controls, self.kinds) if kind == "range"), None)


def test_every_control_answers_to_the_keyboard(opened):
    opened.unfold()
    for figure in opened.figures():
        figure.controls[0].focus()
        for number, control in enumerate(figure.controls):
            if control.evaluate("control => control !== document.activeElement"):
                opened.page.keyboard.press("Tab")
            if opened.page.evaluate("document.activeElement.type") == "button":  # Play, behind a step scrubber
                opened.page.keyboard.press("Tab")
            assert control.evaluate("control => control === document.activeElement"), figure.title
            _assert_it_matters(figure, number)


def _assert_it_matters(figure, number):
    """Check that some move of a control changes picture and readout, if not here then where the others are pushed."""
    others = [other for other in range(len(figure.controls)) if other != number]
    for pushed in (None, *product(others, ("End", "Home"))):
        if pushed is not None:
            figure.push(*pushed)
            figure.controls[number].focus()
        values, spoken, pictures, readouts = (set(each) for each in zip(*figure.sweep(number)))
        assert len(values) > 1, figure.title
        assert spoken == {None} or len(spoken) == len(values), figure.title
        if len(pictures) > 1 and (len(readouts) > 1 or figure.labels[number] in ONLY_TO_LOOK):
            return
    raise AssertionError(
        f"{figure.title}: {figure.labels[number]!r} changes {len(pictures)} pictures and {len(readouts)} readouts"
    )


def test_play_buttons_work_by_keyboard(opened):
    opened.unfold()
    for button in opened.page.locator(".explorable-controls button").all():
        for text in ("Pause", "Play"):
            button.press("Enter")
            assert button.inner_text() == text


def test_the_first_slider_can_be_dragged(opened):
    opened.unfold()
    figure = next((figure for figure in opened.figures() if figure.first_slider()), None)
    if figure is None:
        return
    slider = figure.first_slider()
    slider.press("Home")
    before = figure.seen()
    box = slider.bounding_box()
    middle = box["y"] + box["height"] / 2
    opened.page.mouse.move(box["x"] + 8, middle)
    opened.page.mouse.down()
    for part in (0.2, 0.5, 0.8):
        opened.page.mouse.move(box["x"] + part * box["width"], middle)
    opened.page.mouse.up()
    last, thumb = int(slider.get_attribute("max")), 16
    under_pointer = (0.8 * box["width"] - thumb / 2) / (box["width"] - thumb) * last
    assert abs(int(slider.input_value()) - under_pointer) <= max(0.5, 0.1 * last)  # to the nearest position
    after = figure.seen()
    assert after[0] != before[0] and after[1] != before[1]


# Everyone


def test_axe_finds_nothing_serious_in_the_light(opened):
    opened.unfold()
    assert opened.tab.serious_violations() == []


def test_axe_finds_nothing_serious_in_the_dark(opened):
    # The markup is that of the light theme: only what depends on colours is tried again.
    opened.unfold()
    opened.page.emulate_media(color_scheme="dark")
    opened.page.wait_for_function("document.documentElement.dataset.theme === 'dark'")
    opened.page.evaluate("document.getAnimations().forEach((each) => each.finish())")  # colours on their way
    assert opened.tab.serious_violations(rules=["color-contrast", "link-in-text-block"]) == []
    opened.page.emulate_media(color_scheme="light")


def test_a_phone_needs_no_sideways_scrolling(opened):
    opened.unfold()
    opened.page.set_viewport_size(PHONE)
    wide = opened.page.evaluate(
        """() => {
          const cut = (element) => {
            for (let e = element; e; e = e.parentElement) {
              if (e.closest("svg") || ["auto", "scroll"].includes(getComputedStyle(e).overflowX)) return true;
              if (e.tagName === "ARTICLE") return false;
            }
            return true;
          };
          return [...document.querySelectorAll("article *")]
            .filter((e) => !e.closest("mjx-assistive-mml"))  // a pixel wide, for screen readers
            .filter((e) => e.checkVisibility() && e.getBoundingClientRect().right > innerWidth + 0.5 && !cut(e))
            .map((e) => e.outerHTML.slice(0, 150));
        }"""
    )
    assert wide == []
    assert opened.tab.overflow() == 0
    opened.page.set_viewport_size(DESK)
