"""Picture of chapter 3: nearest neighbours predict a number, as the mean of those they ask."""

from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
from matplotlib.lines import Line2D

from mlcore.datasets import noisy_wave
from mlcore.explore import FOREGROUND, Control, Explorable, choice
from mlcore.neighbors import KNeighborsRegressor, k_nearest
from mlcore.pictures.drawing.sample_data import samples
from mlcore.pictures.drawing.visual_language import ACCENT, BOUNDARY, QUIET, legend_below, panel_axes

__all__ = ["neighbour_regression", "running_means"]

_WEIGHTS = {"equal": "uniform", "1 / distance": "distance"}
_IN_PAGE = (1, 2, 3, 5, 7, 10, 15, 20, 30, 39)


@dataclass(frozen=True, eq=False)
class _Errors:
    """Root mean squared errors for k = 1, 2, …: on the training points, and on each point when it is left out."""

    training: np.ndarray
    left_out: np.ndarray


def neighbour_regression(x=None, y=None, names=None):
    """Return the mean of the k nearest targets as a curve, with its errors by k.

    Parameters
    ----------
    x : array_like of shape (n,), optional
        Inputs; 40 points of a noisy sine wave if left out, whose truth is drawn dotted.
    y : array_like of shape (n,), optional
        Targets.
    names : (str, str), optional
        Names of the axes, if the two have none of their own.

    Returns
    -------
    Explorable

    Raises
    ------
    ValueError
        What `mlcore.pictures.drawing.sample_data.samples` refuses.
    """
    truth = x is None
    data = samples(*(noisy_wave(n=40, noise=0.3, seed=11) if truth else (x, y)), names)
    x, y = np.array(data.x), np.array(data.y)
    largest_k = min(40, len(x) - 1)
    values = tuple(range(1, largest_k + 1))
    errors = partial(_errors, tuple(x), tuple(y), largest_k)
    return Explorable(
        title="The mean of k neighbours",
        controls=(
            Control("k", "neighbours k", "slider", values, tuple(k for k in _IN_PAGE if k <= largest_k), 1, str),
            choice("weights", "weights", _WEIGHTS),
        ),
        frame=partial(_regression_frame, x=x, y=y, names=data.names, truth=truth, largest_k=largest_k),
        draw=partial(_draw_regression, x=x, y=y, errors=errors),
        describe=partial(_describe_regression, errors=errors),
        size=(8.6, 4.1),
        panels=2,
    )


@lru_cache(maxsize=32)
def _errors(x, y, largest_k, weights):
    X, y = np.array(x)[:, None], np.array(y)
    distances, rows = k_nearest(X, X, len(y))
    others = rows != np.arange(len(y))[:, None]
    training = running_means(distances, y[rows], weights)[:, :largest_k]
    left_out = running_means(*(a[others].reshape(len(y), -1) for a in (distances, y[rows])), weights)[:, :largest_k]
    return _Errors(*(np.sqrt(((means - y[:, None]) ** 2).mean(axis=0)) for means in (training, left_out)))


def running_means(distances, targets, weights):
    """Return the (weighted) mean of the first k targets of each row, for k = 1, 2, … at once.

    Parameters
    ----------
    distances, targets : numpy.ndarray of shape (q, n)
        Neighbours of q queries, the nearest first.
    weights : {"uniform", "distance"}
        As in `KNeighborsRegressor`.

    Returns
    -------
    numpy.ndarray of shape (q, n)

    Examples
    --------
    >>> running_means(np.array([[1.0, 2.0]]), np.array([[0.0, 3.0]]), "distance")
    array([[0., 1.]])
    """
    if weights == "uniform":
        weight = np.ones_like(distances)
    else:
        twins = distances[:, :1] == 0
        weight = np.where(twins, distances == 0, 1 / np.where(distances > 0, distances, 1))
    return np.cumsum(weight * targets, axis=1) / np.cumsum(weight, axis=1)


def _regression_frame(figure, x, y, names, truth, largest_k):
    curve, error = panel_axes(figure)
    room = 0.06 * np.ptp(x), 0.08 * max(np.ptp(y), 1e-9)
    curve.set(
        xlim=(x[0] - room[0], x[-1] + room[0]), ylim=(y.min() - room[1], y.max() + room[1]),
        xlabel=names[0], ylabel=names[1], title="Prediction",
    )  # fmt: skip
    curve.scatter(x, y, s=26, color=QUIET, zorder=FOREGROUND)
    handles = [
        Line2D([], [], color=ACCENT, label="mean of k neighbours"),
        Line2D([], [], linestyle="none", marker="o", markersize=5, color=QUIET, label="data"),
    ]
    if truth:
        grid = np.linspace(x[0], x[-1], 200)
        curve.plot(grid, np.sin(grid), ":", color=BOUNDARY, zorder=1)
        handles.append(Line2D([], [], color=BOUNDARY, linestyle=":", label="truth"))
    figure.subfigs[0].legend(handles=handles, loc="outside lower center", ncols=3, columnspacing=1.2)
    error.set(
        xlim=(0, largest_k + 1), ylim=(-0.04 * y.std(), 1.15 * y.std()), xlabel="neighbours asked, k",
        ylabel="root mean squared error", title="Error",
    )  # fmt: skip
    legend_below(figure.subfigs[1], ("training", "training points"), ("fresh", "each point left out"), columns=2)


def _draw_regression(figure, k, weights, x, y, errors):
    curve, error = figure.axes
    grid = np.linspace(*curve.get_xlim(), 401)
    model = KNeighborsRegressor(k=k, weights=weights).fit(x[:, None], y)
    curve.plot(grid, model.predict(grid[:, None]), color=ACCENT, zorder=3)
    measured = errors(weights)
    error.plot(_whole(measured.training), measured.training, "--", color=QUIET, linewidth=1.6)
    error.plot(_whole(measured.left_out), measured.left_out, color=BOUNDARY, linewidth=2)
    for values in (measured.training, measured.left_out):
        error.plot(k, values[k - 1], "o", color=ACCENT, markersize=9, markeredgecolor="white", zorder=5)


def _whole(values):
    return np.arange(1, len(values) + 1)


def _describe_regression(k, weights, errors):
    measured = errors(weights)
    best = int(measured.left_out.argmin())
    return (
        f"k = {k}: root mean squared error {measured.training[k - 1]:.3f} on the training points, and "
        f"{measured.left_out[k - 1]:.3f} on each point when it is left out. There k = {best + 1} does best, with "
        f"{measured.left_out[best]:.3f}."
    )
