"""Picture of chapter 19: one task predicted with the help of another, at a correlation to be set."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from mlcore.explore import FOREGROUND, Explorable, choice, linear_slider
from mlcore.gaussian_process import multitask_log_marginal_likelihood, multitask_posterior
from mlcore.kernels import Gaussian
from mlcore.pictures.drawing.readout import minus
from mlcore.pictures.drawing.sample_data import Samples, draw_samples
from mlcore.pictures.drawing.visual_language import BOUNDARY, draw_band, legend_below, panel_axes

__all__ = ["KERNEL", "NOISE", "best_correlation", "both_tasks", "true_tasks", "two_tasks"]

KERNEL, NOISE = Gaussian(width=1.2), 0.01
CORRELATIONS = tuple(round(r, 2) for r in np.arange(-0.95, 0.96, 0.05).tolist())
_GRID = np.linspace(0, 10, 101)
_LAST_SEEN = 4.0  # task 2 is seen up to here
_SEEN = {"none": 0, "3": 3, "8": 8}


@dataclass(frozen=True, eq=False)
class _Fit:
    """Both tasks on the grid at one correlation, and what the data say of it."""

    mean: np.ndarray
    std: np.ndarray
    rmse: float
    likelihood: float


def true_tasks(times):
    """Return both functions, of shape (2, n): the second is 0.8 times the first plus 0.6 times one of its own."""
    first = 1.1 * np.sin(0.9 * times) + 0.7 * np.cos(1.7 * times + 0.5)
    own = 1.2 * np.sin(1.3 * times + 2.0)
    return np.array([first, 0.8 * first + 0.6 * own])


def both_tasks(seen):
    """Return times, tasks and values: 20 of task 1 from 0 to 10, `seen` of task 2 from 0 to 4.

    Parameters
    ----------
    seen : int

    Returns
    -------
    times, tasks, y : numpy.ndarray of shape (20 + seen,)
    """
    times = np.concatenate([np.linspace(0.2, 9.8, 20), np.linspace(0.1, _LAST_SEEN, seen)])
    tasks = np.repeat([0, 1], [20, seen])
    noise = np.sqrt(NOISE) * np.random.default_rng(19).normal(size=28)[: len(times)]
    return times, tasks, true_tasks(times)[tasks, np.arange(len(times))] + noise


def two_tasks():
    """Return two tasks, the second seen for a while only, with a slider for their correlation (ES 10.5).

    Returns
    -------
    Explorable
    """
    return Explorable(
        title="What one task tells about another",
        controls=(
            linear_slider("correlation", "correlation ρ", -0.95, 0.95, start=0, steps=39, text=_signed),
            choice("seen", "measurements of task 2", _SEEN, start=3),
        ),
        frame=_frame,
        draw=_draw,
        describe=_describe,
        size=(8.6, 4.1),
        panels=2,
    )


def _signed(value):
    return minus(f"{value:.2f}")


@lru_cache(maxsize=256)
def _fit(correlation, seen):
    times, tasks, y = both_tasks(seen)
    K_c = np.array([[1.0, correlation], [correlation, 1.0]])
    # Both tasks in one go: the matrix of the observations is factorised once.
    both = multitask_posterior(KERNEL, K_c, NOISE, times, tasks, y, np.tile(_GRID, 2), np.repeat([0, 1], len(_GRID)))
    mean, std = both.mean.reshape(2, -1), both.std.reshape(2, -1)
    error = (mean[1] - true_tasks(_GRID)[1])[_GRID > _LAST_SEEN]
    likelihood = multitask_log_marginal_likelihood(KERNEL, K_c, NOISE, times, tasks, y).value
    return _Fit(mean, std, float(np.sqrt(np.mean(error**2))), likelihood)


@lru_cache(maxsize=8)
def best_correlation(seen):
    """Return the correlation of the slider at which `seen` measurements of task 2 make the likelihood largest."""
    data = both_tasks(seen)
    values = [multitask_log_marginal_likelihood(KERNEL, [[1, r], [r, 1]], NOISE, *data).value for r in CORRELATIONS]
    return CORRELATIONS[int(np.argmax(values))]


def _frame(figure):
    truth = true_tasks(_GRID)
    for axes, curve, name in zip(panel_axes(figure), truth, ("Task 1, seen throughout", "Task 2, seen up to 4 s")):
        axes.set(xlim=(0, 10), ylim=(-3.4, 3.4), xlabel="time in s", ylabel="value", title=name)
        axes.plot(_GRID, curve, ":", color=BOUNDARY, linewidth=1.6, zorder=FOREGROUND)
    _draw_samples(figure.subfigs[0].axes[0], *both_tasks(0), task=0)  # they are the same in every state
    legend_below(figure.subfigs[0], "sample", "truth")
    legend_below(figure.subfigs[1], "mean", ("band", "±2 standard deviations"))


def _draw(figure, correlation, seen):
    fit = _fit(correlation, seen)
    for axes, mean, std in zip(figure.axes, fit.mean, fit.std):
        draw_band(axes, _GRID, mean, std)
    if seen:
        _draw_samples(figure.axes[1], *both_tasks(seen), task=1)


def _draw_samples(axes, times, tasks, y, task):
    mine, above = tasks == task, FOREGROUND + 1 if task == 0 else 5
    draw_samples(axes, Samples(tuple(times[mine]), tuple(y[mine])), zorder=above)


def _describe(correlation, seen):
    fit = _fit(correlation, seen)
    widest = 2 * float(fit.std[1][_GRID > _LAST_SEEN].max())
    if seen:
        said = (
            f"Log marginal likelihood {fit.likelihood:.1f}; of all positions of the slider it is largest at "
            f"ρ = {best_correlation(seen):.2f}."
        )
    else:
        said = (
            f"Log marginal likelihood {fit.likelihood:.1f}, whatever ρ is: without task 2 the data say nothing of it."
        )
    return minus(
        f"ρ = {correlation:.2f}, {seen} measurements of task 2. After 4 s the band of task 2 (±2 standard deviations, "
        f"without noise) is up to ±{widest:.2f} wide, and the mean is {fit.rmse:.2f} off the truth (root mean square). "
        f"{said}"
    )
