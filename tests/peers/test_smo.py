"""Sequential minimal optimisation against scikit-learn's SVC, which is LIBSVM."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_digits
from sklearn.svm import SVC

from mlcore.kernels import Gaussian, GramRows, Linear, Polynomial
from mlcore.optimize import Status
from mlcore.svm import simplified_smo, smo

TOLERANCE = 1e-6
VARIANTS = {
    "simplified": simplified_smo,
    "largest_difference": lambda K, y, C, **options: smo(K, y, C, partner="largest_difference", **options),
    "second_order": lambda K, y, C, **options: smo(K, y, C, compiled=False, **options),
    "compiled": lambda K, y, C, **options: smo(K, y, C, compiled=True, **options),
}
every_variant = pytest.mark.parametrize("solve", VARIANTS.values(), ids=VARIANTS)


def peer(K, y, C, tolerance=TOLERANCE):
    machine = SVC(C=C, kernel="precomputed", tol=tolerance, cache_size=500).fit(K, y)
    coefficients = np.zeros(len(y))
    coefficients[machine.support_] = machine.dual_coef_[0]
    return coefficients, machine.intercept_[0]


def objective(coefficients, K):
    return np.abs(coefficients).sum() - coefficients @ K @ coefficients / 2


def assert_same_machine(result, K, y, C, tolerance=TOLERANCE):
    theirs, intercept = peer(K, y, C, tolerance)
    ours = result.alpha * y
    assert result.status is Status.OPTIMAL
    assert result.objective == pytest.approx(objective(theirs, K), rel=1e-5)
    np.testing.assert_allclose(K @ ours, K @ theirs, atol=2e-3 * max(1, np.abs(K @ theirs).max()))
    free = (result.alpha > 1e-6 * C) & (result.alpha < (1 - 1e-6) * C)
    if free.any():  # else b is not unique
        assert result.b == pytest.approx(intercept, abs=2e-3 * max(1, np.abs(K @ theirs).max()))


def noisy(n, seed, d=2, share=0.5):
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, d))
    y = np.where(random.random(n) < share, 1.0, -1.0)
    y[:2] = 1, -1
    return X + 0.7 * y[:, None], y


@every_variant
@given(
    st.integers(0, 9999),
    st.integers(2, 40),
    st.sampled_from([0.1, 1.0, 10.0]),
    st.sampled_from([Linear(), Gaussian(0.8), Polynomial(degree=2)]),
    st.sampled_from([0.5, 0.9]),
    st.booleans(),
)
@settings(deadline=None, max_examples=25)
def test_random_problems(solve, seed, n, C, kernel, share, copies):
    X, y = noisy(n, seed, share=share)
    if copies:
        X = np.round(X)
    K = kernel(X)
    result = solve(K, y, C, tolerance=1e-5)
    if result.status is Status.OPTIMAL or solve is not simplified_smo:  # random partners may run out of time
        assert_same_machine(result, K, y, C, 1e-5)


@every_variant
@pytest.mark.parametrize("C", [1e-3, 1e-1, 1e1, 1e3, 1e6])
def test_every_size_of_C(solve, C):
    X, y = noisy(20, 1)
    K = Gaussian(0.5)(X)
    assert_same_machine(solve(K, y, C, tolerance=TOLERANCE), K, y, C)


@every_variant
def test_every_support_vector_at_its_bound(solve):
    """Both take the middle of the admissible interval."""
    X, y = noisy(20, 0)
    K, C = Linear()(X), 1e-3
    balanced = np.concatenate([np.flatnonzero(y > 0)[:8], np.flatnonzero(y < 0)[:8]])
    K, y = K[np.ix_(balanced, balanced)], y[balanced]
    result = solve(K, y, C, tolerance=TOLERANCE)
    assert set(result.alpha) <= {0.0, C}
    assert result.b == pytest.approx(peer(K, y, C)[1], abs=1e-6)


@pytest.mark.parametrize("C", [1.0, 100.0])
def test_digits(C):
    digits = load_digits()
    X, y = digits.data / 16, np.where(digits.target % 2, 1.0, -1.0)
    kernel = Gaussian(3.0)
    K = kernel(X)
    theirs, _ = peer(K, y, C, 1e-3)
    for gram in (K, GramRows(kernel, X)):
        result = smo(gram, y, C, compiled=True)
        assert result.status is Status.OPTIMAL
        assert result.objective == pytest.approx(objective(theirs, K), rel=1e-4)
        assert (
            np.mean(np.sign(K @ (result.alpha * y) + result.b) == np.sign(K @ theirs + peer(K, y, C, 1e-3)[1])) > 0.999
        )


def test_about_as_many_steps():
    X, y = noisy(300, 0)
    K = Gaussian(0.5)(X)
    for C in (1.0, 100.0):
        steps = int(SVC(C=C, kernel="precomputed", tol=1e-3).fit(K, y).n_iter_[0])
        assert smo(K, y, C, compiled=False).iterations < 1.3 * steps
