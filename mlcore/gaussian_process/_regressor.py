"""Gaussian process regression: a distribution over functions, and what the data leave of it.

The formulas are in `process_posterior` and `marginal_likelihood`; here they meet scikit-learn's conventions.
"""

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from mlcore.gaussian_process._cholesky import factorized
from mlcore.gaussian_process._conditional import reduced_covariance, reduced_variance
from mlcore.gaussian_process._hyperparameters import (
    BOUNDS,
    OptimizerResult,
    best_parameters,
    best_run,
    maximize,
    search_space,
)
from mlcore.gaussian_process._marginal_likelihood import (
    MarginalLikelihood,
    add_noise,
    as_process_data,
    covariance_between,
    factor_terms,
    log_marginal_likelihood,
    process_likelihood,
)
from mlcore.gaussian_process._posterior import (
    GPPrediction,
    drawn,
    gp_posterior,
    posterior_samples,
    prior_samples,
    weighted_sums,
)
from mlcore.kernels import Gaussian

__all__ = [
    "GPPrediction",
    "GaussianProcessRegressor",
    "MarginalLikelihood",
    "OptimizerResult",
    "gp_posterior",
    "log_marginal_likelihood",
    "posterior_samples",
    "prior_samples",
]

UNIT_GAUSSIAN = 1.0 * Gaussian(1.0)


class GaussianProcessRegressor(RegressorMixin, BaseEstimator):
    """Gaussian process regression, y = f(x) + noise, with mean 0 and covariance k(x, x′) of f before data are seen.

    Parameters
    ----------
    kernel : mlcore.kernels.Kernel
        Covariance function, such as ``height**2 * Gaussian(width)``; where the optimiser starts.
    noise : float
        Variance σ_n² of the noise, at least 0, where the optimiser starts. 0: the mean goes through every point.
    optimize : bool or iterable of str
        Which parameters are learned by maximising the marginal likelihood: names among ``kernel.parameters`` and
        "noise"; True: all that are above 0; False: none.
    restarts : int
        Number of further starts, drawn with uniform logarithms between the bounds.
    bounds : pair of float, or dict of str to pair of float
        Least and largest value of every learned parameter, both above 0, or of those named; the others have
        (1e-5, 1e5).
    max_iter : int
        Largest number of iterations of the optimiser from each start.
    random_state : int, numpy.random.RandomState or None
        For the restarts.
    scale_output : bool
        Whether to learn (y − mean of y) / standard deviation of y. `kernel` and `noise` are then about those numbers;
        predictions, samples and the likelihood are about y itself.

    Attributes
    ----------
    n_features_in_ : int
    feature_names_in_ : numpy.ndarray of str
        If the training data came with names.
    kernel_ : mlcore.kernels.Kernel
        With the parameters learned.
    noise_ : float
        Variance of the noise, learned or given.
    log_marginal_likelihood_ : float
        Logarithm of the density of y.
    jitter_ : float
        Added to the variances of the observations to make their covariance matrix invertible; 0 in most cases.
    optimizer_results_ : tuple of mlcore.gaussian_process.OptimizerResult
        One for each start, first the given one; empty if nothing was learned.
    n_iter_ : int
        Iterations of the optimiser from the start that led highest.

    Raises
    ------
    ValueError
        On fitting: an invalid parameter or invalid data.
    mlcore.errors.NotAKernel
        On fitting: the covariance matrix has a negative eigenvalue.

    Notes
    -----
    ES ch. 10.3 and 10.4. If the best run of the optimiser did not converge, fitting warns with scikit-learn's
    ConvergenceWarning.

    Examples
    --------
    >>> process = GaussianProcessRegressor(Gaussian(1.0), noise=0.25, optimize=False).fit([[0], [2]], [1, -1])
    >>> mean, std = process.predict([[0], [3]], return_std=True)
    >>> mean.round(3), std.round(3)
    (array([ 0.776, -0.534]), array([0.447, 0.839]))
    """

    def __init__(
        self,
        kernel=UNIT_GAUSSIAN,
        noise=0.1,
        optimize=True,
        restarts=0,
        bounds=BOUNDS,
        max_iter=1000,
        random_state=None,
        scale_output=False,
    ):
        self.kernel = kernel
        self.noise = noise
        self.optimize = optimize
        self.restarts = restarts
        self.bounds = bounds
        self.max_iter = max_iter
        self.random_state = random_state
        self.scale_output = scale_output

    def fit(self, X, y):
        """Learn the parameters, and factorise the covariance matrix of the observations.

        Parameters
        ----------
        X : array_like of shape (n, d)
        y : array_like of shape (n,)
            Targets.

        Returns
        -------
        GaussianProcessRegressor
            The regressor itself.
        """
        vars(self).pop("_factor", None)  # a fit that fails leaves no process, not even an older one
        X, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True)
        kernel, noise, X, y = as_process_data(self.kernel, self.noise, X, y)
        self._offset, self._scale = (y.mean(), y.std() or 1.0) if self.scale_output else (0.0, 1.0)
        y = (y - self._offset) / self._scale
        with np.errstate(all="ignore"):
            self.kernel_, self.noise_, self.optimizer_results_ = self._learned(kernel, noise, X, y)
            self._factor = factorized(add_noise(covariance_between(self.kernel_, X, X), self.noise_))
        self._X, self._weights = X, self._factor.solve(y)
        self.jitter_ = self._factor.jitter
        terms = factor_terms(self._factor, y, self._weights)
        self.log_marginal_likelihood_ = terms.value - len(y) * float(np.log(self._scale))
        return self

    def predict(self, X, return_std=False, return_cov=False, with_noise=False):
        """Return the mean of the function at new inputs, and how sure it is.

        Parameters
        ----------
        X : array_like of shape (m, d)
        return_std, return_cov : bool
            Whether standard deviations or the covariance matrix are wanted too; at most one of them.
        with_noise : bool
            Whether they are those of new observations, not of the function.

        Returns
        -------
        mean : numpy.ndarray of shape (m,)
            In the unit of y.
        std : numpy.ndarray of shape (m,)
            If asked for; √diag(covariance).
        covariance : numpy.ndarray of shape (m, m)
            If asked for.
        """
        check_is_fitted(self)
        if return_std and return_cov:
            raise ValueError("return_std: expected at most one of return_std and return_cov to be true, got both")
        X = validate_data(self, X, dtype=np.float64, reset=False)
        kernel, noise = self.kernel_, self.noise_ if with_noise else 0.0
        with np.errstate(all="ignore"):
            cross = covariance_between(kernel, X, self._X)
            mean = self._offset + self._scale * weighted_sums(cross, self._weights)
            if not (return_std or return_cov):
                return mean
            half_cross = self._factor.half_solve(cross.T, overwrite=True)
            if return_std:
                variance = reduced_variance(kernel._checked(kernel._diagonal(X)), half_cross)
                return mean, self._scale * np.sqrt(variance + noise)
            covariance = reduced_covariance(covariance_between(kernel, X, X), half_cross)
            return mean, self._scale**2 * add_noise(covariance, noise)

    def sample(self, X, count=1, random_state=None, with_noise=False):
        """Draw functions from the process given the data.

        Parameters
        ----------
        X : array_like of shape (m, d)
            Where they are looked at.
        count : int
            Number of functions.
        random_state : int, numpy.random.Generator or None
        with_noise : bool
            Whether to draw observations, with noise, instead of functions.

        Returns
        -------
        numpy.ndarray of shape (count, m)
            A function a row, in the unit of y.
        """
        mean, covariance = self.predict(X, return_cov=True, with_noise=with_noise)
        return drawn(mean, covariance, self._scale**2 * self.kernel_.diag(X), count, random_state)

    def __sklearn_is_fitted__(self):
        return hasattr(self, "_factor")

    @property
    def n_iter_(self):
        """Iterations of the optimiser from the start that led highest."""
        check_is_fitted(self)
        return best_run(self.optimizer_results_).iterations if self.optimizer_results_ else 0

    def _learned(self, kernel, noise, X, y):
        of_kernel = kernel.parameters
        start = of_kernel | {"noise": noise}

        def model(parameters):
            values = start | parameters
            return kernel._replaced({name: values[name] for name in of_kernel}), values["noise"]

        def likelihood(parameters):
            terms = process_likelihood(*model(parameters), X, y, gradient=True)
            return terms.value, terms.gradient

        space = search_space(start, self.optimize, self.bounds)
        runs = maximize(likelihood, space, start, self.restarts, self.max_iter, self.random_state)
        return *model(best_parameters(runs)), runs
