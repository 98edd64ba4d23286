"""One step on two multipliers: the segment, the optimum on it, the threshold."""

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from mlcore.svm import pair_update
from mlcore.svm._margin import ROUNDING

C = 2.0
POINTS = dict(alpha1=0.5, alpha2=0.75, y1=1, y2=1, E1=0.3, E2=-0.4, K11=2.0, K22=1.0, K12=0.5, C=C)
NUMBER = st.floats(-3, 3)
MULTIPLIER = st.sampled_from([0.0, C]) | st.floats(0, C)
LABEL = st.sampled_from([-1, 1])


@st.composite
def pairs(draw, definite=True):
    """Draw two points in the plane, with multipliers and with errors that any other points may have caused."""
    if definite:
        x1, x2 = np.array(draw(st.tuples(NUMBER, NUMBER))), np.array(draw(st.tuples(NUMBER, NUMBER)))
        K11, K22, K12 = x1 @ x1, x2 @ x2, x1 @ x2
    else:
        K11, K22, K12 = draw(NUMBER), draw(NUMBER), draw(NUMBER)
    return dict(
        alpha1=draw(MULTIPLIER),
        alpha2=draw(MULTIPLIER),
        y1=draw(LABEL),
        y2=draw(LABEL),
        E1=draw(NUMBER),
        E2=draw(NUMBER),
        K11=K11,
        K22=K22,
        K12=K12,
        C=C,
        b=draw(NUMBER),
    )


def gain(pair, alpha2):
    """Change of the dual objective, written out in both multipliers."""
    y1, y2 = pair["y1"], pair["y2"]
    change2 = alpha2 - pair["alpha2"]
    change1 = -y1 * y2 * change2
    slope1, slope2 = -y1 * pair["E1"], -y2 * pair["E2"]  # ∂W/∂αᵢ = 1 − yᵢ(f(xᵢ) − b), where b cancels in the pair
    quadratic = change1**2 * pair["K11"] + change2**2 * pair["K22"] + 2 * y1 * y2 * change1 * change2 * pair["K12"]
    return change1 * slope1 + change2 * slope2 - quadratic / 2


@pytest.mark.parametrize(
    ("y1", "y2", "alpha1", "alpha2", "L", "H"),
    [
        (1, 1, 0.5, 0.75, 0.0, 1.25),  # line below the diagonal of the box
        (-1, -1, 1.5, 1.25, 0.75, 2.0),  # above it
        (1, -1, 0.5, 0.75, 0.25, 2.0),
        (-1, 1, 1.5, 0.75, 0.0, 1.25),
    ],
)
def test_the_segment_of_the_line_inside_the_box(y1, y2, alpha1, alpha2, L, H):
    step = pair_update(**POINTS | dict(y1=y1, y2=y2, alpha1=alpha1, alpha2=alpha2))
    assert (step.L, step.H) == (L, H)
    for end in (L, H):  # ES-10: L is the least value of α₂, H the greatest
        other = alpha1 + y1 * y2 * (alpha2 - end)
        assert min(end, other) == 0 or max(end, other) == C


@given(pairs())
@settings(deadline=None, max_examples=300)
def test_no_point_of_the_segment_is_better(pair):
    step = pair_update(**pair)
    best = gain(pair, step.alpha2)
    assert best >= -1e-12
    for alpha2 in np.linspace(step.L, step.H, 21):
        assert gain(pair, alpha2) <= best + 1e-9


@given(pairs(definite=False))
@example(POINTS | dict(K12=4.0, b=0.0))
@settings(deadline=None, max_examples=300)
def test_without_curvature_the_better_end_is_taken(pair):
    curvature = pair["K11"] + pair["K22"] - 2 * pair["K12"]
    assume(curvature <= 0)
    step = pair_update(**pair)
    assert step.curvature == curvature
    assert step.alpha2 in (step.L, step.H)
    assert np.isinf(step.unclipped)
    assert gain(pair, step.alpha2) >= max(gain(pair, step.L), gain(pair, step.H), 0) - 1e-9


@given(pairs())
@settings(deadline=None, max_examples=300)
def test_the_step_keeps_the_box_and_the_equality(pair):
    step = pair_update(**pair)
    y1, y2 = pair["y1"], pair["y2"]
    assert 0 <= step.alpha1 <= C
    assert 0 <= step.alpha2 <= C
    assert step.alpha2 == pytest.approx(np.clip(step.unclipped, step.L, step.H), abs=ROUNDING * 2 * C)
    total = y1 * pair["alpha1"] + y2 * pair["alpha2"]
    assert y1 * step.alpha1 + y2 * step.alpha2 == pytest.approx(total, abs=ROUNDING * 4 * C)


@given(pairs(), st.booleans())
@settings(deadline=None, max_examples=300)
def test_a_clipped_pair_has_a_multiplier_at_a_bound_to_the_last_bit(pair, at_H):
    slope = 1e6 if at_H else -1e6
    step = pair_update(**pair | dict(E1=slope * pair["y2"], E2=0.0))
    assume(step.curvature > 0)
    assert step.alpha2 == pytest.approx(step.H if at_H else step.L, abs=ROUNDING * 2 * C)
    assert {step.alpha1, step.alpha2} & {0.0, C}


def errors_after(pair, step):
    change1 = pair["y1"] * (step.alpha1 - pair["alpha1"])
    change2 = pair["y2"] * (step.alpha2 - pair["alpha2"])
    threshold = step.b - pair["b"]
    return (
        pair["E1"] + change1 * pair["K11"] + change2 * pair["K12"] + threshold,
        pair["E2"] + change1 * pair["K12"] + change2 * pair["K22"] + threshold,
    )


@given(pairs())
@settings(deadline=None, max_examples=500)
def test_the_threshold_puts_free_points_on_the_margin(pair):
    step = pair_update(**pair)
    error1, error2 = errors_after(pair, step)
    if 0 < step.alpha1 < C:
        assert error1 == pytest.approx(0, abs=1e-9)
    elif 0 < step.alpha2 < C:
        assert error2 == pytest.approx(0, abs=1e-9)
    else:
        assert error1 == pytest.approx(-error2, abs=1e-9)


def test_an_unclipped_step_gives_both_points_the_margin_1():
    """ES-11: with the printed sign of the last term, y₂f(x₂) is not 1."""
    x1, x2, y1, y2 = np.array([1.0, 2.0]), np.array([-1.0, 0.5]), 1, -1
    pair = dict(alpha1=0.1, alpha2=0.1, y1=y1, y2=y2, K11=x1 @ x1, K22=x2 @ x2, K12=x1 @ x2, C=C, b=0.25)
    w = pair["alpha1"] * y1 * x1 + pair["alpha2"] * y2 * x2
    pair |= dict(E1=w @ x1 + pair["b"] - y1, E2=w @ x2 + pair["b"] - y2)
    step = pair_update(**pair)
    assert step.L < step.unclipped == step.alpha2 < step.H

    w = step.alpha1 * y1 * x1 + step.alpha2 * y2 * x2
    assert y1 * (w @ x1 + step.b) == pytest.approx(1)
    assert y2 * (w @ x2 + step.b) == pytest.approx(1)

    change1, change2 = y1 * (step.alpha1 - pair["alpha1"]), y2 * (step.alpha2 - pair["alpha2"])
    printed = pair["b"] - pair["E2"] - change1 * pair["K12"] + change2 * pair["K22"]
    assert abs(y2 * (w @ x2 + printed) - 1) > 0.1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (dict(y1=0), "y1: expected"),
        (dict(y2=2), "y2: expected"),
        (dict(alpha1=-0.1), "alpha1: expected a value between 0 and C = 2, got -0.1"),
        (dict(alpha2=2.1), "alpha2: expected a value between 0 and C = 2, got 2.1"),
        (dict(C=0), "C: expected"),
        (dict(C=np.inf), "C: expected"),
        (dict(E1=np.nan), "E1: expected numbers, got NaN"),
        (dict(K12=np.inf), "K12: expected finite"),
        (dict(b=[0.0, 1.0]), "b: expected shape"),
    ],
)
def test_bad_input_is_named(change, message):
    with pytest.raises(ValueError, match=message):
        pair_update(**POINTS | change)
