"""Gaussian process regression for several tasks, each seen at its own times, that help each other.

The formulas, and the ordering of observations that holds throughout, are in `multitask_model`.
"""

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from mlcore.gaussian_process._cholesky import factorized
from mlcore.gaussian_process._conditional import reduced_covariance, reduced_variance
from mlcore.gaussian_process._hyperparameters import BOUNDS, best_parameters, best_run, maximize, search_space
from mlcore.gaussian_process._marginal_likelihood import add_noise, factor_terms
from mlcore.gaussian_process._multitask_model import (
    MultiTaskModel,
    as_times_and_tasks,
    multitask_log_marginal_likelihood,
    multitask_posterior,
)
from mlcore.gaussian_process._posterior import drawn, weighted_sums
from mlcore.gaussian_process._task_covariance import TaskCovariance
from mlcore.kernels import Gaussian
from mlcore.validation import as_array

__all__ = ["MultiTaskGP", "TaskCovariance", "multitask_log_marginal_likelihood", "multitask_posterior"]

UNIT_GAUSSIAN = Gaussian(1.0)


class MultiTaskGP(BaseEstimator):
    """Gaussian process regression for s tasks with covariance K_c[l, l′] · k_t(t, t′).

    K_c, in free form, says how the tasks go together; k_t, the same for all tasks, how values at different times do.

    Parameters
    ----------
    kernel : mlcore.kernels.Kernel
        k_t, where the optimiser starts. Best with k_t(t, t) = 1: heights belong to the tasks.
    noise : float or sequence of float of length s
        Variance of the noise of every task, where the optimiser starts. A sequence fixes the number of tasks.
    task_covariance : TaskCovariance, array_like of shape (s, s) or None
        K_c, where the optimiser starts. None: the identity, that is independent tasks.
    optimize : bool or iterable of str
        Which parameters are learned by maximising the marginal likelihood: names among those of the kernel,
        ``task[i,j]`` (i ≥ j) for the entries of the Cholesky factor L of K_c, and ``noise[a]``; True: all of them,
        but those that must be positive and are 0; False: none.
    restarts : int
        Number of further starts, drawn at random.
    bounds : pair of float, or dict of str to pair of float
        Least and largest value of every learned parameter that must be positive, or of those named; the others have
        (1e-5, 1e5). Entries of L below the diagonal have none.
    max_iter : int
        Largest number of iterations of the optimiser from each start.
    random_state : int, numpy.random.RandomState or None
        For the restarts.
    scale_output : bool
        Whether to learn (y − mean) / standard deviation, both taken task by task. `kernel`, `noise` and
        `task_covariance` are then about those numbers; predictions, samples and the likelihood are about y itself.

    Attributes
    ----------
    kernel_ : mlcore.kernels.Kernel
    task_covariance_ : numpy.ndarray of shape (s, s)
        K_c.
    task_correlation_ : numpy.ndarray of shape (s, s)
        K_c[a, b] / √(K_c[a, a] K_c[b, b]).
    noise_ : numpy.ndarray of shape (s,)
        Variance of the noise of every task.
    log_marginal_likelihood_ : float
        Logarithm of the density of y.
    jitter_ : float
        Added to the variances of the observations to make their covariance matrix invertible; 0 in most cases.
    n_hyperparameters_ : int
        s(s + 1)/2 for K_c, s for the noise, and those of the kernel.
    model_ : mlcore.gaussian_process.MultiTaskModel
        All of it, with ``parameters`` by name.
    optimizer_results_ : tuple of mlcore.gaussian_process.OptimizerResult
        One for each start, first the given one; empty if nothing was learned.

    Raises
    ------
    ValueError
        On fitting: an invalid parameter or invalid data.

    Notes
    -----
    ES ch. 10.5; E. Bonilla, K. Chai and C. Williams, *Multi-task Gaussian Process Prediction* (2008). The cost of a
    fit grows with the cube of the number of observations of all tasks together. If the best run of the optimiser did
    not converge, fitting warns with scikit-learn's ConvergenceWarning.

    Examples
    --------
    >>> process = MultiTaskGP(Gaussian(1.0), 0.1, [[1, 0.9], [0.9, 1]], optimize=False)
    >>> mean, std = process.fit([0, 1], [0, 0], [1, 2]).predict([0, 1], 1, return_std=True)
    >>> mean.round(2), std.round(2)
    (array([0.91, 1.63]), array([0.51, 0.51]))
    """

    def __init__(
        self,
        kernel=UNIT_GAUSSIAN,
        noise=0.1,
        task_covariance=None,
        optimize=True,
        restarts=0,
        bounds=BOUNDS,
        max_iter=1000,
        random_state=None,
        scale_output=False,
    ):
        self.kernel = kernel
        self.noise = noise
        self.task_covariance = task_covariance
        self.optimize = optimize
        self.restarts = restarts
        self.bounds = bounds
        self.max_iter = max_iter
        self.random_state = random_state
        self.scale_output = scale_output

    def fit(self, times, tasks, y):
        """Learn the parameters, and factorise the covariance matrix of the observations.

        Parameters
        ----------
        times : array_like of shape (n,)
        tasks : array_like of int of shape (n,), or int
            Task of every observation, from 0 to s − 1.
        y : array_like of shape (n,)
            Observations.

        Returns
        -------
        MultiTaskGP
            The regressor itself.
        """
        vars(self).pop("_factor", None)  # a fit that fails leaves no process, not even an older one
        times, tasks = as_times_and_tasks(times, tasks)
        if not len(times):
            raise ValueError("times: expected at least one observation, got none")
        y = as_array("y", y, (len(times),))
        model = self._start(tasks)
        times, tasks = as_times_and_tasks(times[:, 0], tasks, len(model.noise))
        self._offset, self._scale = _offset_and_scale(y, tasks, len(model.noise), self.scale_output)
        y = (y - self._offset[tasks]) / self._scale[tasks]
        with np.errstate(all="ignore"):
            model, self.optimizer_results_ = self._learned(model, times, tasks, y)
            self._factor = factorized(add_noise(model.covariance(times, tasks), model.noise[tasks]))
        self._times, self._tasks, self._weights = times, tasks, self._factor.solve(y)
        self.model_, self.kernel_, self.noise_ = model, model.kernel, model.noise
        self.task_covariance_, self.task_correlation_ = model.task_covariance.matrix, model.task_covariance.correlation
        self.n_hyperparameters_ = len(model.parameters)
        self.jitter_ = self._factor.jitter
        terms = factor_terms(self._factor, y, self._weights)
        self.log_marginal_likelihood_ = terms.value - float(np.log(self._scale[tasks]).sum())
        return self

    def predict(self, times, tasks, return_std=False, return_cov=False, with_noise=False):
        """Return the mean of the functions of given tasks at given times, and how sure it is.

        Parameters
        ----------
        times : array_like of shape (m,)
        tasks : array_like of int of shape (m,), or int
        return_std, return_cov : bool
            Whether standard deviations or the covariance matrix are wanted too; at most one of them.
        with_noise : bool
            Whether they are those of new observations, not of the functions.

        Returns
        -------
        mean : numpy.ndarray of shape (m,)
            In the units of the tasks.
        std : numpy.ndarray of shape (m,)
            If asked for; √diag(covariance).
        covariance : numpy.ndarray of shape (m, m)
            If asked for.
        """
        check_is_fitted(self)
        if return_std and return_cov:
            raise ValueError("return_std: expected at most one of return_std and return_cov to be true, got both")
        times, tasks = as_times_and_tasks(times, tasks, len(self.noise_))
        scale = self._scale[tasks]
        with np.errstate(all="ignore"):
            cross = self.model_.covariance(times, tasks, self._times, self._tasks)
            mean = self._offset[tasks] + scale * weighted_sums(cross, self._weights)
            if not (return_std or return_cov):
                return mean
            half_cross = self._factor.half_solve(cross.T, overwrite=True)
            noise = self.noise_[tasks] if with_noise else 0.0
            if return_std:
                variance = reduced_variance(self.model_.variance(times, tasks), half_cross)
                return mean, scale * np.sqrt(variance + noise)
            covariance = reduced_covariance(self.model_.covariance(times, tasks), half_cross)
            return mean, np.outer(scale, scale) * add_noise(covariance, noise)

    def sample(self, times, tasks, count=1, random_state=None):
        """Draw functions of given tasks at given times, given the data.

        Parameters
        ----------
        times : array_like of shape (m,)
        tasks : array_like of int of shape (m,), or int
        count : int
            Number of draws.
        random_state : int, numpy.random.Generator or None

        Returns
        -------
        numpy.ndarray of shape (count, m)
            A draw a row, in the units of the tasks.
        """
        mean, covariance = self.predict(times, tasks, return_cov=True)
        times, tasks = as_times_and_tasks(times, tasks, len(self.noise_))
        prior_variance = self._scale[tasks] ** 2 * self.model_.variance(times, tasks)
        return drawn(mean, covariance, prior_variance, count, random_state)

    def __sklearn_is_fitted__(self):
        return hasattr(self, "_factor")

    @property
    def n_iter_(self):
        """Iterations of the optimiser from the start that led highest."""
        check_is_fitted(self)
        return best_run(self.optimizer_results_).iterations if self.optimizer_results_ else 0

    def _start(self, tasks):
        tasks_seen = int(tasks.max()) + 1
        given = self.task_covariance
        if given is None:
            given = TaskCovariance.independent(tasks_seen if np.ndim(self.noise) == 0 else len(self.noise))
        return MultiTaskModel(self.kernel, given, self.noise)

    def _learned(self, model, times, tasks, y):
        def likelihood(parameters):
            terms = model.with_parameters(parameters).likelihood(times, tasks, y, gradient=True)
            return terms.value, terms.gradient

        start = model.parameters
        space = search_space(start, self.optimize, self.bounds, unbounded=model.task_covariance.off_diagonal)
        runs = maximize(likelihood, space, start, self.restarts, self.max_iter, self.random_state)
        return model.with_parameters(best_parameters(runs)), runs


def _offset_and_scale(y, tasks, count, scaled):
    """Return mean and standard deviation of every task, of shape (count,) each; 0 and 1 where there is nothing."""
    offset, scale = np.zeros(count), np.ones(count)
    if scaled:
        for task in np.unique(tasks):
            of_task = y[tasks == task]
            offset[task], scale[task] = of_task.mean(), of_task.std() or 1.0
    return offset, scale
