"""Linear regression with a Gaussian prior on the weights: everything is Gaussian, so everything has a formula.

The model is y = Xw + noise with w ~ N(m₀, Σ_p) and independent noise of variance σ_n². The rows of `X` are the
samples (ES writes them as columns), and an offset is a weight like any other: give `X` a column of ones.

The posterior is computed from the singular values of Z = XL/σ_n, with Σ_p = LLᵀ: in the coordinates u = L⁻¹(w − m₀)
the prior is the unit ball, the precision of the posterior is I + ZᵀZ, and no matrix is ever inverted.
"""

from dataclasses import dataclass

import numpy as np

from mlcore.validation import as_array, as_generator, as_positive, as_whole_number

__all__ = ["LinearPrediction", "WeightPosterior", "log_likelihood", "log_prior", "posterior"]

_WORST_RATIO = 1e12
"""Of prior to noise, in directions that the data leave open: rounding makes 1e-16 of it an error in units of σ_n."""


@dataclass(frozen=True, eq=False)
class LinearPrediction:
    """What the posterior says about f(x) = x·w at new inputs.

    Attributes
    ----------
    mean : numpy.ndarray of shape (m,)
        Of f(x), and of a new observation there, in the unit of y.
    variance : numpy.ndarray of shape (m,)
        Of f(x): what is not known about the weights.
    noise : float
        Variance σ_n² that a new observation has on top.
    """

    mean: np.ndarray
    variance: np.ndarray
    noise: float

    @property
    def std(self):
        """Standard deviation of f(x), without noise, of shape (m,)."""
        return np.sqrt(self.variance)

    @property
    def std_with_noise(self):
        """Standard deviation of a new observation, of shape (m,)."""
        return np.sqrt(self.variance + self.noise)


@dataclass(frozen=True, eq=False)
class WeightPosterior:
    """The distribution N(mean, covariance) of the weights after the data, and how probable the data were.

    Attributes
    ----------
    mean : numpy.ndarray of shape (d,)
        A⁻¹(Xᵀy/σ_n² + Σ_p⁻¹m₀) with A = XᵀX/σ_n² + Σ_p⁻¹. A Gaussian is highest at its mean, so this is also the
        maximum a posteriori (MAP) estimate.
    covariance : numpy.ndarray of shape (d, d)
        A⁻¹.
    factor : numpy.ndarray of shape (d, d)
        Lower triangular L with LLᵀ = covariance, no entry of its diagonal negative (Cholesky).
    noise : float
        Variance σ_n² of the noise.
    fit, complexity, constant : float
        Terms of the log evidence: with K_t = XΣ_pXᵀ + σ_n²I they are −½(y − Xm₀)ᵀK_t⁻¹(y − Xm₀), −½ log|K_t| and
        −½ n log 2π. After an `update` they are those of all data so far.
    """

    mean: np.ndarray
    covariance: np.ndarray
    factor: np.ndarray
    noise: float
    fit: float
    complexity: float
    constant: float

    @property
    def log_evidence(self):
        """The log of the density p(y|X), every constant included."""
        return self.fit + self.complexity + self.constant + 0.0  # no data give 0, not −0

    def predict(self, X):
        """Return mean and variance of f(x) = x·w, averaged over all weights (ES eq. 32).

        Parameters
        ----------
        X : array_like of shape (m, d)
            New inputs, one a row.

        Returns
        -------
        LinearPrediction

        Raises
        ------
        ValueError
            Wrong shape, NaN or infinite entries, or values too large for floating point.
        """
        X = as_array("X", X, ("m", len(self.mean)))
        with np.errstate(all="ignore"):
            mean, variance = X @ self.mean, ((X @ self.factor) ** 2).sum(axis=1)
        _check_size(mean, variance)
        return LinearPrediction(mean, variance, self.noise)

    def update(self, X, y):
        """Return the posterior after more data: what was the posterior is now the prior.

        Parameters
        ----------
        X : array_like of shape (n, d)
            Further inputs, one a row.
        y : array_like of shape (n,)
            Their targets.

        Returns
        -------
        WeightPosterior
            That of all data so far, whatever their order.

        Raises
        ------
        ValueError
            As for `posterior`.
        """
        X = as_array("X", X, ("n", len(self.mean)))
        after = _posterior(X, as_array("y", y, (len(X),)), self.mean, self.factor, self.noise)
        terms = (self.fit + after.fit, self.complexity + after.complexity, self.constant + after.constant)
        return WeightPosterior(after.mean, after.covariance, after.factor, self.noise, *terms)

    def sample(self, count, random_state=None):
        """Return weights drawn from the posterior.

        Parameters
        ----------
        count : int
        random_state : int or numpy.random.Generator, optional

        Returns
        -------
        numpy.ndarray of shape (count, d)
        """
        shape = (as_whole_number("count", count), len(self.mean))
        return self.mean + as_generator(random_state).normal(size=shape) @ self.factor.T


def posterior(X, y, prior_covariance, noise, prior_mean=None):
    """Return the distribution of the weights given the data (ES p. 106).

    Parameters
    ----------
    X : array_like of shape (n, d)
        Inputs, one a row; none at all (n = 0) leave the prior as it is.
    y : array_like of shape (n,)
        Targets.
    prior_covariance : float or array_like of shape (d,) or (d, d)
        Σ_p: one variance for all weights, a variance for each, or the matrix, which may be singular. A variance of 0
        says that the weight is known.
    noise : float
        Variance σ_n² of the noise, above 0, in the squared unit of y.
    prior_mean : array_like of shape (d,), optional
        m₀; zero if left out.

    Returns
    -------
    WeightPosterior

    Raises
    ------
    ValueError
        Wrong shapes, NaN or infinite entries, a prior covariance that is not symmetric or has a negative eigenvalue,
        noise that is not above 0, values too large for floating point, or a prior so wide against the noise that
        floating point cannot hold both.

    Notes
    -----
    ES p. 104–107, with Σ_p⁻¹ where p. 106 prints Σ_p. The evidence is that of chapter 18 with the kernel xᵀΣ_pz.

    Examples
    --------
    >>> found = posterior([[1, 0], [1, 1], [1, 2]], [1.0, 2.0, 3.0], prior_covariance=100.0, noise=0.01)
    >>> found.mean.round(3).tolist(), round(found.log_evidence, 3)
    ([1.0, 1.0], -5.965)
    >>> found.predict([[1, 3]]).std_with_noise.round(3).tolist()
    [0.183]
    """
    X = as_array("X", X, ("n", "d"))
    if X.shape[1] == 0:
        raise ValueError(f"X: expected at least one feature, got shape {X.shape}")
    y = as_array("y", y, (len(X),))
    factor = _factor(prior_covariance, X.shape[1])
    mean = np.zeros(X.shape[1]) if prior_mean is None else as_array("prior_mean", prior_mean, (X.shape[1],))
    return _posterior(X, y, mean, factor, as_positive("noise", noise))


def log_prior(w, prior_covariance, prior_mean=None):
    """Return log N(w; m₀, Σ_p), the log density of weights before any data (ES p. 104).

    Parameters
    ----------
    w : array_like of shape (d,)
    prior_covariance, prior_mean
        As in `posterior`; the covariance must be positive definite here, else there is no density.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        Wrong shapes, NaN or infinite entries, or a covariance that is not positive definite.

    Examples
    --------
    >>> round(log_prior([0.0, 1.0], prior_covariance=1.0), 4)
    -2.3379
    """
    w = as_array("w", w, ("d",))
    mean = np.zeros(len(w)) if prior_mean is None else as_array("prior_mean", prior_mean, (len(w),))
    factor = _factor(prior_covariance, len(w))
    directions, scales, _ = np.linalg.svd(factor)
    if scales.min(initial=np.inf) <= len(w) * np.finfo(float).eps * scales.max(initial=0.0):
        raise ValueError("prior_covariance: expected a positive definite matrix, got a singular one without a density")
    u = directions.T @ (w - mean) / scales
    return float(-0.5 * u @ u - np.log(scales).sum() - 0.5 * len(w) * np.log(2 * np.pi))


def log_likelihood(w, X, y, noise):
    """Return log p(y|X, w) = log N(y; Xw, σ_n²I), how probable the data are under one choice of weights (ES p. 105).

    Parameters
    ----------
    w : array_like of shape (d,)
    X : array_like of shape (n, d)
        Inputs, one a row.
    y : array_like of shape (n,)
        Targets.
    noise : float
        Variance σ_n², above 0.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        Wrong shapes, NaN or infinite entries, or noise that is not above 0.

    Examples
    --------
    >>> round(log_likelihood([2.0], [[1], [2]], [2.0, 4.0], noise=1.0), 4)
    -1.8379
    """
    X = as_array("X", X, ("n", "d"))
    y, w, noise = as_array("y", y, (len(X),)), as_array("w", w, (X.shape[1],)), as_positive("noise", noise)
    residual = y - X @ w
    return float(-0.5 * residual @ residual / noise - 0.5 * len(y) * np.log(2 * np.pi * noise))


def _posterior(X, y, prior_mean, prior_factor, noise):
    n, d = X.shape
    with np.errstate(all="ignore"):
        Z = X @ prior_factor / np.sqrt(noise)
        residual = (y - X @ prior_mean) / np.sqrt(noise)
        _check_size(Z, residual)
        # A rotation of the data changes nothing, and this one leaves d + 1 rows: a far smaller matrix to decompose.
        rows = np.linalg.qr(np.column_stack([Z, residual]), mode="r")
        Z, residual = rows[:, :d], rows[:, d]
        empty = max(0, d - len(Z))  # rows of zeros say nothing, but make the directions without data appear
        left, s, directions = np.linalg.svd(np.vstack([Z, np.zeros((empty, d))]), full_matrices=False)
        if s[0] > _WORST_RATIO * np.hypot(1, s[-1]):
            raise ValueError(
                "prior_covariance: expected a prior that is less wide against the noise: its standard deviations in y "
                f"are up to {s[0]:.0e} times those of the noise, and some weights are left to rounding errors"
            )
        c = left[: len(Z)].T @ residual
        rest = residual - left[: len(Z)] @ c
        factor = (prior_factor @ directions.T) / np.hypot(1, s)
        mean = prior_mean + factor @ (s * c / np.hypot(1, s))
        factor = _triangular(factor)
        fit = -0.5 * float(rest @ rest + (c / np.hypot(1, s)) @ (c / np.hypot(1, s)))
    _check_size(mean, factor, np.array(fit))
    complexity = -float(0.5 * n * np.log(noise) + np.log(np.hypot(1, s)).sum())
    constant = -0.5 * n * float(np.log(2 * np.pi))
    return WeightPosterior(mean, factor @ factor.T, factor, noise, fit, complexity, constant)


def _triangular(factor):
    """Return the Cholesky factor of FFᵀ, without forming the product: it depends on no sign that an SVD chooses."""
    upper = np.linalg.qr(factor.T, mode="r")
    return (np.where(np.diag(upper) < 0, -1.0, 1.0)[:, None] * upper).T


def _factor(covariance, d):
    """Return L of shape (d, d) with LLᵀ = Σ_p."""
    name = "prior_covariance"
    if np.ndim(covariance) < 2:
        shape = () if np.ndim(covariance) == 0 else (d,)
        variances = np.broadcast_to(as_array(name, covariance, shape), (d,))
        if variances.min(initial=0.0) < 0:
            raise ValueError(f"{name}: expected variances of at least 0, got {variances.min():g}")
        return np.diag(np.sqrt(variances))
    matrix = as_array(name, covariance, (d, d))
    size = np.abs(matrix).max(initial=0.0)
    if np.abs(matrix - matrix.T).max(initial=0.0) > 1e-10 * size:
        raise ValueError(f"{name}: expected a symmetric matrix, got one that differs from its transpose")
    try:
        return np.linalg.cholesky(matrix)
    except np.linalg.LinAlgError:  # singular, or no covariance at all
        variances, axes = np.linalg.eigh((matrix + matrix.T) / 2)
    if variances.min(initial=0.0) < -1e-10 * size:
        raise ValueError(f"{name}: expected no negative eigenvalue, got {variances.min():g}")
    return axes * np.sqrt(np.maximum(variances, 0))


def _check_size(*arrays):
    if not all(np.isfinite(array).all() for array in arrays):
        raise ValueError("X, y: the values are too large for floating point; scale the data")
