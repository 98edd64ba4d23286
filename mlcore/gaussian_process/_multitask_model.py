"""Several tasks in one Gaussian process, as plain functions: covariance, marginal likelihood and predictions.

One ordering throughout: observation i has the time ``times[i]``, the task ``tasks[i]`` (a whole number from 0 to
s − 1, which is its row in the task covariance) and the value ``y[i]``. Observations may come in any order, and every
matrix between observations has its rows in that order. Sorted by task, with the same times for each, the covariance
matrix without noise is the Kronecker product K_c ⊗ K_t.
"""

from dataclasses import dataclass, replace

import numpy as np

from mlcore.gaussian_process._process import (
    ConditionedProcess,
    add_noise,
    as_kernel,
    as_prediction,
    density_slope,
    inner_product,
)
from mlcore.gaussian_process._task_covariance import TaskCovariance
from mlcore.kernels import Kernel
from mlcore.validation import as_array

__all__ = ["MultiTaskModel", "as_times_and_tasks", "multitask_log_marginal_likelihood", "multitask_posterior"]


@dataclass(frozen=True, eq=False)
class MultiTaskModel:
    """Covariance K_c[l, l′] · k_t(t, t′) between task l at time t and task l′ at time t′, and noise for each task.

    Parameters
    ----------
    kernel : mlcore.kernels.Kernel
        k_t. Best with k_t(t, t) = 1: heights belong to the tasks.
    task_covariance : TaskCovariance or array_like of shape (s, s)
        K_c.
    noise : float or array_like of shape (s,)
        Variance of the noise of every task, at least 0.

    Raises
    ------
    ValueError
        An invalid argument.

    Examples
    --------
    >>> from mlcore.kernels import Gaussian
    >>> model = MultiTaskModel(Gaussian(2.0), [[4.0, 0.0], [0.0, 9.0]], 0.1)
    >>> model.parameters
    {'width': 2.0, 'task[0,0]': 2.0, 'task[1,0]': 0.0, 'task[1,1]': 3.0, 'noise[0]': 0.1, 'noise[1]': 0.1}
    """

    kernel: Kernel
    task_covariance: TaskCovariance
    noise: np.ndarray

    def __post_init__(self):
        as_kernel(self.kernel)
        if not isinstance(self.task_covariance, TaskCovariance):
            matrix = as_array("task_covariance", self.task_covariance, ("s", "s"))
            object.__setattr__(self, "task_covariance", TaskCovariance.from_matrix(matrix))
        s = len(self.task_covariance)
        noise = np.full(s, self.noise, dtype=float) if np.ndim(self.noise) == 0 else self.noise
        noise = as_array("noise", noise, (s,))
        if (noise < 0).any():
            raise ValueError(f"noise: expected variances of at least 0, got {noise.tolist()}")
        noise.flags.writeable = False
        object.__setattr__(self, "noise", noise)

    @property
    def parameters(self):
        """Those of the kernel, then the entries of L, then the noises, by name (dict of str to float)."""
        return self.kernel.parameters | self.task_covariance.parameters | noises_by_name(self.noise)

    def with_parameters(self, values):
        """Return the same model with other values under the names of `parameters`; names left out keep theirs."""
        unknown = sorted(set(values) - set(self.parameters))
        if unknown:
            raise ValueError(f"values: expected names among {sorted(self.parameters)}, got {unknown}")
        return MultiTaskModel(
            self.kernel.with_parameters({name: values[name] for name in self.kernel.parameters if name in values}),
            self.task_covariance.with_parameters(
                {name: values[name] for name in self.task_covariance.parameters if name in values}
            ),
            [values.get(f"noise[{a}]", variance) for a, variance in enumerate(self.noise)],
        )

    def tasks(self, places):
        """Return the tasks (n,) of places, which are a pair of times (n, 1) and tasks (n,)."""
        return places[1]

    def noise_at(self, places):
        """Return the variance of the noise at every place, of shape (n,)."""
        return self.noise[places[1]]

    def covariance(self, places, others=None):
        """Return the covariances of the functions, without noise, between places and others, or among themselves."""
        (times, tasks), (new_times, new_tasks) = places, places if others is None else others
        K = self.kernel._checked(self.kernel._matrix(times, new_times))
        return self.task_covariance.matrix[np.ix_(tasks, new_tasks)] * K

    def variance(self, places):
        """Return the diagonal of `covariance` without the rest, of shape (n,)."""
        times, tasks = places
        return self.task_covariance.matrix.diagonal()[tasks] * self.kernel._checked(self.kernel._diagonal(times))

    def density(self, places, y, gradient):
        """Return `multitask_log_marginal_likelihood` of data that were checked before."""
        if not gradient:
            return ConditionedProcess(self, places, y).likelihood
        times, tasks = places
        between_tasks = self.task_covariance.matrix[np.ix_(tasks, tasks)]
        K, by_parameter = self.kernel._matrix_and_gradients(times, times)
        terms, slope = density_slope(add_noise(between_tasks * self.kernel._checked(K), self.noise[tasks]), y)
        slope_of_K = slope * between_tasks
        by_kernel = {name: inner_product(slope_of_K, matrix) for name, matrix in by_parameter.items()}
        s = len(self.noise)
        pairs = (tasks[:, None] * s + tasks).ravel()
        by_pair = np.bincount(pairs, weights=(slope * K).ravel(), minlength=s * s).reshape(s, s)
        by_task = self.task_covariance.gradient((by_pair + by_pair.T) / 2)
        by_noise = np.bincount(tasks, weights=slope.diagonal(), minlength=s)
        return replace(terms, gradient=by_kernel | by_task | noises_by_name(by_noise))


def multitask_log_marginal_likelihood(kernel, task_covariance, noise, times, tasks, y, gradient=False):
    """Return the logarithm of the density of the observations of all tasks, split into its terms.

    Parameters
    ----------
    kernel : mlcore.kernels.Kernel
        Covariance k_t over time.
    task_covariance : TaskCovariance or array_like of shape (s, s)
        K_c.
    noise : float or array_like of shape (s,)
        Variance of the noise of every task, at least 0.
    times : array_like of shape (n,)
    tasks : array_like of int of shape (n,), or int
        From 0 to s − 1.
    y : array_like of shape (n,)
        Observations of processes with mean 0.
    gradient : bool
        Whether the derivatives are wanted.

    Returns
    -------
    mlcore.gaussian_process.MarginalLikelihood
        `gradient` under the names of `MultiTaskModel.parameters`: of the kernel, of the entries ``task[i,j]`` of L and
        of ``noise[a]``.

    Raises
    ------
    ValueError
        An invalid argument.
    mlcore.errors.NotAKernel
        A covariance matrix has a negative eigenvalue.

    Notes
    -----
    ES p. 115 and 116.

    Examples
    --------
    >>> from mlcore.kernels import Gaussian
    >>> data = {"times": [0, 1, 0, 1], "tasks": [0, 0, 1, 1], "y": [1, 2, 1, 2]}
    >>> apart = multitask_log_marginal_likelihood(Gaussian(1.0), [[1, 0], [0, 1]], 0.1, **data)
    >>> together = multitask_log_marginal_likelihood(Gaussian(1.0), [[1, 0.9], [0.9, 1]], 0.1, **data)
    >>> round(apart.value, 2), round(together.value, 2)
    (-7.15, -4.53)
    """
    model = MultiTaskModel(kernel, task_covariance, noise)
    places = as_times_and_tasks(times, tasks, len(model.noise))
    y = as_array("y", y, (len(places[0]),))
    with np.errstate(all="ignore"):
        return model.density(places, y, gradient)


def multitask_posterior(kernel, task_covariance, noise, times, tasks, y, new_times, new_tasks):
    """Return the distribution of function values of any task at any time, given observations of all tasks.

    Parameters
    ----------
    kernel, task_covariance, noise, times, tasks, y
        As for `multitask_log_marginal_likelihood`. With n = 0 the posterior is the prior.
    new_times : array_like of shape (m,)
    new_tasks : array_like of int of shape (m,), or int

    Returns
    -------
    mlcore.gaussian_process.GPPrediction
        `noise` holds the variance of the noise of the task of every prediction, of shape (m,).

    Raises
    ------
    ValueError
        An invalid argument.
    mlcore.errors.NotAKernel
        A covariance matrix has a negative eigenvalue.

    Notes
    -----
    ES eq. 34 and p. 116.

    Examples
    --------
    >>> from mlcore.kernels import Gaussian
    >>> seen = {"times": [0, 1], "tasks": [0, 0], "y": [1, 2]}
    >>> other = multitask_posterior(Gaussian(1.0), [[1, 0.9], [0.9, 1]], 0.1, **seen, new_times=[0, 1], new_tasks=1)
    >>> other.mean.round(2), other.std.round(2)
    (array([0.91, 1.63]), array([0.51, 0.51]))
    """
    model = MultiTaskModel(kernel, task_covariance, noise)
    places = as_times_and_tasks(times, tasks, len(model.noise))
    y = as_array("y", y, (len(places[0]),))
    new_places = as_times_and_tasks(new_times, new_tasks, len(model.noise), prefix="new_")
    with np.errstate(all="ignore"):
        return as_prediction(ConditionedProcess(model, places, y), new_places)


def noises_by_name(noise):
    """Return an array of shape (s,) under the names ``noise[a]``."""
    return {f"noise[{a}]": float(value) for a, value in enumerate(noise)}


def as_times_and_tasks(times, tasks, count=None, prefix=""):
    """Return times as a column (n, 1) and tasks as numbers (n,) below `count`; one number stands for all times."""
    times = as_array(f"{prefix}times", times, ("n",))
    raw = np.asarray(tasks)
    if raw.size and not np.issubdtype(raw.dtype, np.integer):
        raise ValueError(f"{prefix}tasks: expected whole numbers, got {tasks!r}")
    if raw.ndim > 1 or (raw.ndim == 1 and len(raw) != len(times)):
        raise ValueError(f"{prefix}tasks: expected shape ({len(times)},) or one number, got shape {raw.shape}")
    tasks = np.array(np.broadcast_to(raw, times.shape), dtype=int)
    if len(tasks) and (tasks.min() < 0 or (count is not None and tasks.max() >= count)):
        below = "" if count is None else f" below {count}"
        raise ValueError(f"{prefix}tasks: expected numbers from 0{below}, got {tasks.min()} to {tasks.max()}")
    return times[:, None], tasks
