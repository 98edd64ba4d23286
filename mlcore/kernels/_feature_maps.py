"""Feature maps F written out, for kernels that have one of finite dimension: ⟨F(x), F(z)⟩ = k(x, z).

They show what a kernel saves. Their length grows so fast with the dimension of the data that they serve in low
dimension only.
"""

from itertools import combinations_with_replacement
from math import comb, factorial, prod

import numpy as np

from mlcore.validation import as_array, as_nonnegative, as_whole_number

__all__ = ["all_subsets_features", "polynomial_features"]

MOST_FEATURES = 100_000
HIGHEST_DEGREE = 100  # beyond it factorials leave the range of floating point


def polynomial_features(X, degree=2, offset=1.0):
    """Return F(x) of `mlcore.kernels.Polynomial`: a weighted monomial for every choice of factors.

    The monomial x₁^i₁ ⋯ x_d^i_d of order s is weighted by √(degree! offset^(degree−s) / ((degree−s)! i₁! ⋯ i_d!)).

    Parameters
    ----------
    X : array_like of shape (n, d)
        Samples, one a row.
    degree : int
        At least 1.
    offset : float
        At least 0.

    Returns
    -------
    numpy.ndarray of shape (n, C(d + degree, degree))
        Monomials by order, 1, x₁, …, x_d, x₁², x₁x₂, …; with offset 0 only the C(d + degree − 1, degree) of order
        `degree`.

    Raises
    ------
    ValueError
        Samples of another shape, NaN or infinite; a degree below 1 or above 100; a negative offset; more than
        100 000 features; or features too large for floating point.

    Notes
    -----
    MW app. B.1; ES p. 54–56, where the list lacks x₁x₁, and d^degree counts every monomial more than once.

    Examples
    --------
    >>> F = polynomial_features([[1, 2], [3, 4]], degree=2, offset=0)
    >>> F @ F.T
    array([[ 25., 121.],
           [121., 625.]])
    """
    X = as_array("X", X, ("n", "d"))
    degree = as_whole_number("degree", degree)
    offset = np.float64(as_nonnegative("offset", offset))
    n, d = X.shape
    if degree > HIGHEST_DEGREE:
        raise ValueError(f"degree: expected at most {HIGHEST_DEGREE} for a written-out feature map, got {degree}")
    _check_number("degree", comb(d + degree, degree) if offset else comb(d + degree - 1, degree))
    columns = []
    with np.errstate(all="ignore"):
        for order in range(degree + 1) if offset else [degree]:
            scale = offset ** (degree - order) * (factorial(degree) // factorial(degree - order))
            for factors in combinations_with_replacement(range(d), order):
                repeats = prod(factorial(factors.count(j)) for j in set(factors))
                columns.append(np.sqrt(scale / repeats) * X[:, factors].prod(axis=1))
    return _finite(np.array(columns).reshape(len(columns), n).T)


def all_subsets_features(X):
    """Return F(x) of `mlcore.kernels.AllSubsets`: the product of the features in every subset of them.

    Parameters
    ----------
    X : array_like of shape (n, d)
        Samples, one a row.

    Returns
    -------
    numpy.ndarray of shape (n, 2^d)
        In the order 1, x₁, x₂, x₁x₂, x₃, x₁x₃, …: bit j of the column's number tells whether xⱼ₊₁ takes part.

    Raises
    ------
    ValueError
        Samples of another shape, NaN or infinite; more than 100 000 features; or features too large for floating
        point.

    Notes
    -----
    MW app. B.2.

    Examples
    --------
    >>> all_subsets_features([[2, 3, 5]])
    array([[ 1.,  2.,  3.,  6.,  5., 10., 15., 30.]])
    """
    X = as_array("X", X, ("n", "d"))
    _check_number("X", 2 ** X.shape[1])
    features = np.ones((len(X), 1))
    with np.errstate(all="ignore"):
        for x in X.T:
            features = np.hstack([features, features * x[:, None]])
    return _finite(features)


def _check_number(name, number):
    if number > MOST_FEATURES:
        raise ValueError(f"{name}: expected at most {MOST_FEATURES} features in F(x), got more; use the kernel itself")


def _finite(features):
    if not np.isfinite(features).all():
        raise ValueError("X: the features are too large for floating point; scale the samples")
    return features
