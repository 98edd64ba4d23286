"""Points of the dual problem: made feasible, measured, certified."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as st_numpy

from mlcore.svm import kkt_gap
from mlcore.svm._dual import certify, feasible_point, movable, signs, threshold


def labels(n, seed):
    y = np.where(np.random.default_rng(seed).random(n) < 0.5, 1.0, -1.0)
    y[:2] = 1, -1
    return y


@given(
    st_numpy.arrays(float, st.integers(2, 30), elements=st.floats(0, 1e3)),
    st.integers(0, 99),
    st.floats(1e-3, 1e4),
)
@settings(deadline=None, max_examples=200)
def test_any_multipliers_can_be_made_feasible(alpha, seed, C):
    y = labels(len(alpha), seed)
    point = feasible_point(alpha, y, C)
    assert point.min() >= 0
    assert point.max() <= C
    assert (point <= alpha * (1 + 1e-14)).all()
    assert abs(point @ y) <= 1e-9 * point.sum() + 1e-300


def test_with_a_smaller_C_what_is_at_the_bound_stays_there():
    y = np.array([1.0, 1.0, -1.0, -1.0, -1.0])
    assert feasible_point([5, 2, 5, 1, 1], y, 4.0).tolist() == pytest.approx([4, 1.6, 4, 0.8, 0.8], rel=1e-15)
    random = np.random.default_rng(0)
    for C in random.uniform(0.1, 5, 100):
        assert feasible_point([5, 2, 5, 1, 1], y, C)[[0, 2]].tolist() == [C, C]


def test_a_feasible_point_stays_as_it_is():
    y, alpha = np.array([1.0, -1.0, -1.0]), np.array([1.5, 0.5, 1.0])
    np.testing.assert_array_equal(feasible_point(alpha, y, 2.0), alpha)
    assert feasible_point([-1e-12, 0, 0], y, 2.0).tolist() == [0, 0, 0]  # rounding of another solver


@pytest.mark.parametrize("alpha", [[0.0, 1.0], [0.0, np.nan, 0.0], [-0.1, 0.0, 0.1], [[0.0, 0.0, 0.0]]])
def test_bad_multipliers_are_named(alpha):
    with pytest.raises(ValueError, match="alpha: expected"):
        feasible_point(alpha, np.array([1.0, -1.0, -1.0]), 2.0)


@pytest.mark.parametrize("y", [[1, 0], [1, 2], [1, 1], [-1, -1], [1, -1, 1], [1, np.nan], ["a", "b"], [True, False]])
def test_bad_labels_are_named(y):
    with pytest.raises(ValueError, match="y: expected"):
        signs(y, 2)


@given(st.integers(0, 999))
@settings(deadline=None, max_examples=200)
def test_some_threshold_meets_all_conditions_exactly_when_there_is_no_gap(seed):
    random = np.random.default_rng(seed)
    n, C = int(random.integers(2, 9)), 2.0
    y = labels(n, seed)
    alpha = feasible_point(random.choice([0.0, 0.7, 2.0], n), y, C)
    F = random.choice([-1.0, 0.0, 1.0], n)
    gap, (up, low) = kkt_gap(F, alpha, y, C), movable(alpha, y, C)
    possible = [b for b in np.arange(-2, 2.1, 0.5) if (F[up] + b >= 0).all() and (F[low] + b <= 0).all()]
    assert (gap <= 0) == bool(possible)
    if gap <= 0:
        assert certify(F, alpha, y, C, threshold(F, alpha, y, C)).residual == pytest.approx(0, abs=1e-15)


def test_the_threshold_is_the_mean_over_free_points_else_the_middle_of_the_interval():
    y, C = np.array([1.0, 1.0, -1.0, -1.0]), 1.0
    assert threshold(np.array([0.5, 0.25, 0.75, 9.0]), np.array([0.5, 0.25, 0.75, 0.0]), y, C) == -0.5
    # All at a bound: E ≥ 0 for α = 0, y = 1 and α = C, y = −1; E ≤ 0 for the others.
    F, alpha = np.array([-2.0, 3.0, 1.0, -4.0]), np.array([1.0, 0.0, 1.0, 0.0])
    interval = np.array([-1.0, 2.0])
    assert threshold(F, alpha, y, C) == interval.mean()
    for b in interval:
        assert certify(F, alpha, y, C, b).residual == 0
    assert certify(F, alpha, y, C, interval[1] + 0.1).residual == pytest.approx(0.1)
    assert certify(F, alpha, y, C, interval[0] - 0.1).residual == pytest.approx(0.1)


def test_the_certificate_adds_up_the_definitions():
    random = np.random.default_rng(0)
    X, y, C, b = random.normal(size=(8, 2)), labels(8, 0), 1.5, 0.3
    alpha = feasible_point(random.uniform(0, C, 8), y, C)
    w = (alpha * y) @ X
    certificate = certify(X @ w - y, alpha, y, C, b)
    slack = np.maximum(0, 1 - y * (X @ w + b))
    assert certificate.primal_value == pytest.approx(w @ w / 2 + C * slack.sum())
    assert certificate.dual_value == pytest.approx(alpha.sum() - w @ w / 2)
    assert certificate.gap == pytest.approx(certificate.primal_value - certificate.dual_value)
    margins = y * (X @ w + b)
    violation = np.maximum(np.where(alpha < C, 1 - margins, 0), np.where(alpha > 0, margins - 1, 0))
    assert certificate.residual == pytest.approx(violation.max())


def test_the_certificate_of_a_regression_adds_up_the_definitions():
    random = np.random.default_rng(1)
    X, value, C, b, epsilon = random.normal(size=(6, 2)), random.normal(size=6), 1.5, 0.3, 0.2
    s, target = np.repeat([1.0, -1.0], 6), np.concatenate([value - epsilon, value + epsilon])
    alpha = feasible_point(random.uniform(0, C, 12), s, C)
    beta = alpha[:6] - alpha[6:]
    w = beta @ X
    certificate = certify(np.tile(X @ w, 2) - target, alpha, s, C, b, target)
    slack = np.maximum(0, np.abs(value - X @ w - b) - epsilon)
    assert certificate.primal_value == pytest.approx(w @ w / 2 + C * slack.sum())
    assert certificate.dual_value == pytest.approx(beta @ value - epsilon * alpha.sum() - w @ w / 2)


def test_the_residual_sees_every_kind_of_violation():
    y, C = np.array([-1.0, 1.0]), 1.0  # two points at −1 and 1: optimal at α = ½
    optimal = np.array([0.5, 0.5])

    def residual(alpha, b=0.0):
        w = (alpha * y) @ np.array([-1.0, 1.0])
        return certify(w * np.array([-1.0, 1.0]) - y, alpha, y, C, b).residual

    assert residual(optimal) == 0
    assert residual(optimal, b=0.1) == pytest.approx(0.1)
    assert residual(np.array([0.45, 0.45])) == pytest.approx(0.1)
    assert residual(np.array([0.6, 0.4])) == pytest.approx(0.2 / 0.6)
    assert residual(np.array([1.1, -0.1])) >= 0.1
