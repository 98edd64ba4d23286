"""What is known of some entries of a Gaussian vector once others are known: the step behind every Gaussian process."""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import blas

from mlcore.gaussian_process._cholesky import safe_cholesky
from mlcore.validation import as_array

__all__ = ["Conditional", "condition"]

ASYMMETRY = 1e-8  # largest difference of mirrored entries, relative to the largest entry, that counts as rounding
ROUNDING = 1e-6  # so negative may rounding make a variance, relative to what it was before conditioning


@dataclass(frozen=True, eq=False)
class Conditional:
    """Gaussian distribution of the entries that were not observed, in their order.

    Attributes
    ----------
    mean : numpy.ndarray of shape (m,)
    covariance : numpy.ndarray of shape (m, m)
    jitter : float
        Added to the variances of the observed entries to make their covariance matrix invertible; 0 in most cases.
    """

    mean: np.ndarray
    covariance: np.ndarray
    jitter: float


def condition(mean, covariance, observed, values):
    """Return the distribution of the other entries of a Gaussian vector, given the values of some.

    μ₁ + Σ₁₂ Σ₂₂⁻¹ (y₂ − μ₂)  and  Σ₁₁ − Σ₁₂ Σ₂₂⁻¹ Σ₂₁,  where 2 are the observed entries and 1 the others

    Parameters
    ----------
    mean : array_like of shape (n,)
        μ.
    covariance : array_like of shape (n, n)
        Σ, symmetric and positive semidefinite.
    observed : array_like of int of shape (k,)
        Positions of the observed entries, each once; negative ones count from the end.
    values : array_like of shape (k,)
        Their values y₂.

    Returns
    -------
    Conditional
        Of the n − k other entries.

    Raises
    ------
    ValueError
        Wrong shapes, entries that are not finite, positions out of range or repeated, or a covariance that is not
        symmetric.
    mlcore.errors.NotAKernel
        The covariance matrix has a negative eigenvalue.

    Notes
    -----
    ES eq. 33, where the sign in front of σ₁₂ σ₂₂⁻¹ (y₂ − μ₂) is misprinted.

    Examples
    --------
    >>> one_given_two = condition([0, 0], [[1, 0.5], [0.5, 1]], observed=[1], values=[-1.5])
    >>> one_given_two.mean, one_given_two.covariance
    (array([-0.75]), array([[0.75]]))
    """
    mean = as_array("mean", mean, ("n",))
    n = len(mean)
    covariance = as_array("covariance", covariance, (n, n))
    if np.abs(covariance - covariance.T).max(initial=0) > ASYMMETRY * np.abs(covariance).max(initial=0):
        raise ValueError("covariance: expected a symmetric matrix")
    observed = _as_positions(observed, n)
    values = as_array("values", values, (len(observed),))
    others = np.setdiff1d(np.arange(n), observed)
    factor = safe_cholesky(covariance[np.ix_(observed, observed)])
    half_cross = factor.half_solve(covariance[np.ix_(observed, others)])
    half_values = factor.half_solve(values - mean[observed])
    return Conditional(
        mean=mean[others] + half_values @ half_cross,
        covariance=reduced_covariance(covariance[np.ix_(others, others)], half_cross),
        jitter=factor.jitter,
    )


def reduced_covariance(prior, half_cross):
    """Return Σ₁₁ − HᵀH with H = L⁻¹Σ₂₁, its diagonal clipped at 0 where rounding made it negative.

    Parameters
    ----------
    prior : numpy.ndarray of shape (m, m)
    half_cross : numpy.ndarray of shape (k, m)

    Raises
    ------
    ValueError
        A variance is negative by more than rounding.
    """
    if not half_cross.size:
        return prior.copy()
    # SciPy's BLAS, as for the factor: NumPy brings another, and their threads hold each other up for milliseconds.
    upper = blas.dsyrk(1.0, half_cross, trans=1)
    covariance = prior - upper - upper.T
    covariance[np.diag_indices(len(prior))] = clipped_variance(prior.diagonal(), prior.diagonal() - upper.diagonal())
    return covariance


def reduced_variance(prior, half_cross):
    """Return the diagonal of `reduced_covariance` without the rest, from the diagonal of the prior, of shape (m,)."""
    return clipped_variance(prior, prior - np.einsum("ij,ij->i", half_cross.T, half_cross.T))


def clipped_variance(prior, variance):
    """Return `variance` with what is negative by rounding set to 0; both of shape (m,)."""
    wrong = variance < -ROUNDING * prior
    if wrong.any():
        at = int(np.argmax(wrong))
        raise ValueError(
            f"covariance: the variance at position {at} fell from {prior[at]:.3g} to {variance[at]:.3g}; "
            "that is more than rounding, so the matrix is no covariance matrix or nearly singular (more noise helps)"
        )
    return np.maximum(variance, 0)


def _as_positions(observed, n):
    positions = np.asarray(observed)
    if positions.ndim != 1 or (positions.size and not np.issubdtype(positions.dtype, np.integer)):
        raise ValueError(f"observed: expected positions, whole numbers in an array of shape (k,), got {observed!r}")
    positions = positions.astype(int)
    if ((positions < -n) | (positions >= n)).any():
        raise ValueError(f"observed: expected positions below {n}, got {positions.tolist()}")
    positions = positions % n if n else positions
    if len(np.unique(positions)) < len(positions):
        raise ValueError(f"observed: expected each position once, got {positions.tolist()}")
    return positions
