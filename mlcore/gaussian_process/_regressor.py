"""Gaussian process regression: a distribution over functions, and what the data leave of it.

The formulas are in `mlcore.gaussian_process._process`; here they meet scikit-learn's conventions.
"""

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from mlcore.gaussian_process._hyperparameters import BOUNDS, best_run, learned
from mlcore.gaussian_process._process import ConditionedProcess, spread_asked
from mlcore.gaussian_process._single_task import ProcessModel
from mlcore.kernels import Gaussian
from mlcore.preprocessing import StandardScaler
from mlcore.validation import all_or_nothing

__all__ = ["GaussianProcessRegressor"]

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
    random_state : int, numpy.random.Generator, numpy.random.RandomState or None
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

    @all_or_nothing
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
        X, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True, copy=True)
        y = y.astype(float)
        model = ProcessModel(self.kernel, self.noise)
        offset, scale = [0.0], [1.0]
        if self.scale_output:
            scaler = StandardScaler().fit(y[:, None])
            offset, scale = scaler.mean_, scaler.scale_
        with np.errstate(all="ignore"):
            model, self.optimizer_results_ = learned(self, model, X, (y - offset) / scale)
            self._process_ = ConditionedProcess(model, X, y, (offset, scale))
        self.kernel_, self.noise_ = model.kernel, model.noise
        self.jitter_ = self._process_.factor.jitter
        self.log_marginal_likelihood_ = self._process_.likelihood.value
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
        X = validate_data(self, X, dtype=np.float64, reset=False)
        with np.errstate(all="ignore"):
            mean, found = self._process_.predict(X, spread_asked(return_std, return_cov), with_noise)
        return (mean, found) if return_std or return_cov else mean

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
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        with np.errstate(all="ignore"):
            return self._process_.sample(X, count, random_state, with_noise)

    @property
    def n_iter_(self):
        """Iterations of the optimiser from the start that led highest."""
        check_is_fitted(self)
        return best_run(self.optimizer_results_).iterations if self.optimizer_results_ else 0
