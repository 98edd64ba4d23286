"""Gaussian processes given data, as plain functions: predictions, and functions drawn before and after seeing data."""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import blas

from mlcore.gaussian_process._cholesky import factorized
from mlcore.gaussian_process._conditional import reduced_covariance
from mlcore.gaussian_process._marginal_likelihood import add_noise, as_process_data, covariance_between
from mlcore.kernels import Kernel
from mlcore.validation import as_array, as_whole_number

__all__ = ["GPPrediction", "gp_posterior", "posterior_samples", "prior_samples"]


@dataclass(frozen=True)
class GPPrediction:
    """Gaussian distribution of the function values at m new inputs.

    Attributes
    ----------
    mean : numpy.ndarray of shape (m,)
    covariance : numpy.ndarray of shape (m, m)
        Of the function, without the noise of observations.
    noise : float
        Variance of the noise that an observation adds to the function; for several tasks of shape (m,).
    jitter : float
        Added to the variances of the observations to make their covariance matrix invertible; 0 in most cases.
    """

    mean: np.ndarray
    covariance: np.ndarray
    noise: float
    jitter: float

    @property
    def std(self):
        """Standard deviations of the function values, √diag(covariance), of shape (m,)."""
        return np.sqrt(self.covariance.diagonal())

    @property
    def std_with_noise(self):
        """Standard deviations of new observations, √(diag(covariance) + noise), of shape (m,)."""
        return np.sqrt(self.covariance.diagonal() + self.noise)


def gp_posterior(kernel, noise, X, y, X_new):
    """Return the distribution of the function values at new inputs, given noisy observations.

    mean = K(X*, X) K_t⁻¹ y,  covariance = K(X*, X*) − K(X*, X) K_t⁻¹ K(X, X*),  K_t = K(X, X) + noise · I

    Parameters
    ----------
    kernel : mlcore.kernels.Kernel
    noise : float
        Variance σ_n² of the noise, at least 0, in the square of the unit of y.
    X : array_like of shape (n, d)
        Inputs, one a row. With n = 0 the posterior is the prior.
    y : array_like of shape (n,)
        Observations of a process with mean 0.
    X_new : array_like of shape (m, d)
        X*.

    Returns
    -------
    GPPrediction

    Raises
    ------
    ValueError
        An invalid argument.
    mlcore.errors.NotAKernel
        The covariance matrix of the observations has a negative eigenvalue.

    Notes
    -----
    ES eq. 34.

    Examples
    --------
    >>> from mlcore.kernels import Gaussian
    >>> prediction = gp_posterior(Gaussian(1.0), 0.25, [[0], [2]], [1, -1], [[0], [1], [9]])
    >>> prediction.mean.round(3), prediction.std.round(3), prediction.std_with_noise.round(3)
    (array([ 0.776,  0.   , -0.   ]), array([0.447, 0.685, 1.   ]), array([0.67 , 0.848, 1.118]))
    """
    kernel, noise, X, y = as_process_data(kernel, noise, X, y)
    X_new = as_array("X_new", X_new, ("m", X.shape[1]))
    with np.errstate(all="ignore"):
        factor = factorized(add_noise(covariance_between(kernel, X, X), noise))
        cross = covariance_between(kernel, X_new, X)
        mean = weighted_sums(cross, factor.solve(y))
        half_cross = factor.half_solve(cross.T, overwrite=True)
        covariance = reduced_covariance(covariance_between(kernel, X_new, X_new), half_cross)
    return GPPrediction(mean, covariance, noise, factor.jitter)


def prior_samples(kernel, X, count=1, random_state=None):
    """Draw functions from a Gaussian process before any data were seen.

    Parameters
    ----------
    kernel : mlcore.kernels.Kernel
    X : array_like of shape (n, d)
        Where the functions are looked at.
    count : int
        Number of functions.
    random_state : int, numpy.random.Generator or None
        With the same seed, the functions change continuously with the parameters of the kernel.

    Returns
    -------
    numpy.ndarray of shape (count, n)
        A function a row.

    Raises
    ------
    ValueError
        An invalid argument.
    mlcore.errors.NotAKernel
        The covariance matrix has a negative eigenvalue.

    Notes
    -----
    ES p. 110.

    Examples
    --------
    >>> from mlcore.kernels import Gaussian
    >>> prior_samples(Gaussian(1.0), [[0], [0.1], [5]], count=2, random_state=0).shape
    (2, 3)
    """
    if not isinstance(kernel, Kernel):
        raise ValueError(f"kernel: expected a kernel of mlcore.kernels, got {kernel!r}")
    covariance = kernel(X)
    return drawn(np.zeros(len(covariance)), covariance, covariance.diagonal(), count, random_state)


def posterior_samples(kernel, noise, X, y, X_new, count=1, random_state=None):
    """Draw functions from a Gaussian process given noisy observations.

    Parameters
    ----------
    kernel, noise, X, y, X_new
        As for `gp_posterior`.
    count : int
        Number of functions.
    random_state : int, numpy.random.Generator or None

    Returns
    -------
    numpy.ndarray of shape (count, m)
        A function a row, without the noise of observations.

    Raises
    ------
    ValueError
        An invalid argument.
    mlcore.errors.NotAKernel
        The covariance matrix has a negative eigenvalue.

    Examples
    --------
    >>> from mlcore.kernels import Gaussian
    >>> posterior_samples(Gaussian(1.0), 0.0, [[0], [2]], [1, -1], [[0], [2]], count=1, random_state=0).round(3)
    array([[ 1., -1.]])
    """
    prediction = gp_posterior(kernel, noise, X, y, X_new)
    return drawn(prediction.mean, prediction.covariance, kernel.diag(X_new), count, random_state)


def weighted_sums(cross, weights):
    """Return the means Σⱼ crossᵢⱼ weightsⱼ, without the threads of NumPy's BLAS, which would hold up SciPy's."""
    return np.einsum("ij,j->i", cross, weights)


def drawn(mean, covariance, prior_variance, count, random_state):
    """Draw `count` vectors, one a row; rounding in `covariance` (m, m) is measured by the prior variance (m,)."""
    count = as_whole_number("count", count)
    try:
        rng = np.random.default_rng(random_state)
    except (TypeError, ValueError) as error:
        raise ValueError(f"random_state: expected a seed, a Generator or None, got {random_state!r}") from error
    normal = rng.standard_normal((count, len(mean)))
    scale = float(prior_variance.mean()) if len(mean) else 0.0
    if not scale > 0:
        return np.tile(mean, (count, 1))
    return mean + blas.dtrmm(1.0, factorized(covariance, scale).lower, normal.T, lower=1).T
