"""Cholesky factors with reported jitter."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlcore.errors import NotAKernel
from mlcore.gaussian_process._cholesky import JITTERS, safe_cholesky
from mlcore.kernels import Gaussian


def covariance(n, seed=0):
    root = np.random.default_rng(seed).normal(size=(n, n))
    return root @ root.T + 0.1 * np.eye(n)


@settings(deadline=None, max_examples=30)
@given(n=st.integers(1, 12), seed=st.integers(0, 2**32 - 1), size=st.floats(1e-12, 1e12))
def test_factor_solves_and_gives_the_determinant(n, seed, size):
    A, B = size * covariance(n, seed), np.random.default_rng(seed).normal(size=(n, 3))
    before = A.copy()
    factor = safe_cholesky(A)
    assert factor.jitter == 0
    assert np.array_equal(A, before)
    np.testing.assert_allclose(factor.lower @ factor.lower.T, A, rtol=1e-10, atol=1e-12 * size)
    assert not np.triu(factor.lower, 1).any()
    np.testing.assert_allclose(A @ factor.solve(B), B, atol=1e-8)
    np.testing.assert_allclose(factor.solve(B[:, 0]), factor.solve(B)[:, 0], rtol=1e-9, atol=1e-12 / size)
    half = factor.half_solve(B)
    np.testing.assert_allclose(half.T @ half, B.T @ factor.solve(B), rtol=1e-8, atol=1e-10 / size)
    assert factor.log_determinant == pytest.approx(np.linalg.slogdet(A)[1], abs=1e-8)
    inverse = factor.inverse_lower()
    assert not np.triu(inverse, 1).any()
    np.testing.assert_allclose((inverse + np.tril(inverse, -1).T) @ A, np.eye(n), atol=1e-8)


@pytest.mark.parametrize("n", [1, 2, 127, 300])
def test_inverse(n):
    A = covariance(n) + n * np.eye(n)
    factor = safe_cholesky(A)
    lower = factor.lower.copy()
    np.testing.assert_allclose(factor.inverse_lower(), np.tril(np.linalg.inv(A)), atol=1e-12)
    assert np.array_equal(factor.lower, lower)


@pytest.mark.parametrize("size", [1e-30, 1.0, 1e30])
@pytest.mark.parametrize("copies", [2, 3, 7])
def test_repeated_rows_need_jitter_which_is_reported_in_the_unit_of_the_matrix(copies, size):
    A = size * np.tile(covariance(5), (copies, copies))
    factor = safe_cholesky(A)
    steps = factor.jitter / A.diagonal().mean()
    assert any(steps == pytest.approx(step) for step in JITTERS[1:3])
    changed = A + factor.jitter * np.eye(len(A))
    np.testing.assert_allclose(factor.lower @ factor.lower.T, changed, rtol=1e-12, atol=1e-12 * A.max())


def test_a_pivot_of_rounding_error_is_no_pivot():
    # The exact pivot is 0; in floating point it is sometimes a little above, and dividing by it makes nonsense.
    rng = np.random.default_rng(1)
    positive = 0
    for _ in range(200):
        b = rng.uniform(0.1, 2, 3)
        A = np.outer(b, b)
        positive += A[1, 1] - (A[1, 0] / np.sqrt(A[0, 0])) ** 2 > 0
        assert safe_cholesky(A).jitter > 0
    assert positive


def test_smooth_kernel_on_a_fine_grid():
    K = Gaussian(5.0)(np.linspace(0, 1, 200)[:, None])
    with pytest.raises(np.linalg.LinAlgError):
        np.linalg.cholesky(K)
    assert 0 < safe_cholesky(K).jitter <= 1e-10


def test_scale_takes_the_place_of_the_mean_variance():
    A = np.full((2, 2), 1e-14)
    assert safe_cholesky(A).jitter == pytest.approx(1e-26)
    assert safe_cholesky(A, scale=1.0).jitter == pytest.approx(1e-12)
    assert safe_cholesky(np.zeros((2, 2)), scale=1.0).jitter == pytest.approx(1e-12)


def test_no_rows():
    factor = safe_cholesky(np.zeros((0, 0)))
    assert factor.log_determinant == 0
    assert factor.solve(np.zeros((0, 4))).shape == (0, 4)
    assert factor.inverse_lower().shape == (0, 0)


def test_negative_eigenvalue_raises_and_is_named():
    with pytest.raises(NotAKernel, match="eigenvalue -1"):
        safe_cholesky([[1.0, 2.0], [2.0, 1.0]])
    with pytest.raises(NotAKernel, match="eigenvalue -3"):
        safe_cholesky([[-3.0, 0.0], [0.0, 1.0]])


@pytest.mark.parametrize(
    ("A", "message"),
    [
        (np.zeros((2, 3)), "A: expected a square matrix"),
        ([[1.0, 0.5], [0.0, 1.0]], "A: expected a symmetric matrix"),
        (np.zeros((2, 2)), "A: expected a covariance matrix"),
        ([[1.0, np.nan], [np.nan, 1.0]], "A: expected numbers, got NaN"),
        ([1.0, 2.0], r"A: expected shape \(n, n\)"),
    ],
)
def test_bad_input(A, message):
    with pytest.raises(ValueError, match=message):
        safe_cholesky(A)


def test_bad_scale():
    with pytest.raises(ValueError, match="scale"):
        safe_cholesky(np.eye(2), scale=-1.0)
