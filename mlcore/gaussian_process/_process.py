"""What follows from a Gaussian process and data, whatever the process: likelihood, predictions, drawn functions.

A model says how function values go together: `ProcessModel` for one task, `MultiTaskModel` for several. It has

* ``covariance(places)``, ``covariance(places, others)`` and ``variance(places)``, the diagonal of the first;
* ``tasks(places)``, the number of the task of every place, and ``noise_at(places)``, the variance of the noise there;
* ``parameters`` by name, ``with_parameters`` to change them, and ``density(places, y, gradient)``.
"""

import math
from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import blas

from mlcore.gaussian_process._cholesky import factorized
from mlcore.gaussian_process._conditional import reduced_covariance, reduced_variance
from mlcore.kernels import Kernel
from mlcore.validation import as_generator, as_whole_number

__all__ = ["ConditionedProcess", "GPPrediction", "MarginalLikelihood"]


@dataclass(frozen=True, eq=False)
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


@dataclass(frozen=True, eq=False)
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


class ConditionedProcess:
    """A model that has seen observations: the one recipe for its predictions (ES eq. 34) and its likelihood.

    mean = K(·, X) α with α = K_t⁻¹y,  covariance = K(·, ·) − HᵀH with H = L⁻¹K(X, ·) and K_t = LLᵀ

    Parameters
    ----------
    model : ProcessModel or mlcore.gaussian_process.MultiTaskModel
    places, y
        Observations, checked before.
    units : pair of array_like of shape (s,), optional
        Offset and scale of every task: the model is about (y − offset) / scale, predictions are about y.
    """

    def __init__(self, model, places, y, units=None):
        self.model, self.places, self.units = model, places, units
        self.factor = factorized(add_noise(model.covariance(places), model.noise_at(places)))
        offset, scale = self._units(places)
        y = (y - offset) / scale
        self.weights = self.factor.solve(y)
        terms = density_terms(self.factor, y, self.weights)
        self.likelihood = replace(terms, value=terms.value - float(np.log(scale).sum()))

    def predict(self, places, spread=None, with_noise=False):
        """Return the mean (m,) and, if `spread` says so, the "std" (m,) or the "covariance" (m, m), else None."""
        offset, scale = self._units(places)
        mean, found = self._predict_scaled(places, spread, with_noise)
        if spread == "std":
            found = scale * np.sqrt(found)
        elif spread == "covariance":
            found = scale[:, None] * found * scale
            if not np.isfinite(found).all():
                raise ValueError("y: expected values whose squares are finite; scale them, or ask for return_std")
        return offset + scale * mean, found

    def sample(self, places, count, random_state, with_noise=False):
        """Return draws of shape (count, m)."""
        offset, scale = self._units(places)
        mean, covariance = self._predict_scaled(places, "covariance", with_noise)
        return offset + scale * drawn(mean, covariance, self.model.variance(places), count, random_state)

    def _units(self, places):
        tasks = self.model.tasks(places)
        if self.units is None:
            return np.zeros(len(tasks)), np.ones(len(tasks))
        return tuple(np.asarray(unit)[tasks] for unit in self.units)

    def _predict_scaled(self, places, spread, with_noise):
        """Mean, and variance, covariance or None, in the units of the model."""
        cross = self.model.covariance(places, self.places)
        # `einsum` and not `@`: the threads of NumPy's BLAS would hold up those of SciPy's for milliseconds.
        mean = np.einsum("ij,j->i", cross, self.weights)
        if spread is None:
            return mean, None
        half_cross = self.factor.half_solve(cross.T)
        noise = self.model.noise_at(places) if with_noise else 0.0
        if spread == "std":
            return mean, reduced_variance(self.model.variance(places), half_cross) + noise
        return mean, add_noise(reduced_covariance(self.model.covariance(places), half_cross), noise)


def spread_asked(return_std, return_cov):
    """Return the `spread` of `ConditionedProcess.predict` that these two arguments of an estimator ask for."""
    if return_std and return_cov:
        raise ValueError("return_std: expected at most one of return_std and return_cov to be true, got both")
    return "std" if return_std else "covariance" if return_cov else None


def as_prediction(process, places):
    """Return what a `ConditionedProcess` says about the functions as a `GPPrediction`."""
    return GPPrediction(*process.predict(places, "covariance"), process.model.noise_at(places), process.factor.jitter)


def as_kernel(kernel):
    """Return the kernel, or say that it is none."""
    if not isinstance(kernel, Kernel):
        raise ValueError(f"kernel: expected a kernel of mlcore.kernels, got {kernel!r}")
    return kernel


def inner_product(A, B):
    """Return Σ AᵢⱼBᵢⱼ, without the threads of a BLAS: they would be others than those of the factorisation."""
    return float(np.einsum("ij,ij", A, B))


def add_noise(K, noise):
    """Return `K` with the variance `noise`, a number or one for each row, added to its diagonal, in place."""
    diagonal = np.einsum("ii->i", K)  # a view of it that can be written to
    diagonal += noise
    return K


def density_slope(covariance, y):
    """Return log N(y | 0, covariance) in terms, and how it changes with the covariance.

    Parameters
    ----------
    covariance : numpy.ndarray of shape (n, n)
        Symmetric and finite.
    y : numpy.ndarray of shape (n,)

    Returns
    -------
    MarginalLikelihood
        Without gradient.
    numpy.ndarray of shape (n, n)
        ½ (ααᵀ − K_t⁻¹), folded: entries above the diagonal hold the sum of both mirrored ones, those below are 0. Its
        inner product with a symmetric change of the covariance is the change of the value.
    """
    factor = factorized(covariance)
    weights = factor.solve(y)
    folded = factor.inverse_lower()
    if len(y):  # in place, for these matrices are what learning spends its time on
        folded = blas.dsyr(-1.0, weights, a=folded, lower=1, overwrite_a=1)
    np.negative(folded, out=folded)
    diagonal = np.einsum("ii->i", folded)
    diagonal /= 2
    return density_terms(factor, y, weights), folded.T  # rows of the mirror image lie together in memory


def density_terms(factor, y, weights):
    """Return log N(y | 0, K_t) in terms, from the Cholesky factor of K_t and the weights α = K_t⁻¹y."""
    fit = -float(y @ weights) / 2
    complexity = -factor.log_determinant / 2
    constant = -len(y) / 2 * math.log(2 * math.pi)
    if not math.isfinite(fit):
        raise ValueError(f"y: expected values whose squares are finite, got up to {np.abs(y).max():.3g}; scale them")
    return MarginalLikelihood(fit + complexity + constant, fit, complexity, constant, None, factor.jitter)


def drawn(mean, covariance, prior_variance, count, random_state):
    """Draw `count` vectors, one a row; rounding in `covariance` (m, m) is measured by the prior variance (m,)."""
    normal = as_generator(random_state).standard_normal((as_whole_number("count", count), len(mean)))
    scale = float(prior_variance.mean()) if len(mean) else 0.0
    if not scale > 0:
        return np.tile(mean, (count, 1))
    return mean + normal @ factorized(covariance, scale).lower.T
