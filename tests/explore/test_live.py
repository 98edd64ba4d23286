import re
from html import unescape

import ipywidgets
import pytest

from mlcore.explore import Explorable, Picture, choice, linear_slider, step_scrubber
from mlcore.explore.live import live_widget
from mlcore.explore.scene import FOREGROUND


def inputs(widget):
    """Return the controls of a live widget by their labels."""
    found = {}
    for row in widget.children[:-1]:
        for part in row.children if isinstance(row, ipywidgets.HBox) else (row,):
            if not isinstance(part, ipywidgets.Play):
                found[part.description] = part
    return found


def layers(widget):
    """Return the HTML of the layers of the picture, the lowest first."""
    return widget.children[-1].children


def card(widget):
    """Return what moves: drawing, readout, error and caption."""
    return layers(widget)[1].value


def readout(widget):
    (text,) = re.findall('<p class="explorable-readout">(.*?)</p>', card(widget), re.DOTALL)
    return unescape(text)


def heard(widget):
    (text,) = re.findall('aria-label="([^"]*)"', card(widget))
    return unescape(text)


def drawing(widget):
    return "".join(re.findall("<svg.*</svg>", card(widget)))


def error(widget):
    found = re.findall('<pre class="explorable-error" role="alert">(.*?)</pre>', card(widget), re.DOTALL)
    return unescape(found[0]) if found else None


@pytest.fixture
def numbered():
    """Return an explorable whose picture carries the number of its state as the colour of a line."""

    def frame(figure):
        figure.subplots().set(xlim=(0, 1), ylim=(0, 1))

    def draw(figure, k):
        if k == 7:
            raise RuntimeError("no solution <here> & now")
        figure.axes[0].plot([0, 1], [0, 1], color=f"#{k:06x}")

    return Explorable("Numbered", (step_scrubber("k", "step", 30),), draw, lambda k: f"state {k:06x}", frame)


def test_every_kind_of_control_has_its_widget(make_explorable):
    widget = live_widget(make_explorable())
    kinds = {label: type(part) for label, part in inputs(widget).items()}
    assert kinds == {
        "height": ipywidgets.SelectionSlider,
        "style": ipywidgets.Dropdown,
        "wide line": ipywidgets.Checkbox,
        "step": ipywidgets.IntSlider,
    }
    assert {label: part.value for label, part in inputs(widget).items()} == {
        "height": 2,
        "style": "solid",
        "wide line": False,
        "step": 0,
    }
    # In a kernel a slider has all its positions, not only those of the page.
    assert [text for text, _ in inputs(widget)["height"].options] == ["0", "1", "2", "3", "4"]


@pytest.mark.parametrize(
    ("label", "value", "text"),
    [
        ("height", 3.0, "height 3, solid, narrow, step 0"),
        ("style", "dashed", "height 2, dashed, narrow, step 0"),
        ("wide line", True, "height 2, solid, wide, step 0"),
        ("step", 3, "height 2, solid, narrow, step 3"),
    ],
)
def test_moving_a_control_changes_picture_readout_and_alternative_text(make_explorable, label, value, text):
    widget = live_widget(make_explorable())
    before = drawing(widget)
    inputs(widget)[label].value = value
    assert readout(widget) == text
    assert heard(widget) == f"A line. {text}"
    assert drawing(widget) != before
    assert error(widget) is None


def test_going_back_gives_the_same_card(make_explorable):
    widget = live_widget(make_explorable())
    first = card(widget)
    inputs(widget)["height"].value = 4.0
    assert card(widget) != first
    inputs(widget)["height"].value = 2.0
    assert card(widget) == first


def test_picture_and_readout_travel_together_and_agree(numbered):
    widget = live_widget(numbered)
    seen = []
    layers(widget)[1].observe(lambda change: seen.append(card(widget)), "value")
    for k in range(1, 7):
        inputs(widget)["step"].value = k
    assert len(seen) == 6  # one message for each move
    for k, html in enumerate(seen, start=1):
        assert f'stroke="#{k:06x}"' in html
        assert f"state {k:06x}" in html


def test_a_burst_of_moves_ends_at_the_last(numbered):
    widget = live_widget(numbered)
    for k in range(9, 29):
        inputs(widget)["step"].value = k
    assert readout(widget) == "state 00001c"
    assert re.findall('stroke="(#0000..)"', drawing(widget)) == ["#00001c"]
    alone = live_widget(numbered)
    inputs(alone)["step"].value = 28
    assert card(widget) == card(alone)


def test_an_error_shows_with_its_state_under_the_last_good_picture(numbered):
    widget = live_widget(numbered)
    inputs(widget)["step"].value = 6
    good = drawing(widget)
    inputs(widget)["step"].value = 7
    message = error(widget)
    assert message.startswith("No picture for k = 7:\nTraceback (most recent call last):")
    assert message.rstrip().endswith("RuntimeError: no solution <here> & now")
    assert drawing(widget) == good
    assert readout(widget) == "state 000006"
    inputs(widget)["step"].value = 8
    assert error(widget) is None
    assert readout(widget) == "state 000008"
    assert re.findall('stroke="(#0000..)"', drawing(widget)) == ["#000008"]


def test_an_error_in_the_readout_shows_too(numbered):
    def describe(k):
        return f"{1 / (k - 2)}"

    widget = live_widget(Explorable("t", numbered.controls, numbered.draw, describe, numbered.frame))
    inputs(widget)["step"].value = 2
    assert "ZeroDivisionError" in error(widget)
    assert readout(widget) == "-0.5"
    inputs(widget)["step"].value = 3
    assert (error(widget), readout(widget)) == (None, "1.0")


def test_draw_that_changes_the_frame_says_so_and_recovers(numbered):
    def draw(figure, k):
        numbered.draw(figure, k)
        if k == 2:
            figure.axes[0].set_title("changed")

    widget = live_widget(Explorable("t", numbered.controls, draw, numbered.describe, numbered.frame))
    first = card(widget)
    inputs(widget)["step"].value = 2
    assert "draw changed the title" in error(widget)
    inputs(widget)["step"].value = 0
    assert card(widget) == first


def test_an_error_in_the_first_state_leaves_the_controls_usable(numbered):
    def describe(k):
        return f"{1 / k}"

    widget = live_widget(Explorable("t", numbered.controls, numbered.draw, describe, numbered.frame))
    assert "ZeroDivisionError" in error(widget)
    assert drawing(widget) == ""
    inputs(widget)["step"].value = 4
    assert (error(widget), readout(widget)) == (None, "0.25")


@pytest.mark.parametrize("start", [0, 2])
def test_steps_can_be_played(start):
    scrubber = step_scrubber("k", "step", 5, start=start)
    widget = live_widget(Explorable("t", (scrubber,), lambda figure, k: None, str))
    play, slider = widget.children[0].children
    assert isinstance(play, ipywidgets.Play)
    assert (play.min, play.max, play.step) == (slider.min, slider.max, slider.step) == (0, 4, 1)
    # The link hands the button's value to the slider once both are shown.
    assert play.value == slider.value == start
    link = widget.children[0].link
    assert link.source == (play, "value")
    assert link.target == (slider, "value")


def test_whichever_of_slider_and_play_button_tells_first_moves_the_picture_once(numbered):
    widget = live_widget(numbered)
    play, slider = widget.children[0].children
    drawn = []
    layers(widget)[1].observe(lambda change: drawn.append(readout(widget)), "value")
    for value, order in ((3, (play, slider)), (5, (slider, play))):
        for part in order:
            part.value = value
    assert drawn == ["state 000003", "state 000005"]


def test_two_displays_of_an_explorable_are_independent(make_explorable):
    explorable = make_explorable()
    one, other = live_widget(explorable), live_widget(explorable)
    still = card(other)
    inputs(one)["height"].value = 4.0
    inputs(one)["step"].value = 2
    assert card(other) == still
    assert inputs(other)["height"].value == 2.0
    inputs(other)["style"].value = "dashed"
    assert readout(one) == "height 4, solid, narrow, step 2"
    assert readout(other) == "height 2, dashed, narrow, step 0"


def test_a_picture_has_a_card_only():
    widget = live_widget(Picture("A <title>", lambda figure: None, lambda: "1 < 2"))
    (only,) = widget.children
    assert isinstance(only, ipywidgets.GridBox)
    assert readout(widget) == "1 < 2"
    assert heard(widget) == "A <title>. 1 < 2"
    assert '<p class="explorable-caption">A &lt;title&gt;</p>' in card(widget)


def test_what_does_not_change_is_sent_once():
    def frame(figure):
        axes = figure.subplots()
        axes.set(xlim=(0, 1), ylim=(0, 1), title="fixed")
        axes.plot([0, 1], [0, 0], color="#000001")
        axes.plot([0, 1], [1, 1], color="#000002", zorder=FOREGROUND)

    def draw(figure, k):
        figure.axes[0].plot([0, 1], [0, 1], color=f"#0000{k + 16:x}")

    widget = live_widget(Explorable("t", (step_scrubber("k", "step", 5),), draw, lambda k: f"{k}", frame))
    background, moving, foreground = layers(widget)
    changed = []
    for layer in layers(widget):
        layer.observe(lambda change: changed.append(change.owner), "value")
    inputs(widget)["step"].value = 3
    assert changed == [moving]
    colours = [re.findall('stroke="(#0000[0-9]+)"', layer.value) for layer in (background, moving, foreground)]
    assert colours == [["#000001"], ["#000013"], ["#000002"]]
    # All three have the same box, so that they cover each other, and only what moves is heard.
    assert len({re.search('viewBox="(.*?)"', layer.value)[1] for layer in layers(widget)}) == 1
    assert ["aria-label" in layer.value for layer in layers(widget)] == [False, True, False]


def test_options_with_equal_texts_or_odd_values_work():
    controls = (
        choice("kernel", "kernel", {"none": None, "tuple": (1, "a")}, start=(1, "a")),
        linear_slider("x", "x", 0, 1, start=0, steps=5, text=lambda value: "same"),
    )
    widget = live_widget(Explorable("t", controls, lambda figure, kernel, x: None, lambda kernel, x: f"{kernel} {x}"))
    assert readout(widget) == "(1, 'a') 0.0"
    inputs(widget)["kernel"].value = None
    inputs(widget)["x"].value = 0.75
    assert readout(widget) == "None 0.75"
    inputs(widget)["x"].index = 1
    assert readout(widget) == "None 0.25"
