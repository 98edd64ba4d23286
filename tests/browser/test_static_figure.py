"""A page with two figures, opened as a file: what a reader with a keyboard, a mouse, a phone or no script meets."""

import io

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect
from two_figures import FIRST, SECOND, STILL, open_figures, page_with


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """Return the address of the page, a file."""
    path = tmp_path_factory.mktemp("figures") / "figures.html"
    path.write_text(page_with(FIRST, SECOND, STILL), encoding="utf-8")
    return path.as_uri()


@pytest.fixture
def figures(tab, address):
    return open_figures(tab, address)


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
    first, _ = open_figures(tab, address)
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
    first, _ = open_figures(tab, address)
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


# Everyone


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(open_tab, address, scheme):
    tab = open_tab(color_scheme=scheme)
    first, _ = open_figures(tab, address)
    assert tab.serious_violations() == []
    first.press("height", "End")
    assert tab.serious_violations() == []
    tab.check()


OUTSIDE = """[...document.querySelectorAll("figure *")]
  .filter((element) => !element.ownerSVGElement)  // a drawing cuts off what is outside
  .filter((element) => {
    const { left, right } = element.getBoundingClientRect();
    return left < 0 || right > document.documentElement.clientWidth + 0.5;
  })
  .map((element) => element.outerHTML.slice(0, 100))"""


@pytest.mark.parametrize("width", [320, 360, 390])
def test_a_phone_needs_no_sideways_scrolling(open_tab, address, width):
    tab = open_tab(viewport={"width": width, "height": 740}, device_scale_factor=2, is_mobile=True, has_touch=True)
    _, second = open_figures(tab, address)
    assert tab.overflow() == 0
    assert tab.page.evaluate(OUTSIDE) == []
    left, right = (panel.bounding_box() for panel in second.root.locator(".explorable-picture > svg").all())
    assert right["y"] >= left["y"] + left["height"]  # panels below each other
    assert left["width"] > 0.8 * width
    tab.check()


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
    figure = open_figures(tab, address)[number]
    moved = {"height": 4.0} if number == 0 else {"p_x": 1.5}
    figure.press("height" if number == 0 else "point: x", *["ArrowRight"] * (2 if number == 0 else 3))
    figure.check(**moved)
    width, height = (round(100 * length) for length in figure.explorable.size)
    panel = f"width: {width // figure.explorable.panels}px; height: {height}px"
    # 100 pixels an inch, from the corner of the window: no pixel is cut.
    tab.page.add_style_tag(
        content=".explorable-picture { position: fixed; top: 0; left: 0; z-index: 9; background: white }"
        f".explorable-picture > svg {{ flex: none !important; {panel} }}"
        ".explorable-picture { flex-wrap: nowrap !important; gap: 0 !important }"
    )
    tab.page.set_viewport_size({"width": 900, "height": 500})
    corner = {"x": 0, "y": 0, "width": width, "height": height}
    figure.root.evaluate("root => document.querySelectorAll('figure').forEach(each => each === root || each.remove())")
    shown = _pixels(tab.page.screenshot(clip=corner))
    wanted = _pixels(figure.scene.png(figure.state, dots_per_inch=200, colours=256))
    assert shown.shape == wanted.shape == (2 * height, 2 * width, 3)
    assert _difference(shown, wanted) < 0.008
    assert _difference(shown, np.roll(wanted, 3, axis=0)) > 0.008  # one and a half pixels of the page are too many
    assert _difference(shown, wanted[::-1]) > 0.03
    assert _difference(shown, _pixels(figure.scene.png(figure.explorable.start, dots_per_inch=200))) > 0.008


def _pixels(png):
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"), dtype=float)


def _difference(one, other):
    """Return the share of pixels that differ clearly after the edges have been softened."""
    return float((np.abs(_softened(one) - _softened(other)).max(axis=-1) > 40).mean())


def _softened(pixels, size=4):
    rows, columns = (length // size * size for length in pixels.shape[:2])
    return pixels[:rows, :columns].reshape(rows // size, size, columns // size, size, 3).mean(axis=(1, 3))
