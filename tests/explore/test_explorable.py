import sys
from itertools import product

import pytest

from mlcore.explore import Explorable, Picture, choice, linear_slider, position, toggle
from mlcore.explore.explorable import LARGEST_NUMBER_OF_PAGE_STATES
from mlcore.explore.mode import MODE_VARIABLE, current_mode


def nothing(*args, **state):
    return ""


def slider(name, steps, **more):
    return linear_slider(name, name, 0, 1, start=0, steps=steps, **more)


# What is refused


def test_two_controls_cannot_share_a_name():
    with pytest.raises(ValueError, match=r"^controls: expected different names, got \['a', 'b', 'a'\]$"):
        Explorable("title", (slider("a", 2), slider("b", 2), toggle("a", "a")), nothing, nothing)


@pytest.mark.parametrize("counts", [(121,), (11, 11), (61, 2), (5, 5, 5)])
def test_more_than_120_states_in_the_page_are_refused(counts):
    controls = tuple(slider(name, count) for name, count in zip("abc", counts))
    with pytest.raises(ValueError, match="^title: expected at most 120 states in the page, got 12[1-5]; .*page_every"):
        Explorable("title", controls, nothing, nothing)


@pytest.mark.parametrize("counts", [(120,), (60, 2), (12, 10), (2, 4, 3, 5)])
def test_120_states_in_the_page_are_allowed(counts):
    controls = tuple(slider(name, count) for name, count in zip("abcd", counts))
    states = Explorable("title", controls, nothing, nothing).page_states()
    assert len(states) == LARGEST_NUMBER_OF_PAGE_STATES == 120


def test_a_kernel_may_have_more_states_than_the_page():
    explorable = Explorable("title", (slider("a", 1001, page_every=10),), nothing, nothing)
    assert len(explorable.page_states()) == 101
    assert len(explorable.controls[0].values) == 1001


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"panels": 0}, "panels: expected a whole number of at least 1, got 0"),
        ({"panels": 1.5}, "panels: expected a whole number"),
        ({"size": (5.0, 0.0)}, "size: expected a number above 0"),
        ({"size": 5.0}, r"size: expected shape \(2,\)"),
    ],
)
def test_size_and_panels_are_checked(wrong, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        Explorable("title", (), nothing, nothing, **wrong)


# States


def test_the_last_control_changes_fastest():
    controls = (slider("a", 3), choice("b", "b", ["x", "y"]), toggle("c", "c"))
    states = Explorable("title", controls, nothing, nothing).page_states()
    assert [tuple(state.values()) for state in states] == list(product((0, 0.5, 1), ("x", "y"), (False, True)))
    # The number that the page's script computes from the positions of the controls.
    for number, state in enumerate(states):
        index = 0
        for control in controls:
            index = index * len(control.page_values) + control.page_values.index(state[control.name])
        assert index == number


def test_the_start_is_among_the_states(make_explorable):
    explorable = make_explorable()
    assert explorable.start == {"height": 2.0, "style": "solid", "wide": False, "step": 0}
    assert explorable.start in explorable.page_states()


def test_a_position_is_taken_as_two_controls():
    point = position("p", "point", (0, 1), (0, 1), start=(0, 1), steps=3)
    explorable = Explorable("title", (toggle("t", "t"), point), nothing, nothing)
    assert [control.name for control in explorable.controls] == ["t", "p_x", "p_y"]
    assert explorable.start == {"t": False, "p_x": 0, "p_y": 1}


def test_a_picture_has_one_state():
    picture = Picture("title", lambda figure: None, lambda: "text")
    assert picture.page_states() == [{}]
    assert picture.start == {}


# Modes


@pytest.mark.parametrize("mode", ["live", "static", "preview"])
def test_the_environment_names_the_mode(monkeypatch, mode):
    monkeypatch.setenv(MODE_VARIABLE, mode)
    assert current_mode() == mode


def test_a_plain_kernel_is_live():
    assert current_mode() == "live"


@pytest.mark.parametrize("mode", ["", "LIVE", "html"])
def test_a_wrong_mode_is_refused(monkeypatch, make_explorable, mode):
    monkeypatch.setenv(MODE_VARIABLE, mode)
    with pytest.raises(ValueError, match=f"^MLCORE_EXPLORE: expected one of live, static, preview, got {mode!r}$"):
        make_explorable()._repr_mimebundle_()


WIDGET = "application/vnd.jupyter.widget-view+json"


@pytest.mark.parametrize(
    ("mode", "kinds"),
    [
        ("live", {"text/plain", WIDGET}),
        ("static", {"text/plain", "text/html"}),
        ("preview", {"text/plain", "image/png"}),
    ],
)
def test_every_mode_gives_its_own_form_and_the_text(monkeypatch, make_explorable, mode, kinds):
    monkeypatch.setenv(MODE_VARIABLE, mode)
    bundle = make_explorable()._repr_mimebundle_()
    assert set(bundle) == kinds
    assert bundle["text/plain"] == "A line\nheight 2, solid, narrow, step 0"


def test_a_preview_is_a_small_paletted_png(monkeypatch, make_explorable):
    monkeypatch.setenv(MODE_VARIABLE, "preview")
    png = make_explorable()._repr_mimebundle_()["image/png"]
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    assert png[25] == 3  # colour type of the header: paletted
    assert len(png) < 25_000


def test_the_page_needs_no_widgets(monkeypatch, make_explorable):
    explorable = make_explorable()
    explorable._repr_mimebundle_()
    monkeypatch.setenv(MODE_VARIABLE, "static")
    monkeypatch.delitem(sys.modules, "mlcore.explore.live")
    explorable._repr_mimebundle_()
    assert "mlcore.explore.live" not in sys.modules
