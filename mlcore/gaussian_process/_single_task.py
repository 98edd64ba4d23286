"""Gaussian processes of one task, as plain functions: likelihood, predictions, samples before and after data."""

from dataclasses import dataclass, replace

import numpy as np

from mlcore.gaussian_process._process import (
    ConditionedProcess,
    add_noise,
    as_kernel,
    as_prediction,
    density_slope,
    drawn,
    inner_product,
)
from mlcore.kernels import Kernel
from mlcore.validation import as_array, as_nonnegative

__all__ = ["ProcessModel", "gp_posterior", "log_marginal_likelihood", "posterior_samples", "prior_samples"]


@dataclass(frozen=True, eq=False)
class ProcessModel:
    """Covariance k(x, x′) of the function and variance of the noise; places are inputs of shape (n, d)."""

    kernel: Kernel
    noise: float

    def __post_init__(self):
        object.__setattr__(self, "kernel", as_kernel(self.kernel))
        object.__setattr__(self, "noise", as_nonnegative("noise", self.noise))

    @property
    def parameters(self):
        """Those of the kernel, then "noise", by name (dict of str to float)."""
        return self.kernel.parameters | {"noise": self.noise}

    def with_parameters(self, values):
        """Return the same model with other values under the names of `parameters`; names left out keep theirs."""
        values = self.parameters | values
        noise = values.pop("noise")
        return ProcessModel(self.kernel._replaced(values), noise)

    def noise_at(self, X):
        """Return the variance of the noise, one number for all rows of `X`."""
        return self.noise

    def tasks(self, X):
        """Return 0, the only task, for every row of `X`."""
        return np.zeros(len(X), dtype=int)

    def covariance(self, X, Z=None):
        """Return K(X, Z) of shape (n, m); `Z` is `X` if left out."""
        return self.kernel._checked(self.kernel._matrix(X, X if Z is None else Z))

    def variance(self, X):
        """Return the diagonal of `covariance` without the rest, of shape (n,)."""
        return self.kernel._checked(self.kernel._diagonal(X))

    def density(self, X, y, gradient):
        """Return `log_marginal_likelihood` of data that were checked before."""
        if not gradient:
            return ConditionedProcess(self, X, y).likelihood
        K, by_parameter = self.kernel._matrix_and_gradients(X, X)
        terms, slope = density_slope(add_noise(self.kernel._checked(K), self.noise), y)
        by_kernel = {name: inner_product(slope, self.kernel._checked(matrix)) for name, matrix in by_parameter.items()}
        return replace(terms, gradient=by_kernel | {"noise": float(slope.trace())})


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
    model = ProcessModel(kernel, noise)
    X = as_array("X", X, ("n", "d"))
    y = as_array("y", y, (len(X),))
    with np.errstate(all="ignore"):
        return model.density(X, y, gradient)


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
    X_new, process = _given(kernel, noise, X, y, X_new)
    with np.errstate(all="ignore"):
        return as_prediction(process, X_new)


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
    covariance = as_kernel(kernel)(X)
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
    X_new, process = _given(kernel, noise, X, y, X_new)
    with np.errstate(all="ignore"):
        return process.sample(X_new, count, random_state)


def _given(kernel, noise, X, y, X_new):
    model = ProcessModel(kernel, noise)
    X = as_array("X", X, ("n", "d"))
    y = as_array("y", y, (len(X),))
    X_new = as_array("X_new", X_new, ("m", X.shape[1]))
    with np.errstate(all="ignore"):
        return X_new, ConditionedProcess(model, X, y)
