"""Extreme units: a machine is the same in any unit of features and targets, and its certificate is of what predicts."""

import dataclasses
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning

import mlcore.kernels
import mlcore.svm
from mlcore.datasets import iris_pair
from mlcore.errors import InfeasibleProblem, NotAKernel
from mlcore.kernels import Gaussian, Linear
from mlcore.optimize import Status
from mlcore.svm import SupportVectorClassifier, SupportVectorRegressor, smo, solve_dual, solve_primal, solve_svr_dual

SOLVERS = ["primal", "dual", "smo"]


def line(n, seed):
    random = np.random.default_rng(seed)
    x = random.normal(size=(n, 1))
    return x, x[:, 0] + random.normal(0, 0.3, n)


def cost(machine, X, y, C, epsilon, loss):
    """The primal objective of the plane w_, b_ as it predicts."""
    slack = np.maximum(0, np.abs(y - X @ machine.w_ - machine.b_) - epsilon)
    return machine.w_ @ machine.w_ / 2 + C * (slack.sum() if loss == "l1" else slack @ slack / 2)


@given(
    st.integers(0, 9999),
    st.integers(2, 12),
    st.sampled_from([1e-20, 1e-9, 1e-3, 1.0, 1e5, 1e9, 1e20]),
    st.sampled_from([1e-9, 1.0, 1e6]),
    st.sampled_from(["l1", "l2"]),
    st.sampled_from(SOLVERS),
)
@settings(deadline=None, max_examples=150)
def test_a_soft_tube_is_always_feasible_and_priced_as_it_predicts(seed, n, x_unit, y_unit, loss, solver):
    x, y = line(n, seed)
    X, y = x_unit * x, y_unit * y
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        machine = SupportVectorRegressor(C=1.0, epsilon=0.1 * y_unit, loss=loss, solver=solver).fit(X, y)
    certificate = machine.certificate_
    paid = cost(machine, X, y, 1.0, 0.1 * y_unit, loss)
    rounding = 1e-12 * n * y_unit * (1.0 if loss == "l1" else y_unit)  # of f, at the price C = 1
    assert certificate.primal_value == pytest.approx(paid, rel=1e-6, abs=rounding)
    assert certificate.dual_value <= paid * (1 + 1e-9) + rounding
    if machine.status_ is Status.OPTIMAL:
        size = 1e-7 * n * y_unit**2 / x_unit**2
        assert certificate.dual_value == pytest.approx(paid, rel=2e-6, abs=max(rounding, size))


@given(st.integers(0, 9999), st.sampled_from([1e-9, 1e-4, 1e4, 1e9]), st.sampled_from(["l1", "l2"]))
@settings(deadline=None, max_examples=60)
def test_units_of_the_targets_change_nothing(seed, unit, loss):
    x, y = line(12, seed)
    plain = SupportVectorRegressor(C=1.0, epsilon=0.1, loss=loss).fit(x, y)
    other = SupportVectorRegressor(C=unit if loss == "l1" else 1.0, epsilon=0.1 * unit, loss=loss).fit(x, unit * y)
    np.testing.assert_allclose(other.predict(x) / unit, plain.predict(x), atol=1e-6)


@pytest.mark.parametrize("solver", SOLVERS)
def test_large_features_with_a_quadratic_penalty(solver):
    X, y = 1e5 * np.arange(1.0, 6)[:, None], np.array([10.0, 20, 20, 30, 30])
    machine = SupportVectorRegressor(loss="l2", solver=solver).fit(X, y)
    assert machine.w_[0] == pytest.approx(5.0e-5, rel=1e-3)
    assert machine.b_ == pytest.approx(7.02, abs=0.01)
    assert machine.status_ is Status.OPTIMAL


@pytest.mark.parametrize("solver", SOLVERS)
def test_the_certificate_is_that_of_the_plane_where_digits_cancel(solver):
    X, y = 1e6 * np.arange(1.0, 6)[:, None], np.array([1.0, 2, 2, 3, 3])
    machine = SupportVectorRegressor(loss="l2", C=10, epsilon=0, solver=solver).fit(X, y)
    assert cost(machine, X, y, 10.0, 0.0, "l2") == pytest.approx(1.5, rel=1e-7)
    assert machine.certificate_.primal_value == pytest.approx(1.5, rel=1e-7)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("unit", [1e-20, 1e-9, 1e-3, 1e3, 1e9, 1e20])
def test_a_hard_margin_in_any_unit(solver, unit):
    X, y, _ = iris_pair()
    plain = SupportVectorClassifier(C=np.inf, solver="dual").fit(X, y)
    other = SupportVectorClassifier(C=np.inf, solver=solver).fit(unit * X, y)
    assert other.status_ is Status.OPTIMAL
    np.testing.assert_allclose(unit * other.w_, plain.w_, atol=1e-6)
    assert other.b_ == pytest.approx(plain.b_, abs=1e-6)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("unit", [1e-20, 1e-9, 1e9, 1e20])
def test_a_soft_margin_in_any_unit(solver, unit):
    X, y, _ = iris_pair()
    X = X[:, :2]
    plain = SupportVectorClassifier(C=1.0).fit(X, y)
    other = SupportVectorClassifier(C=1.0 / unit**2, solver=solver).fit(unit * X, y)
    assert other.status_ is Status.OPTIMAL
    np.testing.assert_allclose(unit * other.w_, plain.w_, rtol=1e-5)


@pytest.mark.parametrize("estimator", [SupportVectorClassifier, SupportVectorRegressor])
@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("unit", [1e50, 1e150, 1e200])
def test_features_beyond_floating_point_are_refused_by_their_name(estimator, solver, unit):
    X, y, _ = iris_pair()
    with pytest.raises(ValueError, match="^X: ") as caught:
        estimator(solver=solver).fit(unit * X, y)
    assert not isinstance(caught.value, NotAKernel | InfeasibleProblem)


@pytest.mark.parametrize("C", [1e51, 1e101, 1e300, 1e-51])
@pytest.mark.parametrize(
    "solve",
    [
        lambda K, y, C: solve_dual(K, y, C),
        lambda K, y, C: solve_primal(K, y, C),
        lambda K, y, C: solve_svr_dual(K, y, C),
        lambda K, y, C: smo(K, y, C),
        lambda K, y, C: SupportVectorClassifier(C=C).fit(K, y),
        lambda K, y, C: SupportVectorRegressor(C=C).fit(K, y),
    ],
)
def test_a_price_beyond_floating_point_is_no_fault_of_the_kernel(solve, C):
    with pytest.raises(ValueError, match="^C: expected a number between") as caught:
        solve(np.eye(4), [1, 1, -1, -1], C)
    assert not isinstance(caught.value, NotAKernel)


@pytest.mark.parametrize("y", [[1, "x", 1, "x"], [None, 1, None, 1], [None] * 4, [(1,), 2, (1,), 2]])
def test_labels_that_cannot_be_sorted_are_named(y):
    labels = np.empty(4, dtype=object)
    labels[:] = y
    with pytest.raises(ValueError, match=r"y"):
        SupportVectorClassifier().fit(np.eye(4), labels)


@pytest.mark.parametrize("order", ["<", ">", "="])
def test_any_byte_order(order):
    X, y, _ = iris_pair()
    other = X.astype(X.dtype.newbyteorder(order))
    expected = SupportVectorClassifier(Gaussian(1.0)).fit(X, y).alpha_
    np.testing.assert_array_equal(SupportVectorClassifier(Gaussian(1.0)).fit(other, y).alpha_, expected)
    K = Gaussian(1.0)(X)
    strange = K.astype(K.dtype.newbyteorder(order))
    for solve in (lambda K: solve_dual(K, y).alpha, lambda K: smo(K, y).alpha, lambda K: solve_svr_dual(K, y).alpha):
        np.testing.assert_array_equal(solve(strange), solve(K))


@given(st.sampled_from([1e-200, 1e-100, 1.0, 1e100, 1e200]), st.integers(1, 4), st.integers(0, 999))
@settings(deadline=None, max_examples=60)
def test_a_gaussian_kernel_in_any_unit(unit, d, seed):
    random = np.random.default_rng(seed)
    X, Z = random.normal(size=(6, d)), random.normal(size=(5, d))
    plain = Gaussian(0.7)
    for points in (None, Z):
        other = Gaussian(0.7 * unit)(unit * X, None if points is None else unit * Z)
        np.testing.assert_allclose(other, plain(X, points), rtol=1e-12)
    apart = Gaussian(1.0)(unit * X)
    if unit > 1:
        np.testing.assert_array_equal(apart, np.eye(6))


def results():
    """One of every frozen result of the packages that holds arrays."""
    X, y = np.array([[0.0], [1.0], [3.0]]), np.array([1.0, 1.0, -1.0])
    yield solve_dual(X @ X.T, y), solve_dual(X @ X.T, y)
    yield solve_svr_dual(X @ X.T, y), solve_svr_dual(X @ X.T, y)
    yield smo(X @ X.T, y), smo(X @ X.T, y)
    yield smo(X @ X.T, y, trace=True).steps[0], smo(X @ X.T, y, trace=True).steps[0]
    yield Linear() + Gaussian(2.0), Linear() + Gaussian(2.0)


def test_results_can_be_compared():
    for one, other in results():
        assert one == one
        assert (one == other) in (True, False)
        assert one in [other, one]


@pytest.mark.parametrize("package", [mlcore.svm, mlcore.kernels], ids=lambda package: package.__name__)
def test_no_frozen_result_compares_arrays(package):
    for name in package.__all__:
        kind = getattr(package, name)
        if dataclasses.is_dataclass(kind) and kind.__eq__ is not object.__eq__:
            assert not [field.name for field in dataclasses.fields(kind) if "ndarray" in str(field.type)]
