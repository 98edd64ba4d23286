"""A page with two figures, opened as a file: what a reader with a keyboard, a mouse, a phone or no script meets."""

import io
import os
import re
from statistics import median

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

from mlcore.explore import Explorable, Picture, choice, linear_slider, position, step_scrubber, toggle
from mlcore.explore.page import page_html
from mlcore.explore.scene import Scene

FRAME = 16  # milliseconds

# Two figures: one with every kind of control, one with two panels, an image and many artists


def _frame(figure):
    axes = figure.subplots()
    axes.set(xlim=(0, 4), ylim=(0, 4), title="Fixed", xlabel="x", ylabel="y")
    axes.scatter([1, 3], [3, 1], color="black", zorder=12)


def _draw(figure, height, style, wide, step):
    axes = figure.axes[0]
    line = {"solid": "-", "dashed": "--", "dotted": ":"}[style]
    axes.plot([-5, 9], [height - 2, step + 2], linestyle=line, linewidth=4 if wide else 1.5)


def _describe(height, style, wide, step):
    return f"height {height:g} & {style}, {'wide' if wide else 'narrow'},\nstep {step} < 4"


def _columns(figure):
    for column in figure.subfigs:
        column.subplots().set(xlim=(-2, 2), ylim=(-2, 2), xlabel="first coordinate", ylabel="second coordinate")


def _draw_columns(figure, p_x, p_y):
    left, right = (column.axes[0] for column in figure.subfigs)
    points = np.random.default_rng(0).uniform(-2, 2, (200, 2))
    grid = np.linspace(-2, 2, 40)
    height = np.hypot(grid - p_x, (grid - p_y)[:, None])
    left.contourf(grid, grid, height, levels=12)
    left.scatter(*points.T, c=np.hypot(*(points - [p_x, p_y]).T), s=14, edgecolor="white", zorder=5)
    right.imshow(height, extent=(-2, 2, -2, 2), origin="lower", aspect="auto")
    right.plot([p_x], [p_y], "r*", markersize=14)


FIRST = Explorable(
    "A line <b>through</b> & through",
    (
        linear_slider("height", "height", 0, 4, start=2, steps=5),
        choice("style", "style", ["solid", "dashed", "dotted"]),
        toggle("wide", "wide line"),
        step_scrubber("step", "step", 4),
    ),
    _draw,
    _describe,
    _frame,
)
SECOND = Explorable(
    "Two panels",
    (position("p", "point", (-2, 2), (-2, 2), start=(0, 0), steps=9),),
    _draw_columns,
    lambda p_x, p_y: f"The point is ({p_x:g}, {p_y:g}).",
    _columns,
    size=(8.4, 4.0),
    panels=2,
)
STILL = Picture("A still picture", lambda figure: figure.text(0.4, 0.5, "still"), lambda: "Nothing moves here.")


def _page(*explorables):
    figures = "".join(page_html(explorable) for explorable in explorables)
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Figures</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1"></head>'
        f'<body style="font-family: sans-serif"><main><h1>Figures</h1>{figures}</main></body></html>'
    )


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """Return the address of the page, a file."""
    path = tmp_path_factory.mktemp("figures") / "figures.html"
    before = os.environ.get("MLCORE_EXPLORE_JOBS")
    os.environ["MLCORE_EXPLORE_JOBS"] = "1"
    try:
        path.write_text(_page(FIRST, SECOND, STILL), encoding="utf-8")
    finally:
        os.environ.pop("MLCORE_EXPLORE_JOBS")
        if before is not None:
            os.environ["MLCORE_EXPLORE_JOBS"] = before
    return path.as_uri()


def _open(tab, address):
    tab.page.goto(address)
    for number in (0, 1):
        expect(tab.page.locator("figure.explorable").nth(number)).to_have_attribute("data-ready", "true")
    return Figure(tab.page, 0, FIRST), Figure(tab.page, 1, SECOND)


@pytest.fixture
def figures(tab, address):
    return _open(tab, address)


class Figure:
    """A figure on the page and the state in which it should be."""

    def __init__(self, page, number, explorable):
        self.page, self.explorable, self.state = page, explorable, explorable.start
        self.root = page.locator("figure.explorable").nth(number)
        self.scene = Scene(explorable)

    def control(self, label):
        role = {"style": "combobox", "wide line": "checkbox", "Play step": "button", "Pause step": "button"}
        return self.root.get_by_role(role.get(label, "slider"), name=label, exact=True)

    def press(self, label, *keys):
        self.control(label).focus()
        for key in keys:
            self.page.keyboard.press(key)

    def moving(self):
        """Return the outlines and the images that the moving layer of every panel shows."""
        return self.root.locator(".explorable-picture > svg").evaluate_all(
            "panels => panels.map(panel => [...panel.children[1].querySelectorAll('path, image')]"
            ".map(element => element.getAttribute('d') || element.getAttribute('href')))"
        )

    def check(self, **moved):
        """Check that picture, readout, alternative text and controls show the state after `moved`."""
        self.state = {**self.state, **moved}
        text = self.explorable.describe(**self.state)
        assert self.root.locator(".explorable-readout").evaluate("element => element.textContent") == text
        heard = self.root.get_by_role("img").get_attribute("aria-label")
        assert heard == f"{self.explorable.title}. {text}"
        wanted = [re.findall(r' (?:d|href)="([^"]*)"', panel) for panel in self.scene.moving(self.state)]
        assert self.moving() == wanted
        for control in self.explorable.controls:
            shown = control.text(self.state[control.name])
            element = self.control(control.label)
            if control.kind == "toggle":
                assert element.is_checked() == self.state[control.name]
            elif control.kind == "choice":
                assert element.evaluate("list => list.selectedOptions[0].textContent") == shown
            else:
                assert element.get_attribute("aria-valuetext") == shown
                assert element.locator("xpath=../output").text_content() == shown


# Keyboard


@pytest.mark.parametrize(
    ("label", "keys", "moved"),
    [
        ("height", ["ArrowRight"], {"height": 3}),
        ("height", ["ArrowUp", "ArrowUp"], {"height": 4}),
        ("height", ["ArrowLeft"], {"height": 1}),
        ("height", ["ArrowDown", "ArrowDown", "ArrowDown"], {"height": 0}),
        ("height", ["Home"], {"height": 0}),
        ("height", ["End"], {"height": 4}),
        ("height", ["End", "ArrowRight", "ArrowLeft"], {"height": 3}),
        ("style", ["ArrowDown"], {"style": "dashed"}),
        ("style", ["End"], {"style": "dotted"}),
        ("style", ["d", "o"], {"style": "dotted"}),
        ("wide line", ["Space"], {"wide": True}),
        ("wide line", ["Space", "Space"], {"wide": False}),
        ("step", ["ArrowRight"], {"step": 1}),
        ("step", ["End"], {"step": 3}),
        ("step", ["End", "Home"], {"step": 0}),
    ],
)
def test_every_control_moves_by_keyboard(figures, label, keys, moved):
    first, second = figures
    first.check()
    first.press(label, *keys)
    first.check(**moved)
    second.check()


def test_a_walk_through_many_states_by_tab_and_arrow_keys(figures):
    first, second = figures
    keyboard = first.page.keyboard
    walk = [
        (["Tab", "ArrowRight"], {"height": 3}),
        (["Tab", "ArrowDown"], {"style": "dashed"}),
        (["Tab", "Space"], {"wide": True}),
        (["Tab", "ArrowRight", "ArrowRight"], {"step": 2}),
        (["Shift+Tab", "Space"], {"wide": False}),
        (["Shift+Tab", "ArrowDown"], {"style": "dotted"}),
        (["Shift+Tab", "Home"], {"height": 0}),
    ]
    for keys, moved in walk:
        for key in keys:
            keyboard.press(key)
        first.check(**moved)
    for _ in range(5):
        keyboard.press("Tab")  # style, wide line, step, play, and on to the next figure
    keyboard.press("ArrowRight")
    second.check(p_x=0.5)
    first.check()


def test_two_figures_do_not_disturb_each_other(figures):
    first, second = figures
    second.press("point: x", "Home")
    second.check(p_x=-2)
    first.check()
    first.press("height", "End")
    first.check(height=4)
    second.check()
    second.press("point: y", "ArrowRight", "ArrowRight")
    second.check(p_y=1)
    first.press("step", "ArrowRight")
    first.check(step=1)
    second.check()


def test_the_focused_control_is_marked(figures):
    first, _ = figures
    first.press("height", "ArrowRight")
    assert first.control("height").evaluate("element => getComputedStyle(element).outlineStyle") == "solid"


# Pointer


def _drag(figure, label, start, stop):
    box = figure.control(label).bounding_box()
    mouse, y = figure.page.mouse, box["y"] + box["height"] / 2
    mouse.move(box["x"] + start * box["width"], y)
    mouse.down()
    mouse.move(box["x"] + stop * box["width"], y, steps=20)
    mouse.up()


def test_a_slider_is_dragged(figures):
    first, second = figures
    _drag(first, "height", 0.5, 0.99)
    first.check(height=4)
    _drag(first, "height", 0.98, 0.25)
    first.check(height=1)
    _drag(second, "point: y", 0.5, 0.01)
    second.check(p_y=-2)
    first.check()


def test_a_fast_drag_ends_at_the_last_position(figures):
    _, second = figures
    box = second.control("point: x").bounding_box()
    mouse, y = second.page.mouse, box["y"] + box["height"] / 2
    mouse.move(box["x"] + box["width"] / 2, y)
    mouse.down()
    for number in range(40):
        mouse.move(box["x"] + (0.02 if number % 2 else 0.98) * box["width"], y)
    mouse.up()
    second.check(p_x=-2)


def test_a_click_switches_and_the_label_is_part_of_the_switch(figures):
    first, _ = figures
    first.root.get_by_text("wide line", exact=True).click()
    first.check(wide=True)
    first.control("style").select_option("dashed")
    first.check(style="dashed")


def test_a_finger_moves_a_slider(open_tab, address):
    tab = open_tab(has_touch=True, is_mobile=True, viewport={"width": 390, "height": 800})
    first, _ = _open(tab, address)
    box = first.control("height").bounding_box()
    tab.page.touchscreen.tap(box["x"] + 0.98 * box["width"], box["y"] + box["height"] / 2)
    first.check(height=4)
    box = first.control("wide line").bounding_box()
    tab.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    first.check(wide=True)
    tab.check()


# Playing


@pytest.fixture
def played(tab, address):
    """Return the first figure on a page whose clock the test moves."""
    tab.page.clock.install()
    first, _ = _open(tab, address)
    tab.page.clock.pause_at(tab.page.evaluate("Date.now()") + 1000)
    return first


def test_play_advances_step_by_step_and_stops_at_the_end(played):
    played.press("Play step", "Enter")
    assert played.control("Pause step").text_content() == "Pause"
    played.check(step=0)
    for step in (1, 2, 3):
        played.page.clock.run_for(700)
        played.check(step=step)
    assert played.control("Play step").text_content() == "Play"
    played.page.clock.run_for(10_000)
    played.check(step=3)


def test_play_starts_over_from_the_end(played):
    played.press("step", "End")
    played.check(step=3)
    played.press("Play step", "Space")
    played.check(step=0)
    played.page.clock.run_for(700)
    played.check(step=1)


def test_pause_holds_and_play_goes_on(played):
    played.control("Play step").click()
    played.page.clock.run_for(1400)
    played.check(step=2)
    played.control("Pause step").click()
    played.page.clock.run_for(10_000)
    played.check(step=2)
    played.control("Play step").click()
    played.page.clock.run_for(700)
    played.check(step=3)


def test_other_controls_move_while_steps_are_played(played):
    played.control("Play step").click()
    played.page.clock.run_for(700)
    played.press("height", "Home")
    played.check(step=1, height=0)
    played.press("step", "End")
    played.check(step=3)
    played.page.clock.run_for(5_000)
    played.check(step=3)
    assert played.control("Play step").text_content() == "Play"


# Speed

STOPWATCH = """figure => {
  const times = window.times = [];
  let start;
  figure.addEventListener("input", () => { start = performance.now(); }, true);
  figure.addEventListener("input", (event) => {
    figure.querySelectorAll(".explorable-picture > svg").forEach((panel) => panel.getBoundingClientRect());
    const work = performance.now() - start;
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => times.push({ work, painted: performance.now() - event.timeStamp });
      channel.port2.postMessage(null);
    });
  });
}"""


def test_a_key_press_is_worked_off_within_one_frame(figures, record_property):
    _, second = figures
    second.root.evaluate(STOPWATCH)
    presses = 30
    for number in range(presses):
        second.press("point: x", "ArrowLeft" if number % 2 else "ArrowRight")
        second.page.wait_for_function("count => window.times.length === count", arg=number + 1)
    times = second.page.evaluate("window.times")
    work, painted = ([each[name] for each in times] for name in ("work", "painted"))
    record_property("handler_and_layout_ms", (median(work), max(work)))
    record_property("painted_ms", (median(painted), max(painted)))
    assert len(second.moving()[0]) > 200  # a picture with much to paint
    assert median(work) < FRAME


# Everyone


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(open_tab, address, scheme):
    tab = open_tab(color_scheme=scheme)
    first, _ = _open(tab, address)
    assert tab.serious_violations() == []
    first.press("height", "End")
    assert tab.serious_violations() == []
    tab.check()


def test_axe_would_have_found_something(open_tab, tmp_path):
    path = tmp_path / "bad.html"
    path.write_text('<!doctype html><html><head><title>x</title></head><body><img src="data:,"><input></body></html>')
    tab = open_tab()
    tab.page.goto(path.as_uri())
    assert {"html-has-lang", "image-alt", "label"} <= {rule for rule, _, _ in tab.serious_violations()}


@pytest.mark.parametrize("width", [320, 360, 390])
def test_a_phone_needs_no_sideways_scrolling(open_tab, address, width):
    tab = open_tab(viewport={"width": width, "height": 740}, device_scale_factor=2, is_mobile=True, has_touch=True)
    _, second = _open(tab, address)
    assert tab.overflow() == 0
    for element in tab.page.locator("figure *:visible").all():
        box = element.bounding_box()
        assert box is None or box["x"] >= 0 and box["x"] + box["width"] <= width + 0.5 or _clipped(element)
    left, right = (panel.bounding_box() for panel in second.root.locator(".explorable-picture > svg").all())
    assert right["y"] >= left["y"] + left["height"]  # panels below each other
    assert left["width"] > 0.8 * width
    tab.check()


def _clipped(element):
    """Say whether an element stands inside a drawing, which cuts off what is outside."""
    return element.evaluate("element => Boolean(element.ownerSVGElement)")


def test_panels_stand_side_by_side_where_there_is_room(figures):
    _, second = figures
    left, right = (panel.bounding_box() for panel in second.root.locator(".explorable-picture > svg").all())
    assert left["y"] == right["y"]
    assert left["x"] + left["width"] <= right["x"]
    assert left["width"] == pytest.approx(right["width"], abs=1)


def test_without_javascript_the_start_is_there(open_tab, address):
    tab = open_tab(java_script_enabled=False)
    tab.page.goto(address)
    for number, explorable in enumerate((FIRST, SECOND, STILL)):
        root = tab.page.locator("figure.explorable").nth(number)
        text = explorable.describe(**explorable.start)
        expect(root.locator(".explorable-readout")).to_be_visible()
        assert root.locator(".explorable-readout").inner_text() == text
        assert root.get_by_role("img").get_attribute("aria-label") == f"{explorable.title}. {text}"
        for panel in root.locator(".explorable-picture > svg").all():
            box = panel.bounding_box()
            assert min(box["width"], box["height"]) > 100
            assert panel.locator("path").count() > 0
        assert root.get_by_role("slider").count() == 0
    shown = tab.page.screenshot()
    assert len(Image.open(io.BytesIO(shown)).convert("L").getcolors()) > 50
    tab.check()


# The picture itself


@pytest.mark.parametrize("number", [0, 1])
def test_the_page_shows_what_matplotlib_draws(open_tab, address, number):
    tab = open_tab(device_scale_factor=2)
    figure = _open(tab, address)[number]
    moved = {"height": 4.0} if number == 0 else {"p_x": 1.5}
    figure.press("height" if number == 0 else "point: x", *["ArrowRight"] * (2 if number == 0 else 3))
    figure.check(**moved)
    panels = figure.root.locator(".explorable-picture > svg")
    shown = [
        np.asarray(Image.open(io.BytesIO(panel.screenshot())).convert("RGB"), dtype=float) for panel in panels.all()
    ]
    width, height = figure.explorable.size
    for column, pixels in enumerate(shown):
        rows, columns = pixels.shape[:2]
        density = columns * len(shown) / width
        drawn = Image.open(io.BytesIO(figure.scene.png(figure.state, dots_per_inch=density, colours=256))).convert(
            "RGB"
        )
        each = drawn.width // len(shown)
        part = drawn.crop((column * each, 0, (column + 1) * each, drawn.height)).resize((columns, rows))
        wanted = np.asarray(part, dtype=float)
        assert _difference(pixels, wanted) < 0.02
        assert _difference(np.roll(pixels, 8, axis=0), wanted) > 0.02  # four pixels of the page make it worse
        assert _difference(pixels[::-1], wanted) > 0.02


def _difference(one, other):
    """Return the share of pixels that differ clearly after the edges have been softened."""
    return float((np.abs(_softened(one) - _softened(other)).max(axis=-1) > 40).mean())


def _softened(pixels, size=4):
    rows, columns = (length // size * size for length in pixels.shape[:2])
    return pixels[:rows, :columns].reshape(rows // size, size, columns // size, size, 3).mean(axis=(1, 3))


# What the tests stand on


def test_the_network_is_blocked_and_the_attempt_is_seen(open_tab, tmp_path):
    path = tmp_path / "page.html"
    path.write_text(
        '<!doctype html><title>x</title><img src="http://192.0.2.1/a.png"><script>throw Error("oh")</script>'
    )
    tab = open_tab()
    tab.page.goto(path.as_uri())
    assert tab.blocked == ["http://192.0.2.1/a.png"]
    assert any("oh" in problem for problem in tab.problems)
    with pytest.raises(AssertionError):
        tab.check()


@pytest.mark.parametrize(
    ("address", "local"),
    [
        ("file:///a.html", True),
        ("data:,", True),
        ("blob:null/1", True),
        ("http://127.0.0.1:8888/lab", True),
        ("ws://localhost:8888/api", True),
        ("https://example.org/", False),
        ("http://127.0.0.1.example.org/", False),
        ("wss://example.org/", False),
    ],
)
def test_what_counts_as_local(tab, address, local):
    assert tab.is_local(address) is local


def test_a_missing_browser_fails_with_one_sentence(find_chromium, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(pytest.fail.Exception, match="^The browser tests need Chromium: run .*chromium`.$"):
        find_chromium(tmp_path / "nothing")
    own = tmp_path / "chrome"
    own.touch()
    assert find_chromium(own) == own
