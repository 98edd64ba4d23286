"""Cholesky factor of a covariance matrix that may be singular to rounding: jitter is added if needed, and reported."""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import LinAlgError, cho_solve, cholesky, lapack, solve_triangular

from mlcore.errors import NotAKernel
from mlcore.validation import as_array, as_nonnegative

__all__ = ["CholeskyFactor", "safe_cholesky"]

JITTERS = (0.0, 1e-12, 1e-10, 1e-8, 1e-6)  # in units of the mean of the diagonal
ASYMMETRY = 1e-8  # largest difference of mirrored entries, relative to the largest entry, that counts as rounding


@dataclass(frozen=True, eq=False)
class CholeskyFactor:
    """A = L Lᵀ with L lower triangular, and what is computed from it without ever forming A⁻¹.

    Attributes
    ----------
    lower : numpy.ndarray of shape (n, n)
        L.
    jitter : float
        Added to the diagonal of the matrix before it was factorised, in the unit of its entries; 0 in most cases.
    """

    lower: np.ndarray
    jitter: float

    def half_solve(self, B):
        """Return L⁻¹B for `B` of shape (n,) or (n, m); the norm of a column b becomes √(bᵀA⁻¹b)."""
        return solve_triangular(self.lower, B, lower=True, check_finite=False)

    def solve(self, B):
        """Return A⁻¹B for `B` of shape (n,) or (n, m)."""
        return cho_solve((self.lower, True), B, check_finite=False)

    @property
    def log_determinant(self):
        """log |A| = 2 Σ log Lᵢᵢ."""
        return 2 * float(np.log(self.lower.diagonal()).sum())

    def inverse_lower(self):
        """Return the lower triangle of A⁻¹, of shape (n, n), with zeros above it."""
        # `cho_solve` with the identity takes more than four times as long for 500 rows.
        return lapack.dpotri(self.lower, lower=1)[0] if len(self.lower) else self.lower


def safe_cholesky(A, *, scale=None):
    """Factorise a covariance matrix; add as little jitter to its diagonal as makes that possible, and say how much.

    Smooth kernels, repeated inputs and little noise make covariance matrices that are positive definite on paper
    and singular to rounding. A pivot that is nothing but rounding error counts as a failure, even if it happens to
    come out positive. Then 1e-12, 1e-10, 1e-8, 1e-6 times the mean of the diagonal is tried in turn.

    Parameters
    ----------
    A : array_like of shape (n, n)
        Symmetric.
    scale : float, optional
        Size that takes the place of the mean of the diagonal: for a small matrix that is the difference of large ones.

    Returns
    -------
    CholeskyFactor
        With `jitter` in the unit of `A`.

    Raises
    ------
    ValueError
        Wrong shape, entries that are not finite, a matrix that is not symmetric, a negative `scale`, or a matrix of
        zeros.
    mlcore.errors.NotAKernel
        The matrix has a negative eigenvalue that no rounding explains.

    Notes
    -----
    Rounding errors of a factorisation amount to changes of the entries by about n · 2.2e-16 (N. Higham, *Accuracy
    and Stability of Numerical Algorithms*, th. 10.3), which is what pivots are compared with.

    Examples
    --------
    >>> safe_cholesky([[4.0, 2.0], [2.0, 5.0]])
    CholeskyFactor(lower=array([[2., 0.], [1., 2.]]), jitter=0.0)
    >>> safe_cholesky([[1.0, 1.0], [1.0, 1.0]]).jitter
    1e-12
    """
    A = as_array("A", A, ("n", "n"))
    if len(A) != len(A.T):
        raise ValueError(f"A: expected a square matrix, got shape {A.shape}")
    if np.abs(A - A.T).max(initial=0) > ASYMMETRY * np.abs(A).max(initial=0):
        raise ValueError("A: expected a symmetric matrix")
    return factorized(A, None if scale is None else as_nonnegative("scale", scale))


def factorized(A, scale=None):
    """`safe_cholesky` of a float array that is known to be finite and symmetric; it is not changed."""
    n = len(A)
    if not n:
        return CholeskyFactor(np.zeros((0, 0)), 0.0)
    diagonal = A.diagonal()
    scale = float(diagonal.mean()) if scale is None else scale
    if not (scale > 0 or A.any()):
        raise ValueError("A: expected a covariance matrix with a variance above 0, got zeros")
    for jitter in JITTERS if scale > 0 else ():
        raised = np.array(A.T, order="F")  # A is its own mirror image, but this order is the quicker copy
        if jitter:
            raised[np.diag_indices(n)] += jitter * scale
        try:
            lower = cholesky(raised, lower=True, overwrite_a=True, check_finite=False)
        except LinAlgError:
            continue
        if (lower.diagonal() ** 2 > n * np.finfo(float).eps * diagonal).all():
            return CholeskyFactor(lower, jitter * scale)
    least = np.linalg.eigvalsh(A)[0]
    raise NotAKernel(f"A: expected a positive semidefinite matrix, got one with eigenvalue {least:.3g}")
