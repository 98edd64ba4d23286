"""A Gaussian process given observations of one input, and the signs by which every picture of chapter 18 shows it."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from mlcore.gaussian_process import GPPrediction, gp_posterior, log_marginal_likelihood
from mlcore.pictures.drawing.visual_language import BOUNDARY, draw_band

__all__ = [
    "FittedProcess", "draw_process", "draw_truth", "fit_process", "learn", "plain_log_axis", "split_likelihood",
]  # fmt: skip

GRID = 141


@dataclass(frozen=True, eq=False)
class FittedProcess:
    """What a Gaussian process says along a line, given observations.

    Attributes
    ----------
    grid : numpy.ndarray of shape (m,)
    prediction : mlcore.gaussian_process.GPPrediction
        At the points of `grid`.
    """

    grid: np.ndarray
    prediction: GPPrediction


def learn(machine, data):
    """Fit a `mlcore.gaussian_process.GaussianProcessRegressor` to observations.

    Parameters
    ----------
    machine : mlcore.gaussian_process.GaussianProcessRegressor
    data : mlcore.pictures.drawing.sample_data.Samples

    Returns
    -------
    mlcore.gaussian_process.GaussianProcessRegressor
        `machine`, fitted.
    """
    return machine.fit(np.array(data.x)[:, None], np.array(data.y))


@lru_cache(maxsize=512)
def fit_process(data, kernel, noise, low, high, points=GRID):
    """Return what the process says between two inputs; the last ones are kept for picture and readout.

    Parameters
    ----------
    data : mlcore.pictures.drawing.sample_data.Samples
    kernel : mlcore.kernels.Kernel
    noise : float
        Variance of the noise.
    low, high : float
        Ends of the grid.
    points : int
        Length of the grid.

    Returns
    -------
    FittedProcess
    """
    grid = np.linspace(low, high, points)
    x, y = np.array(data.x), np.array(data.y)
    return FittedProcess(grid, gp_posterior(kernel, noise, x[:, None], y, grid[:, None]))


@lru_cache(maxsize=4096)
def split_likelihood(data, kernel, noise):
    """Return the log marginal likelihood of the observations with its three terms.

    Parameters
    ----------
    data : mlcore.pictures.drawing.sample_data.Samples
    kernel : mlcore.kernels.Kernel
    noise : float
        Variance of the noise.

    Returns
    -------
    mlcore.gaussian_process.MarginalLikelihood
    """
    return log_marginal_likelihood(kernel, noise, np.array(data.x)[:, None], np.array(data.y))


def draw_process(axes, fit, with_noise=True):
    """Draw the mean and its bands, of the curve itself and, if asked for, of noisy observations."""
    noisy = fit.prediction.std_with_noise if with_noise and fit.prediction.noise > 0 else None
    draw_band(axes, fit.grid, fit.prediction.mean, fit.prediction.std, noisy)


def draw_truth(axes, x, y, zorder=2.5):
    """Draw the true curve, dotted."""
    axes.plot(x, y, ":", color=BOUNDARY, linewidth=1.6, zorder=zorder)


def plain_log_axis(axis):
    """Label a logarithmic axis, whose limits are set, by numbers such as 0.3, 1 and 3."""
    low, high = sorted(axis.get_view_interval())
    decades = range(int(np.floor(np.log10(low))), int(np.ceil(np.log10(high))) + 1)
    ticks = [lead * 10.0**power for power in decades for lead in (1, 3) if low <= lead * 10.0**power <= high]
    axis.set_ticks(ticks, [f"{tick:g}" for tick in ticks])
    axis.set_ticks([], minor=True)
