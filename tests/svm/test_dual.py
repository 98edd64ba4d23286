"""The problem behind all machines: its feasible points, gap, offset, certificate."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as st_numpy

from mlcore.kernels import RowStore
from mlcore.svm import kkt_gap
from mlcore.svm._dual import DualProblem, Machine, as_labels
from mlcore.svm._epsilon_svr import svr_problem
from mlcore.svm._solvers import as_price


def labels(n, seed):
    y = np.where(np.random.default_rng(seed).random(n) < 0.5, 1.0, -1.0)
    y[:2] = 1, -1
    return y


def of_labels(y, C, K=None):
    return DualProblem.of_labels(RowStore.of_matrix(np.eye(len(y)) if K is None else K), y, C)


def feasible_point(alpha, y, C):
    return of_labels(y, C).start("alpha", alpha, y) * y


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


@given(st_numpy.arrays(float, st.integers(1, 20), elements=st.floats(-1e3, 1e3)), st.floats(1e-3, 1e4))
@settings(deadline=None, max_examples=100)
def test_any_coefficients_of_a_regression_can_be_made_feasible(beta, C):
    for loss in ("l1", "l2"):
        problem, _ = svr_problem(RowStore.of_matrix(np.eye(len(beta))), np.zeros(len(beta)), C, 0.1, loss)
        point = problem.start("beta", beta)
        assert (np.abs(point) <= problem.upper).all()
        assert (np.sign(point) * np.sign(beta) >= 0).all()
        assert abs(point.sum()) <= 1e-9 * np.abs(point).sum() + 1e-300


@pytest.mark.parametrize("alpha", [[0.0, 1.0], [0.0, np.nan, 0.0], [-0.1, 0.0, 0.1], [[0.0, 0.0, 0.0]]])
def test_bad_multipliers_are_named(alpha):
    with pytest.raises(ValueError, match="alpha: expected"):
        feasible_point(alpha, np.array([1.0, -1.0, -1.0]), 2.0)


@pytest.mark.parametrize("y", [[1, 0], [1, 2], [1, 1], [-1, -1], [1, -1, 1], [1, np.nan], ["a", "b"], [True, False]])
def test_bad_labels_are_named(y):
    with pytest.raises(ValueError, match="y: expected"):
        as_labels(y, 2)


@pytest.mark.parametrize("C", [0, -1, np.nan, 1e101, 1e-60, "1", None, [1]])
def test_bad_prices_are_named(C):
    with pytest.raises(ValueError, match="^C: expected a number"):
        as_price(C)


@given(st.integers(0, 999))
@settings(deadline=None, max_examples=200)
def test_some_threshold_meets_all_conditions_exactly_when_there_is_no_gap(seed):
    random = np.random.default_rng(seed)
    n, C = int(random.integers(2, 9)), 2.0
    y = labels(n, seed)
    alpha = feasible_point(random.choice([0.0, 0.7, 2.0], n), y, C)
    F = random.choice([-1.0, 0.0, 1.0], n)
    gap = kkt_gap(F, alpha, y, C)
    up, low = np.where(y > 0, alpha < C, alpha > 0), np.where(y > 0, alpha > 0, alpha < C)
    possible = [b for b in np.arange(-2, 2.1, 0.5) if (F[up] + b >= 0).all() and (F[low] + b <= 0).all()]
    assert (gap <= 0) == bool(possible)
    if gap <= 0:
        certificate = Machine.of(of_labels(y, C), alpha * y, F=F).certificate
        assert certificate.conditions.complementary == pytest.approx(0, abs=1e-15)


def test_the_threshold_is_the_mean_over_free_points_else_the_middle_of_the_interval():
    y, C = np.array([1.0, 1.0, -1.0, -1.0]), 1.0
    problem = of_labels(y, C)
    assert problem.offset(np.array([0.5, 0.25, 0.75, 0.0]) * y, np.array([0.5, 0.25, 0.75, 9.0])) == -0.5
    # All at a bound: E ≥ 0 for α = 0, y = 1 and α = C, y = −1; E ≤ 0 for the others: b from −1 to 2.
    F, alpha = np.array([-2.0, 3.0, 1.0, -4.0]), np.array([1.0, 0.0, 1.0, 0.0])
    assert problem.offset(alpha * y, F) == 0.5


def test_the_certificate_of_a_classifier_adds_up_the_definitions():
    random = np.random.default_rng(0)
    X, y, C = random.normal(size=(8, 2)), labels(8, 0), 1.5
    alpha = feasible_point(random.uniform(0, C, 8), y, C)
    w = (alpha * y) @ X
    for points in (None, X):
        machine = Machine.of(DualProblem.of_labels(RowStore.of_matrix(X @ X.T), y, C, points), alpha * y)
        margins = y * (X @ w + machine.b)
        certificate = machine.certificate
        assert certificate.primal_value == pytest.approx(w @ w / 2 + C * np.maximum(0, 1 - margins).sum())
        assert certificate.dual_value == pytest.approx(alpha.sum() - w @ w / 2)
        assert certificate.gap == pytest.approx(certificate.primal_value - certificate.dual_value)
        step = np.clip(alpha + alpha.max() * (1 - margins), 0, C) - alpha
        assert certificate.conditions.complementary == pytest.approx(np.abs(step).max() / alpha.max())


@pytest.mark.parametrize("loss", ["l1", "l2"])
def test_the_certificate_of_a_regression_adds_up_the_definitions(loss):
    random = np.random.default_rng(1)
    X, value, C, epsilon = random.normal(size=(6, 2)), random.normal(size=6), 1.5, 0.2
    problem, _ = svr_problem(RowStore.of_matrix(X @ X.T), value, C, epsilon, loss, X)
    beta = problem.start("beta", random.uniform(-C, C, 6))
    w, machine = beta @ X, Machine.of(problem, beta)
    b = machine.b + (value.max() + value.min()) / 2
    slack = np.maximum(0, np.abs(value - X @ w - b) - epsilon)
    cost = C * slack.sum() if loss == "l1" else C * slack @ slack / 2
    ridge = 0 if loss == "l1" else beta @ beta / C
    assert machine.certificate.primal_value == pytest.approx(w @ w / 2 + cost)
    dual = beta @ value - epsilon * np.abs(beta).sum() - w @ w / 2 - ridge / 2
    assert machine.certificate.dual_value == pytest.approx(dual)


def test_the_certificate_is_that_of_the_plane_that_predicts():
    """A w that is not Σ βᵢxᵢ is judged as it is, and told."""
    X, y = np.array([[-1.0], [1.0]]), np.array([-1.0, 1.0])
    problem = DualProblem.of_labels(RowStore.of_matrix(X @ X.T), y, 10.0, X)
    exact, other = (Machine.of(problem, 0.5 * y, w=w) for w in (None, np.array([1.2])))
    assert exact.error == 0
    assert other.certificate.primal_value == pytest.approx(0.72)
    assert other.certificate.conditions.stationarity == pytest.approx(0.2)


def test_the_residual_sees_every_kind_of_violation():
    y = np.array([-1.0, 1.0])  # two points at −1 and 1: optimal at α = ½
    problem = of_labels(y, 1.0, np.array([[1.0, -1.0], [-1.0, 1.0]]))
    assert Machine.of(problem, 0.5 * y).certificate.residual == 0
    assert Machine.of(problem, 0.45 * y).certificate.residual == pytest.approx(0.1)
    assert Machine.of(problem, np.array([-0.6, 0.4])).certificate.residual == pytest.approx(0.2 / 0.6)
