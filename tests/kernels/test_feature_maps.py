"""Feature maps written out: ⟨F(x), F(z)⟩ = k(x, z), and how many features there are."""

from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlcore.kernels import AllSubsets, Polynomial, all_subsets_features, polynomial_features


def points(n, d, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


@settings(deadline=None, max_examples=60)
@given(
    st.integers(1, 5),
    st.integers(1, 6),
    st.one_of(st.just(0.0), st.floats(1e-3, 10)),
    st.integers(0, 10**6),
)
def test_polynomial_features_and_kernel_agree(d, degree, offset, seed):
    X, Z = points(4, d, seed), points(3, d, seed + 1)
    F, G = polynomial_features(X, degree, offset), polynomial_features(Z, degree, offset)
    kernel = Polynomial(degree, offset)
    scale = np.sqrt(np.outer(kernel.diag(X), kernel.diag(Z)))
    np.testing.assert_allclose(F @ G.T / scale, kernel(X, Z) / scale, atol=1e-12)
    assert F.shape == (4, comb(d + degree, degree) if offset else comb(d + degree - 1, degree))


def test_number_of_features():
    # ES-8: C(n + d, d) distinct monomials up to order d, not n^d.
    assert polynomial_features(points(1, 2), 2).shape[1] == 6 != 2**2
    assert polynomial_features(points(1, 3), 4).shape[1] == 35 != 3**4
    assert polynomial_features(points(1, 10), 3).shape[1] == 286


def test_quadratic_map_of_the_book():
    # ES p. 53: (x₁², √2 x₁x₂, x₂²) for ⟨x, z⟩².
    np.testing.assert_allclose(polynomial_features([[3.0, 5.0]], 2, 0), [[9, 15 * np.sqrt(2), 25]])


def test_all_products_are_needed():
    # ES-6: the list of the products of two features must begin with x₁x₁.
    X = points(6, 3)
    every = np.einsum("ni,nj->nij", X, X).reshape(6, 9)
    np.testing.assert_allclose(every @ every.T, Polynomial(2, 0)(X), rtol=1e-12)
    assert np.abs(every[:, 1:] @ every[:, 1:].T - Polynomial(2, 0)(X)).max() > 0.1


def test_the_offset_weights_the_lower_orders():
    np.testing.assert_allclose(polynomial_features([[2.0]], 3, 0.25), np.sqrt([[1 / 64, 0.1875 * 4, 0.75 * 16, 64]]))


def test_equal_points_and_zero():
    F = polynomial_features([[0.0, 0.0], [0.0, 0.0], [1.0, 0.0]], 3, 1.0)
    assert np.array_equal(F[0], F[1])
    assert F[0, 0] == 1
    assert not F[0, 1:].any()


@settings(deadline=None, max_examples=40)
@given(st.integers(1, 8), st.integers(0, 10**6))
def test_all_subsets_features_and_kernel_agree(d, seed):
    X, Z = points(5, d, seed), points(4, d, seed + 1)
    F, G = all_subsets_features(X), all_subsets_features(Z)
    assert F.shape == (5, 2**d)
    scale = np.linalg.norm(F, axis=1)[:, None] * np.linalg.norm(G, axis=1)
    np.testing.assert_allclose(F @ G.T / scale, AllSubsets()(X, Z) / scale, atol=1e-13)


def test_every_column_is_the_product_of_its_subset():
    F = all_subsets_features(points(3, 4))
    for number in range(16):
        members = [j for j in range(4) if number >> j & 1]
        np.testing.assert_allclose(F[:, number], points(3, 4)[:, members].prod(axis=1), rtol=1e-14)


def test_inputs_are_left_alone():
    X = points(4, 2)
    before = X.copy()
    polynomial_features(X, 3), all_subsets_features(X)
    assert np.array_equal(X, before)


def test_no_samples():
    assert polynomial_features(np.empty((0, 2)), 2).shape == (0, 6)
    assert all_subsets_features(np.empty((0, 3))).shape == (0, 8)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: polynomial_features([1.0, 2.0]), r"^X: expected shape \(n, d\), got \(2,\)"),
        (lambda: polynomial_features([[np.nan]]), "^X: .*NaN"),
        (lambda: polynomial_features([[1.0]], degree=0), "^degree: expected a whole number of at least 1, got 0"),
        (lambda: polynomial_features([[1.0]], degree=2.0), "^degree: "),
        (lambda: polynomial_features([[1.0]], degree=101), "^degree: expected at most 100 .*, got 101"),
        (lambda: polynomial_features([[1.0]], degree=10**9), "^degree: "),
        (lambda: polynomial_features([[1.0]], offset=-1), "^offset: expected a finite number of at least 0, got -1"),
        (lambda: polynomial_features(np.ones((1, 50)), degree=5), "^degree: expected at most 100000 features"),
        (lambda: polynomial_features([[1e200]], degree=2), "^X: the features are too large"),
        (lambda: polynomial_features([[1.0]], degree=9, offset=1e300), "^X: the features are too large"),
        (lambda: all_subsets_features(np.ones((1, 17))), "^X: expected at most 100000 features"),
        (lambda: all_subsets_features(np.ones((1, 5000))), "^X: expected at most 100000 features"),
        (lambda: all_subsets_features([[1e200, 1e200]]), "^X: the features are too large"),
        (lambda: all_subsets_features([1.0]), "^X: expected shape"),
    ],
)
def test_bad_arguments_raise(call, message):
    with pytest.raises(ValueError, match=message):
        call()
