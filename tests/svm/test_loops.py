"""The compiled loop takes the steps of the readable one, and its savings change no result."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlcore.kernels import Gaussian, GramRows, Linear, Polynomial
from mlcore.optimize import Status
from mlcore.svm import _loops as loops
from mlcore.svm import _smo as readable
from mlcore.svm import smo
from mlcore.svm._solvers import FEW, MANY, STEPS_BETWEEN_SHRINKINGS


def noisy(n, seed=0, d=2):
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, d))
    y = np.where(X[:, 0] + random.normal(size=n) > 0, 1.0, -1.0)
    y[:2] = 1, -1
    return X, y


@given(
    st.integers(0, 9999),
    st.integers(2, 40),
    st.sampled_from([1e-2, 1.0, 1e2, 1e5]),
    st.sampled_from(["linear", "gaussian", "cubic"]),
    st.integers(1, 2000),
)
@settings(deadline=None, max_examples=150)
def test_the_same_multipliers_to_the_last_bit_after_any_number_of_steps(seed, n, C, kind, steps):
    X, y = noisy(n, seed)
    if seed % 2:
        X = np.round(X)
    kernels = {"linear": Linear(), "gaussian": Gaussian(1.0), "cubic": Polynomial(degree=3)}
    K = kernels[kind](X)
    slow, fast = (smo(K, y, C, max_iter=steps, compiled=compiled) for compiled in (False, True))
    assert fast.iterations == slow.iterations
    np.testing.assert_array_equal(fast.alpha, slow.alpha)
    assert (fast.status, fast.b, fast.kkt_gap) == (slow.status, slow.b, slow.kkt_gap)


def test_the_constants_agree():
    assert loops.INDEFINITE == readable.INDEFINITE


@pytest.mark.parametrize("rows", [False, True])
def test_shrinking_changes_no_result(rows):
    X, y = noisy(MANY + 200)
    kernel, C = Gaussian(0.5), 100.0
    K = kernel(X)
    slow = smo(K, y, C, tolerance=1e-4, compiled=False)
    fast = smo(GramRows(kernel, X) if rows else K, y, C, tolerance=1e-4, compiled=True)
    assert slow.iterations > 4 * STEPS_BETWEEN_SHRINKINGS
    assert fast.status is slow.status is Status.OPTIMAL
    assert fast.objective == pytest.approx(slow.objective, rel=1e-5)
    np.testing.assert_allclose(K @ (fast.alpha * y) + fast.b, K @ (slow.alpha * y) + slow.b, atol=0.01)


def test_shrinking_is_seen_through_at_the_iteration_limit():
    """Whatever was left out last, the result is judged on all points."""
    X, y = noisy(MANY + 200)
    K = Gaussian(0.5)(X)
    for steps in (500, 501, 999, 1000, 1700):
        result = smo(K, y, 100.0, max_iter=steps, compiled=True)
        assert (result.iterations, result.status) == (steps, Status.ITERATION_LIMIT)
        F = K @ (result.alpha * y) - y
        up = np.where(y > 0, result.alpha < 100, result.alpha > 0)
        low = np.where(y > 0, result.alpha > 0, result.alpha < 100)
        assert result.kkt_gap == pytest.approx(F[low].max() - F[up].min(), abs=1e-8)


def test_few_rows_are_computed():
    X, y = noisy(1500)
    X[:, 0] += 3 * y  # so that few points are support vectors
    gram = GramRows(Linear(), X)
    result = smo(gram, y, 1.0, compiled=True)
    computed = np.flatnonzero(gram.slot >= 0)
    assert result.status is Status.OPTIMAL
    assert set(np.flatnonzero(result.alpha)) <= set(computed)
    assert len(computed) < FEW < len(X)
    assert result.objective == pytest.approx(smo(Linear()(X), y, 1.0, compiled=False).objective, rel=1e-4)


def test_a_warm_start_computes_the_rows_it_needs():
    X, y = noisy(FEW + 100)
    start = smo(GramRows(Gaussian(1.0), X), y, 1.0, tolerance=1e-5, compiled=True)
    warm = smo(GramRows(Gaussian(1.0), X), y, 1.0, tolerance=1e-5, alpha=start.alpha, compiled=True)
    assert warm.iterations == 0
    np.testing.assert_array_equal(warm.alpha, start.alpha)


@pytest.mark.parametrize("layout", ["read-only", "Fortran", "integers"])
def test_any_layout_of_the_matrix(layout):
    X, y = noisy(30)
    X = np.round(3 * X)
    K = X @ X.T + 25 * np.eye(30)
    expected = smo(K, y, compiled=False).alpha
    if layout == "read-only":
        K.setflags(write=False)
    elif layout == "Fortran":
        K = np.asfortranarray(K)
    else:
        K = K.astype(int)
    np.testing.assert_array_equal(smo(K, y, compiled=True).alpha, expected)


def test_entries_that_overflow_end_in_an_error():
    with pytest.raises(ValueError, match="^C: expected a number between 1e-50 and 1e.50"):
        smo(np.eye(4), [1, 1, -1, -1], 1e300, compiled=True)
    with pytest.raises(ValueError, match="^K: expected numbers of at most"):
        smo(np.full((4, 4), 1e300), [1, 1, -1, -1], 1.0, compiled=True)
    assert smo(1e50 * np.eye(2), [1, -1], 1e50, compiled=True).status is Status.OPTIMAL
