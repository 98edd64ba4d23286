import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlcore.explore import Control, choice, linear_slider, log_slider, position, step_scrubber, toggle

# What is refused, and in which words


@pytest.mark.parametrize("name", ["", "two words", "1st", "x-y", "lambda", "class", "figure"])
def test_a_name_must_be_a_keyword_of_draw(name):
    with pytest.raises(ValueError, match=f"^name: expected a Python identifier other than 'figure', got {name!r}$"):
        toggle(name, "label")


@pytest.mark.parametrize(
    ("values", "page_values", "start", "message"),
    [
        ((1, 2, 2), (1, 2), 1, r"x: expected at least two values, all different, got \(1, 2, 2\)"),
        ((1,), (1,), 1, r"x: expected at least two values, all different, got \(1,\)"),
        ((1, 2), (1,), 1, r"x: expected at least two values in the page, got \(1,\)"),
        ((1, 2), (1, 3), 1, "x: expected page values and start among the values, got 3"),
        ((1, 2), (1, 2), 4, "x: expected page values and start among the values, got 4"),
        ((1, 2, 3), (1, 2), 3, "x: expected start among the page values, got 3"),
        (([1], [2]), ([1], [2]), [1], r"x: expected hashable values, got \(\[1\], \[2\]\)"),
    ],
)
def test_a_control_checks_its_values(values, page_values, start, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        Control("x", "label", "slider", values, page_values, start, str)


@pytest.mark.parametrize(("low", "high"), [(1, 1), (2, 1), (0, np.inf), (-np.inf, 0), (np.nan, 1), (0, np.nan)])
def test_linear_slider_needs_finite_ordered_ends(low, high):
    with pytest.raises(ValueError, match="^x: expected finite low < high, got low "):
        linear_slider("x", "label", low, high, start=low, steps=3)


@pytest.mark.parametrize(("low", "high"), [(0, 1), (-1, 1), (2, 1), (1, 1), (1, np.inf), (np.nan, 1)])
def test_log_slider_needs_positive_ordered_ends(low, high):
    with pytest.raises(ValueError, match="^C: expected 0 < low < high, got low "):
        log_slider("C", "penalty", low, high, start=1, steps=3)


@pytest.mark.parametrize("start", [-0.001, 1.001, np.nan, np.inf])
@pytest.mark.parametrize("slider", [linear_slider, log_slider])
def test_a_start_outside_the_slider_is_refused_rather_than_moved(slider, start):
    with pytest.raises(ValueError, match="^x: expected a start from 0.1 to 1, got "):
        slider("x", "label", 0.1, 1, start=start, steps=5)


@pytest.mark.parametrize("page_every", [0, -1, 1.5, True])
def test_page_every_is_a_whole_number(page_every):
    with pytest.raises(ValueError, match="^page_every: expected a whole number of at least 1"):
        linear_slider("x", "label", 0, 1, start=0, steps=5, page_every=page_every)
    with pytest.raises(ValueError, match="^page_every: expected a whole number of at least 1"):
        step_scrubber("k", "step", 5, page_every=page_every)


@pytest.mark.parametrize("steps", [1, 0, -3, 2.0])
def test_steps_is_a_whole_number_of_at_least_two(steps):
    with pytest.raises(ValueError, match="^steps: expected a whole number of at least 2"):
        log_slider("C", "penalty", 1, 10, start=1, steps=steps)
    with pytest.raises(ValueError, match="^count: expected a whole number of at least 2"):
        step_scrubber("k", "step", steps)


def test_positions_that_rounding_would_make_equal_are_refused():
    with pytest.raises(ValueError, match="^C: expected at least two values, all different"):
        log_slider("C", "penalty", 1, 1.001, start=1, steps=5)


def test_a_step_scrubber_starts_at_one_of_its_steps():
    with pytest.raises(ValueError, match="^k: expected a start from 0 to 4, got 5$"):
        step_scrubber("k", "step", 5, start=5)


def test_a_choice_starts_at_one_of_its_options():
    with pytest.raises(ValueError, match="^k: expected page values and start among the values, got 'c'$"):
        choice("k", "kernel", ["a", "b"], start="c")


def test_options_of_a_choice_stand_for_different_values():
    with pytest.raises(ValueError, match="^k: expected at least two values, all different"):
        choice("k", "kernel", {"one": 1, "uno": 1})


# What is offered


def test_linear_positions_carry_no_rounding_noise():
    assert linear_slider("x", "label", 0, 1, start=0, steps=11).values == tuple(k / 10 for k in range(11))
    middle = linear_slider("x", "label", -1, 1, start=0, steps=5).values[2]
    assert middle == 0
    assert not np.signbit(middle)


def test_log_positions_are_the_numbers_that_the_reader_sees():
    slider = log_slider("C", "penalty", 0.01, 1000, start=1, steps=31)
    assert slider.values[0] == 0.01
    assert slider.values[-1] == 1000
    assert [slider.text(value) for value in slider.values] == [f"{value:g}" for value in slider.values]
    assert np.diff(np.log(slider.values)) == pytest.approx(np.full(30, np.log(1e5) / 30), rel=0.02)


def test_the_nearest_position_is_the_start():
    assert linear_slider("x", "label", 0, 1, start=0.26, steps=5).start == 0.25


@given(
    steps=st.integers(2, 60),
    every=st.integers(1, 8),
    where=st.floats(0, 1),
    log=st.booleans(),
    scale=st.floats(0.5, 20),
)
@settings(deadline=None, max_examples=100)
def test_the_page_offers_every_so_many_th_position_counted_from_the_start(steps, every, where, log, scale):
    low, high = scale, 100 * scale
    start = low + where * (high - low)
    make = log_slider if log else linear_slider
    try:
        slider = make("x", "label", low, high, start=start, steps=steps, page_every=every)
    except ValueError:
        assert steps < 2 * every  # too few for a second position in the page
        return
    places = [slider.values.index(value) for value in slider.page_values]
    assert slider.start in slider.page_values
    assert set(np.diff(places)) == {every}
    assert places[0] < every
    assert places[-1] >= steps - every
    assert abs(slider.start - start) == min(abs(value - start) for value in slider.values)


@given(count=st.integers(2, 80), every=st.integers(1, 9), data=st.data())
@settings(deadline=None, max_examples=60)
def test_the_page_always_offers_the_last_step_and_the_start(count, every, data):
    start = data.draw(st.integers(0, count - 1))
    scrubber = step_scrubber("k", "step", count, start=start, page_every=every)
    assert scrubber.values == tuple(range(count))
    assert {0, start, count - 1} <= set(scrubber.page_values)
    assert list(scrubber.page_values) == sorted(set(scrubber.page_values))
    assert all(value % every == 0 or value in (start, count - 1) for value in scrubber.page_values)


def test_texts():
    slider = linear_slider("x", "label", -2000, 2000, start=0, steps=9)
    assert [slider.text(value) for value in slider.values[:3]] == ["−2000", "−1500", "−1000"]
    assert slider.text(-0.12345) == "−0.123"
    assert linear_slider("x", "label", 0, 1, start=0, steps=3, text="{:.1%}".format).text(0.5) == "50.0%"
    assert [toggle("t", "label").text(value) for value in (False, True)] == ["off", "on"]
    assert step_scrubber("k", "step", 4).text(3) == "3"


def test_a_choice_maps_texts_to_values():
    kernel = choice("k", "kernel", {"linear": 1, "Gaussian": (2, "width")}, start=(2, "width"))
    assert kernel.values == kernel.page_values == (1, (2, "width"))
    assert kernel.start == (2, "width")
    assert [kernel.text(value) for value in kernel.values] == ["linear", "Gaussian"]
    plain = choice("k", "kernel", ["a", "b"])
    assert (plain.start, plain.text("b")) == ("a", "b")


def test_a_toggle_is_off_unless_told():
    assert toggle("t", "label").start is False
    assert toggle("t", "label", start=True).start is True


def test_a_position_is_two_sliders():
    x, y = position("p", "point", (-1, 1), (0, 4), start=(-1, 1), steps=(3, 5), page_every=2)
    assert (x.name, x.label, x.values, x.page_values, x.start) == ("p_x", "point: x", (-1, 0, 1), (-1, 1), -1)
    assert (y.name, y.label, y.values, y.page_values) == ("p_y", "point: y", (0, 1, 2, 3, 4), (1, 3))
