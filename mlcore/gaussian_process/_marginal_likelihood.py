"""How probable the data are under a Gaussian process: the marginal likelihood, its three terms and its gradient."""

import math
from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import blas

from mlcore.gaussian_process._cholesky import factorized
from mlcore.kernels import Kernel
from mlcore.validation import as_array, as_nonnegative

__all__ = ["MarginalLikelihood", "log_marginal_likelihood"]


@dataclass(frozen=True)
class MarginalLikelihood:
    """log p(y) = fit + complexity + constant.

    Attributes
    ----------
    value : float
        log p(y).
    fit : float
        −½ yᵀK_t⁻¹y: how well the data suit the covariance; never above 0.
    complexity : float
        −½ log |K_t|: the more different data a model allows, the less probable it makes each.
    constant : float
        −(n/2) log 2π.
    gradient : dict of str to float, or None
        Derivatives of `value` with respect to the parameters of the kernel, by name, and to "noise"; if asked for.
    jitter : float
        Added to the diagonal of K_t to make it invertible; 0 in most cases.
    """

    value: float
    fit: float
    complexity: float
    constant: float
    gradient: dict | None
    jitter: float


def log_marginal_likelihood(kernel, noise, X, y, gradient=False):
    """Return the logarithm of the density of `y` under a Gaussian process, split into its terms.

    log p(y) = −½ yᵀK_t⁻¹y − ½ log |K_t| − (n/2) log 2π  with  K_t = K(X, X) + noise · I

    Parameters
    ----------
    kernel : mlcore.kernels.Kernel
    noise : float
        Variance σ_n² of the noise, at least 0, in the square of the unit of y.
    X : array_like of shape (n, d)
        Inputs, one a row.
    y : array_like of shape (n,)
        Observations of a process with mean 0.
    gradient : bool
        Whether the derivatives are wanted: ∂ log p(y)/∂θ = ½ tr((ααᵀ − K_t⁻¹) ∂K_t/∂θ) with α = K_t⁻¹y.

    Returns
    -------
    MarginalLikelihood

    Raises
    ------
    ValueError
        An invalid argument.
    mlcore.errors.NotAKernel
        The covariance matrix has a negative eigenvalue.

    Notes
    -----
    ES p. 112, with √|K| in the density and the noise in the determinant, which are misprinted there. Gradient:
    C. Rasmussen and C. Williams, *Gaussian Processes for Machine Learning*, eq. 5.9.

    Examples
    --------
    >>> from mlcore.kernels import Gaussian
    >>> likelihood = log_marginal_likelihood(Gaussian(1.0), 0.1, [[0], [1], [2]], [0, 1, 0], gradient=True)
    >>> [round(term, 3) for term in (likelihood.value, likelihood.fit, likelihood.complexity, likelihood.constant)]
    [-3.494, -0.991, 0.255, -2.757]
    >>> {name: round(slope, 3) for name, slope in likelihood.gradient.items()}
    {'width': -0.844, 'noise': 0.52}
    """
    kernel, noise, X, y = as_process_data(kernel, noise, X, y)
    with np.errstate(all="ignore"):
        return process_likelihood(kernel, noise, X, y, gradient)


def process_likelihood(kernel, noise, X, y, gradient):
    """`log_marginal_likelihood` of arguments that were checked before."""
    if not gradient:
        return density_terms(add_noise(covariance_between(kernel, X, X), noise), y)[0]
    K, by_parameter = kernel._matrix_and_gradients(X, X)
    terms, slope = density_terms(add_noise(kernel._checked(K), noise), y, slope=True)
    gradient = {name: inner_product(slope, kernel._checked(matrix)) for name, matrix in by_parameter.items()}
    return replace(terms, gradient=gradient | {"noise": float(slope.trace())})


def as_process_data(kernel, noise, X, y):
    """Return the four arguments checked, the arrays as copies."""
    if not isinstance(kernel, Kernel):
        raise ValueError(f"kernel: expected a kernel of mlcore.kernels, got {kernel!r}")
    X = as_array("X", X, ("n", "d"))
    return kernel, as_nonnegative("noise", noise), X, as_array("y", y, (len(X),))


def inner_product(A, B):
    """Return Σ AᵢⱼBᵢⱼ, without the threads of a BLAS: they would be others than those of the factorisation."""
    return float(np.einsum("ij,ij", A, B))


def covariance_between(kernel, X, Z):
    """Return K(X, Z) for arrays that were checked before."""
    return kernel._checked(kernel._matrix(X, Z))


def add_noise(K, noise):
    """Return `K` with the variance `noise`, a number or one for each row, added to its diagonal, in place."""
    diagonal = np.einsum("ii->i", K)  # a view of it that can be written to
    diagonal += noise
    return K


def density_terms(covariance, y, *, slope=False):
    """Return log N(y | 0, covariance) in terms, and how it changes with the covariance.

    Parameters
    ----------
    covariance : numpy.ndarray of shape (n, n)
        Symmetric and finite.
    y : numpy.ndarray of shape (n,)
    slope : bool

    Returns
    -------
    MarginalLikelihood
        Without gradient.
    numpy.ndarray of shape (n, n), or None
        ½ (ααᵀ − K_t⁻¹), folded: entries above the diagonal hold the sum of both mirrored ones, those below are 0. Its
        inner product with a symmetric change of the covariance is the change of the value.
    """
    factor = factorized(covariance)
    weights = factor.solve(y)
    terms = factor_terms(factor, y, weights)
    return terms, _folded_slope(factor, weights) if slope else None


def factor_terms(factor, y, weights):
    """Return log N(y | 0, K_t) in terms, from the Cholesky factor of K_t and the weights α = K_t⁻¹y."""
    fit = -float(y @ weights) / 2
    complexity = -factor.log_determinant / 2
    constant = -len(y) / 2 * math.log(2 * math.pi)
    return MarginalLikelihood(fit + complexity + constant, fit, complexity, constant, None, factor.jitter)


def _folded_slope(factor, weights):
    """Return the second result of `density_terms`; the factor is lost."""
    inverse = factor.inverse_lower(overwrite=True)
    if not len(weights):
        return inverse
    folded = blas.dsyr(-1.0, weights, a=inverse, lower=1, overwrite_a=1)
    np.negative(folded, out=folded)
    diagonal = np.einsum("ii->i", folded)
    diagonal /= 2
    return folded.T  # rows of the mirror image lie together in memory
