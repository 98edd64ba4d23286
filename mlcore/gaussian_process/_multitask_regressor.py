"""Gaussian process regression for several tasks, each seen at its own times, that help each other.

The formulas, and the ordering of observations that holds throughout, are in `mlcore.gaussian_process._multitask_model`.
"""

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from mlcore.gaussian_process._hyperparameters import BOUNDS, best_run, learned
from mlcore.gaussian_process._multitask_model import MultiTaskModel, as_times_and_tasks
from mlcore.gaussian_process._process import ConditionedProcess, spread_asked
from mlcore.gaussian_process._task_covariance import TaskCovariance
from mlcore.kernels import Gaussian
from mlcore.preprocessing import StandardScaler
from mlcore.validation import all_or_nothing, as_array

__all__ = ["MultiTaskGP"]

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
    random_state : int, numpy.random.Generator, numpy.random.RandomState or None
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

    @all_or_nothing
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
        times, tasks = as_times_and_tasks(times, tasks)
        if not len(times):
            raise ValueError("times: expected at least one observation, got none")
        y = as_array("y", y, (len(times),))
        model = self._start(tasks)
        places = as_times_and_tasks(times[:, 0], tasks, len(model.noise))
        offset, scale = np.zeros(len(model.noise)), np.ones(len(model.noise))
        for task in np.unique(tasks) if self.scale_output else ():
            scaler = StandardScaler().fit(y[tasks == task, None])
            offset[task], scale[task] = scaler.mean_[0], scaler.scale_[0]
        off_diagonal = model.task_covariance.off_diagonal
        with np.errstate(all="ignore"):
            model, runs = learned(self, model, places, (y - offset[tasks]) / scale[tasks], unbounded=off_diagonal)
            self._process_ = ConditionedProcess(model, places, y, (offset, scale))
        self.optimizer_results_ = runs
        self.model_, self.kernel_, self.noise_ = model, model.kernel, model.noise
        self.task_covariance_, self.task_correlation_ = model.task_covariance.matrix, model.task_covariance.correlation
        self.n_hyperparameters_ = len(model.parameters)
        self.jitter_ = self._process_.factor.jitter
        self.log_marginal_likelihood_ = self._process_.likelihood.value
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
        places = as_times_and_tasks(times, tasks, len(self.noise_))
        with np.errstate(all="ignore"):
            mean, found = self._process_.predict(places, spread_asked(return_std, return_cov), with_noise)
        return (mean, found) if return_std or return_cov else mean

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
        check_is_fitted(self)
        places = as_times_and_tasks(times, tasks, len(self.noise_))
        with np.errstate(all="ignore"):
            return self._process_.sample(places, count, random_state)

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
        model = MultiTaskModel(self.kernel, given, self.noise)
        if not isinstance(given, TaskCovariance) and self._learns_task_covariance():
            rank = np.linalg.matrix_rank(np.asarray(given, dtype=float), hermitian=True)
            if rank < len(model.noise):
                raise ValueError(
                    "task_covariance: expected a positive definite matrix where learning can start, got rank "
                    f"{rank} for {len(model.noise)} tasks; with optimize=False it is kept"
                )
        return model

    def _learns_task_covariance(self):
        if isinstance(self.optimize, bool | np.bool_):
            return bool(self.optimize)
        return any(str(name).startswith("task[") for name in np.atleast_1d(self.optimize))
