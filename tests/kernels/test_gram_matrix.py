"""Centring in feature space, and the test for a kernel."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlcore.errors import NotAKernel
from mlcore.kernels import (
    Gaussian,
    Linear,
    Polynomial,
    Sigmoid,
    center_gram,
    check_positive_semidefinite,
    polynomial_features,
)


def points(n, d=2, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


@settings(deadline=None, max_examples=30)
@given(st.integers(1, 12), st.integers(1, 6), st.integers(0, 10**6))
def test_centring_the_matrix_centres_the_features(n, m, seed):
    X, X_new = points(n, seed=seed), points(m, seed=seed + 1)
    F, F_new = (polynomial_features(samples, 3, 0.5) for samples in (X, X_new))
    mean = F.mean(axis=0)
    kernel = Polynomial(3, 0.5)
    K, K_new = kernel(X), kernel(X_new, X)
    tolerance = 1e-13 * max(np.abs(K).max(), np.abs(K_new).max())
    np.testing.assert_allclose(center_gram(K), (F - mean) @ (F - mean).T, atol=tolerance)
    np.testing.assert_allclose(center_gram(K, K_new), (F_new - mean) @ (F - mean).T, atol=tolerance)


def test_centred_matrix_keeps_its_properties():
    K = Gaussian(0.8)(points(20))
    centred = center_gram(K)
    assert np.array_equal(centred, centred.T)
    np.testing.assert_allclose(centred.sum(axis=0), 0, atol=1e-13)
    np.testing.assert_allclose(center_gram(centred), centred, atol=1e-15)
    np.testing.assert_allclose(center_gram(K, K), centred, atol=1e-15)
    np.testing.assert_allclose(center_gram(K + 5.0), centred, atol=1e-14)
    check_positive_semidefinite(centred)


def test_new_points_are_centred_by_the_training_points():
    # The mean of the new points plays no part: one alone gives the same row as among others.
    X, X_new = points(8), 3 + points(5, seed=1)
    kernel = Gaussian(1.0)
    together = center_gram(kernel(X), kernel(X_new, X))
    for row, x in zip(together, X_new):
        np.testing.assert_allclose(center_gram(kernel(X), kernel(x[None], X)), row[None], atol=1e-15)


def test_one_point_is_its_own_mean():
    np.testing.assert_array_equal(center_gram([[7.0]]), [[0.0]])
    assert center_gram([[7.0]], np.empty((0, 1))).shape == (0, 1)


def test_inputs_are_left_alone():
    K, K_new = Linear()(points(4)), Linear()(points(3, seed=1), points(4))
    before = K.copy(), K_new.copy()
    center_gram(K), center_gram(K, K_new), check_positive_semidefinite(K)
    assert np.array_equal(K, before[0])
    assert np.array_equal(K_new, before[1])


@pytest.mark.parametrize("scale", [1e-20, 1.0, 1e20])
def test_rounding_is_no_negative_eigenvalue(scale):
    for kernel in (Linear(), Polynomial(4, 1.0), Gaussian(5.0)):
        X = np.vstack([points(40), points(40)[:7]])  # rank below 47, so that rounding decides the sign
        check_positive_semidefinite(scale * kernel(X))
    check_positive_semidefinite(np.zeros((3, 3)))
    check_positive_semidefinite(np.empty((0, 0)))


@pytest.mark.parametrize("scale", [1e-20, 1.0, 1e20])
def test_the_most_negative_eigenvalue_is_named(scale):
    K = scale * np.diag([3.0, -0.25, -0.125])
    least = re.escape(f"{-0.25 * scale:.3g}")
    with pytest.raises(NotAKernel, match=f"^K: expected a positive semidefinite matrix, .* eigenvalue {least}$"):
        check_positive_semidefinite(K)


def test_functions_that_are_no_kernels():
    with pytest.raises(NotAKernel):
        check_positive_semidefinite(Sigmoid(1.0, -1.0)(points(10)))
    x = np.array([[0.1], [-0.1]])  # ES-7: (xz − 1)²
    with pytest.raises(NotAKernel, match="eigenvalue -0.04$"):
        check_positive_semidefinite((x @ x.T - 1) ** 2)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: center_gram([[1.0, 2.0]]), r"^K: expected shape \(n, n\), got \(1, 2\)"),
        (lambda: center_gram([[1.0, 2.0], [0.0, 1.0]]), "^K: expected a symmetric matrix"),
        (lambda: center_gram([[np.nan]]), "^K: .*NaN"),
        (lambda: center_gram(np.empty((0, 0))), "^K: expected at least one training point"),
        (lambda: center_gram(np.eye(3), np.eye(2)), r"^K_new: expected shape \(m, 3\), got \(2, 2\)"),
        (lambda: center_gram(np.eye(2), [[1.0, np.inf]]), "^K_new: .*infinity"),
        (lambda: check_positive_semidefinite([[1.0, 2.0], [0.0, 1.0]]), "^K: expected a symmetric matrix"),
        (lambda: check_positive_semidefinite([1.0]), "^K: "),
    ],
)
def test_bad_arguments_raise(call, message):
    with pytest.raises(ValueError, match=message):
        call()
