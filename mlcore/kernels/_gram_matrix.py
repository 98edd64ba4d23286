"""What can be done with a Gram matrix without its feature map: centring the features, testing for a kernel."""

import numpy as np

from mlcore.errors import NotAKernel
from mlcore.validation import as_array

__all__ = ["as_gram_matrix", "center_gram", "check_positive_semidefinite"]

ROUNDING = 1e-10  # size, relative to the largest, of a negative eigenvalue that counts as rounding
BLOCK = 192  # blocks of this size are compared with their mirror image within the processor's cache
ASYMMETRY = 1e-8  # largest difference of Kᵢⱼ and Kⱼᵢ, relative to the largest entry, that counts as rounding


def center_gram(K, K_new=None):
    """Return the inner products of the feature vectors less the mean feature vector of the training points.

    ⟨φ(x) − φ̄, φ(z) − φ̄⟩ = k(x, z) − meanᵢ k(x, xᵢ) − meanᵢ k(xᵢ, z) + meanᵢⱼ k(xᵢ, xⱼ),  φ̄ = meanᵢ φ(xᵢ)

    Parameters
    ----------
    K : array_like of shape (n, n)
        Kernel matrix of the training points.
    K_new : array_like of shape (m, n), optional
        Kernel matrix between new points, one a row, and the training points.

    Returns
    -------
    numpy.ndarray of shape (n, n) or (m, n)
        Centred `K_new` if it is given, else centred `K`. New points are centred by the mean of the training points.

    Raises
    ------
    ValueError
        Wrong shapes, no points, entries that are not finite, or a `K` that is not symmetric.

    Notes
    -----
    MW ch. 12.1.

    Examples
    --------
    >>> X = np.array([[1.0], [2.0], [6.0]])
    >>> center_gram(X @ X.T)
    array([[ 4.,  2., -6.],
           [ 2.,  1., -3.],
           [-6., -3.,  9.]])
    >>> center_gram(X @ X.T, [[5.0]] @ X.T)
    array([[-4., -2.,  6.]])
    """
    K = as_gram_matrix(K)
    if not len(K):
        raise ValueError("K: expected at least one training point, got shape (0, 0)")
    mean = K.mean(axis=0)
    if K_new is None:
        return K - (mean[:, None] + mean) + mean.mean()
    K_new = as_array("K_new", K_new, ("m", len(K)))
    return K_new - (K_new.mean(axis=1)[:, None] + mean) + mean.mean()


def check_positive_semidefinite(K):
    """Raise `NotAKernel` if the matrix has a negative eigenvalue, and name the most negative one.

    Parameters
    ----------
    K : array_like of shape (n, n)

    Raises
    ------
    ValueError
        No square matrix of finite numbers, or one that is not symmetric.
    mlcore.errors.NotAKernel
        The least eigenvalue is below 0 by more than 1e-10 times the size of the largest.

    Notes
    -----
    Mercer's condition on a finite set of points, ES p. 58.

    Examples
    --------
    >>> check_positive_semidefinite([[1, 2], [2, 1]])
    Traceback (most recent call last):
        ...
    mlcore.errors.NotAKernel: K: expected a positive semidefinite matrix, got one with eigenvalue -1
    """
    K = as_gram_matrix(K)
    try:  # by far cheaper than the eigenvalues, the largest of which is not below the diagonal
        np.linalg.cholesky(K + ROUNDING * K.diagonal().max(initial=0) * np.eye(len(K)))
        return
    except np.linalg.LinAlgError:
        eigenvalues = np.linalg.eigvalsh(K)
    if len(K) and eigenvalues[0] < -ROUNDING * np.abs(eigenvalues).max():
        raise NotAKernel(f"K: expected a positive semidefinite matrix, got one with eigenvalue {eigenvalues[0]:.3g}")


def as_gram_matrix(K):
    """Return `K` as a C-contiguous float array, or say what is wrong with it; it is copied only if needed.

    Parameters
    ----------
    K : array_like of shape (n, n)

    Returns
    -------
    numpy.ndarray of shape (n, n)

    Raises
    ------
    ValueError
        No square matrix of finite numbers, or one that is not symmetric.

    Examples
    --------
    >>> as_gram_matrix([[1, 2], [0, 1]])
    Traceback (most recent call last):
        ...
    ValueError: K: expected a symmetric matrix, got entries (i, j) and (j, i) that differ by 2
    """
    if not (isinstance(K, np.ndarray) and K.dtype == float and K.ndim == 2):
        K = as_array("K", K, ("n", "n"))
    n = len(K)
    if K.shape != (n, n):
        raise ValueError(f"K: expected shape (n, n), got {K.shape}")
    K = np.ascontiguousarray(K)
    with np.errstate(invalid="ignore"):
        difference = max((_asymmetry(K, i, j) for i in range(0, n, BLOCK) for j in range(i, n, BLOCK)), default=0.0)
    if difference == np.inf:
        as_array("K", K, ("n", "n"))  # names the entry that is not finite
    if difference > ASYMMETRY * np.abs(K.diagonal()).max(initial=0) and difference > ASYMMETRY * np.abs(K).max():
        raise ValueError(
            f"K: expected a symmetric matrix, got entries (i, j) and (j, i) that differ by {difference:.3g}"
        )
    return K


def _asymmetry(K, i, j):
    """Largest difference between a block and its mirror image; infinite if an entry of them is not finite."""
    upper, lower = K[i : i + BLOCK, j : j + BLOCK], K[j : j + BLOCK, i : i + BLOCK]
    difference = upper - lower.T
    if np.vdot(difference, difference) == 0:  # as most often, and the fastest way to see it
        return 0.0
    difference = np.abs(difference).max()
    return difference if np.isfinite(difference) else np.inf
