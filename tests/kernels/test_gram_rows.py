"""Gram matrices: checked once, and computed row by row."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlcore.kernels import Gaussian, Linear, Polynomial, as_gram_matrix
from mlcore.kernels import _gram_rows as gram_rows
from mlcore.kernels._gram_rows import FEW, GramRows, RowStore

KERNELS = [Linear(), Polynomial(degree=3), Gaussian(width=0.7), 2.0 * Gaussian(width=3.0) + Linear()]


def points(n, d=3, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
@pytest.mark.parametrize("n", [1, 2, FEW, FEW + 1])
def test_every_row_is_that_of_the_gram_matrix(kernel, n):
    X = points(n)
    gram = GramRows(kernel, X)
    K = kernel(X)
    assert len(gram) == n
    np.testing.assert_array_equal(gram.diagonal, kernel.diag(X))
    for i in {0, n // 2, n - 1}:
        np.testing.assert_allclose(gram[i], K[i], rtol=1e-10, atol=1e-12)


def test_only_the_rows_asked_for_are_computed_and_each_once():
    asked = []

    def compute(numbers, rows):
        asked.extend(numbers.tolist())
        rows[:] = numbers[:, None]

    store = RowStore(compute, np.zeros(10))
    for i in (3, 7, 3):
        np.testing.assert_array_equal(store[i], np.full(10, i))
    store.fetch(np.array([7, 1, 3]))
    assert asked == [3, 7, 1]
    assert [i for i in range(10) if store.slot[i] >= 0] == [1, 3, 7]


def test_the_store_grows_and_keeps_what_it_knows(monkeypatch):
    n = 100
    monkeypatch.setattr(gram_rows, "FIRST_ROOM", 10 * n)

    def compute(numbers, rows):
        rows[:] = 1000.0 * numbers[:, None] + np.arange(n)

    store = RowStore(compute, np.zeros(n))
    order = np.random.default_rng(0).permutation(n)
    for i in order:
        store[i]
    assert len(store.rows) == n
    for i in order:
        np.testing.assert_array_equal(store[i], 1000.0 * i + np.arange(n))


@given(st.integers(0, 2**32), st.integers(2, 200), st.floats(0, 1))
@settings(deadline=None, max_examples=30)
def test_a_combination_of_rows_is_a_product_with_the_matrix(seed, n, share):
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, 2))
    weights = random.normal(size=n) * (random.random(n) < share)
    K = Gaussian(1.0)(X)
    for gram in (GramRows(Gaussian(1.0), X), RowStore.of_matrix(K)):
        np.testing.assert_allclose(gram.combine(weights), K @ weights, atol=1e-12 * n)


@pytest.mark.parametrize("offset", [0.0, 1e6])
@pytest.mark.parametrize("width", [1e-3, 1.0, 1e3])
def test_gaussian_rows_keep_their_digits(width, offset):
    X = points(FEW + 1) + offset
    gram = GramRows(Gaussian(width), X)
    i, far = 0, X - X[0]
    expected = np.exp(-np.einsum("ij,ij->i", far, far) / (2 * width**2))
    np.testing.assert_allclose(gram[i], expected, atol=1e-11)
    assert gram[i][i] == 1
    assert gram[i].max() <= 1


def test_a_known_matrix_is_not_copied():
    K = Linear()(points(5))
    assert RowStore.of_matrix(as_gram_matrix(K)).rows is K


def test_the_samples_are_copied():
    X = points(FEW + 1)
    gram, kept = GramRows(Linear(), X), X.copy()
    X[:] = 0
    np.testing.assert_allclose(gram[1], kept @ kept[1])


@pytest.mark.parametrize(
    ("kernel", "X", "message"),
    [
        ("rbf", [[0.0]], "kernel: expected a kernel"),
        (Linear(), [1.0, 2.0], r"X: expected shape \(n, d\), got \(2,\)"),
        (Linear(), [[np.nan]], "X: expected numbers, got NaN"),
        (Gaussian(1.0), [[np.inf]], "X: expected finite"),
        (Polynomial(degree=9), [[1e300]], "too large for floating point"),
    ],
)
def test_bad_samples_and_kernels_are_named(kernel, X, message):
    with pytest.raises(ValueError, match=message):
        GramRows(kernel, X)


@pytest.mark.parametrize("n", [1, 3, 191, 192, 400])
def test_a_symmetric_matrix_passes_whatever_its_layout(n):
    K = Linear()(points(n))
    for matrix in (K, np.asfortranarray(K), K.tolist(), K[::-1, ::-1], K.astype(np.float32)):
        result = as_gram_matrix(matrix)
        np.testing.assert_allclose(result, np.asarray(matrix, dtype=float))
        assert result.flags.c_contiguous
        assert result.dtype == float


@pytest.mark.parametrize("where", [(0, 1), (0, 399), (250, 10), (399, 398)])
@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf, 7.0])
def test_one_wrong_entry_anywhere_is_found(where, wrong):
    K = Linear()(points(400))
    K[where] = wrong
    with pytest.raises(ValueError, match="K: expected"):
        as_gram_matrix(K)


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf])
def test_an_entry_that_is_not_finite_is_found_though_its_mirror_image_equals_it(wrong):
    K = Linear()(points(400))
    K[3, 250] = K[250, 3] = wrong
    with pytest.raises(ValueError, match=r"K: expected .*position \(3, 250\)"):
        as_gram_matrix(K)
    K = Linear()(points(4))
    K[2, 2] = wrong
    with pytest.raises(ValueError, match=r"position \(2, 2\)"):
        as_gram_matrix(K)


@pytest.mark.parametrize("K", [[1.0], [[1.0, 0.0]], [[[1.0]]], [["a"]], [[1j]]])
def test_what_is_no_square_matrix_of_numbers_is_named(K):
    with pytest.raises(ValueError, match="K: expected"):
        as_gram_matrix(K)


def test_rounding_errors_between_the_halves_are_no_asymmetry():
    K = Linear()(points(50, d=1))  # its largest entry, not its diagonal alone, sets the scale
    noise = 1e-12 * np.random.default_rng(0).normal(size=K.shape)
    as_gram_matrix(K + noise)
    as_gram_matrix(np.array([[0.0, 1e9], [1e9 + 1e-3, 0.0]]))
    with pytest.raises(ValueError, match="symmetric"):
        as_gram_matrix(np.array([[0.0, 1e9], [1e9 + 1e3, 0.0]]))
