"""A tube fitted to samples of one feature, and the signs by which every picture of chapter 12 shows it."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D

from mlcore.kernels import Linear
from mlcore.pictures.drawing.continued_solutions import continued_tube
from mlcore.pictures.drawing.readout import count
from mlcore.pictures.drawing.visual_language import LEAVING, POSITIVE, circle_points, draw_tube, minus, ring_points
from mlcore.svm import SVRSolution
from mlcore.validation import as_array

__all__ = [
    "FittedTube", "Samples", "draw_fit", "draw_marks", "draw_samples", "fit_tube", "samples", "samples_axes",
    "tube_readout",
]  # fmt: skip

NOISE = 1e-6  # slack below this is rounding


@dataclass(frozen=True)
class Samples:
    """Inputs and targets, from left to right, hashable so that what was fitted to them can be kept.

    Attributes
    ----------
    x, y : tuple of float
    names : (str, str)
        What input and target mean.
    """

    x: tuple
    y: tuple
    names: tuple = ("x", "y")

    @property
    def half_range(self):
        """Half the distance between the largest and the smallest target."""
        return (max(self.y) - min(self.y)) / 2


def samples(x, y, names=("x", "y")):
    """Read samples of one feature.

    Parameters
    ----------
    x : array_like of shape (n,) or (n, 1)
        Inputs.
    y : array_like of shape (n,)
        Targets.
    names : (str, str)
        Names of the axes.

    Returns
    -------
    Samples

    Raises
    ------
    ValueError
        Fewer than three samples, shapes that do not fit, entries that are not finite, or inputs or targets that are
        all equal.

    Examples
    --------
    >>> samples([[2], [0], [1]], [5, 3, 4]).x
    (0.0, 1.0, 2.0)
    """
    x = as_array("x", np.squeeze(np.asarray(x), axis=1) if np.shape(x)[1:] == (1,) else x, ("n",))
    y = as_array("y", y, ("n",))
    if not len(x) == len(y) >= 3:
        raise ValueError(f"x, y: expected at least three inputs and as many targets, got {len(x)} and {len(y)}")
    for name, values in (("x", x), ("y", y)):
        if np.ptp(values) == 0:
            raise ValueError(f"{name}: expected values that differ, got {values[0]:g} only")
    order = np.argsort(x, kind="stable")
    return Samples(tuple(x[order].tolist()), tuple(y[order].tolist()), tuple(names))


@dataclass(frozen=True, eq=False)
class FittedTube:
    """The flattest tube around samples.

    Attributes
    ----------
    data : Samples
    kernel : mlcore.kernels.Kernel
    C, epsilon : float
    solution : mlcore.svm.SVRSolution
    """

    data: Samples
    kernel: object
    C: float
    epsilon: float
    solution: SVRSolution

    def curve(self, grid):
        """Return f at every number of `grid`."""
        return _gram(self.kernel, self.data.x, grid) @ self.solution.coefficients + self.solution.b

    @property
    def slope(self):
        """The slope Σ βᵢxᵢ of a fit with the linear kernel."""
        centred = np.array(self.data.x) - np.mean(self.data.x)
        return float(self.solution.coefficients @ centred)

    @property
    def outside(self):
        """Which samples lie outside the tube."""
        return self.solution.slack > NOISE

    @property
    def on_edge(self):
        """Which support vectors hold the tube without slack."""
        held = np.zeros(len(self.data.x), dtype=bool)
        held[self.solution.support] = True
        return held & ~self.outside


@lru_cache(maxsize=512)
def fit_tube(data, kernel, C, epsilon, loss="l1"):
    """Return the flattest tube; the last ones are kept, since picture and readout ask for the same one.

    Parameters
    ----------
    data : Samples
    kernel : mlcore.kernels.Kernel
        `Linear()`, or one that depends on differences of inputs only, such as `Gaussian`.
    C, epsilon : float
        As in `mlcore.svm.solve_svr_dual`.
    loss : {"l1", "l2"}

    Returns
    -------
    FittedTube
    """
    gram, y = _gram(kernel, data.x, data.x), np.array(data.y)
    solution = continued_tube(data.x, kernel, gram, y, C, epsilon, loss)
    return FittedTube(data, kernel, C, epsilon, solution)


def _gram(kernel, x, grid):
    """Return k(gridᵢ, xⱼ), inputs counted from their mean, which moves b alone and saves the digits of far-off data."""
    centre = np.mean(x)
    return kernel((np.asarray(grid) - centre)[:, None], (np.array(x) - centre)[:, None])


def samples_axes(axes, data, room=0.12, title="", reach=None):
    """Give `axes` limits around the samples, and their names.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    data : Samples
    room : float
        Empty part above and below, in ranges of the targets.
    title : str
    reach : (float, float), optional
        Lowest and highest target to make room for; those of `data` if left out.
    """
    low, high = (min(data.y), max(data.y)) if reach is None else reach
    aside = 0.05 * (data.x[-1] - data.x[0])
    axes.set(
        xlim=(data.x[0] - aside, data.x[-1] + aside),
        ylim=(low - room * (high - low), high + room * (high - low)),
        xlabel=data.names[0],
        ylabel=data.names[1],
        title=title,
    )


def draw_samples(axes, data, zorder=4.5):
    """Draw the samples as blue circles."""
    look = dict(marker="o", markersize=5.5, color=POSITIVE, markeredgecolor="white", markeredgewidth=0.6)
    axes.add_artist(Line2D(data.x, data.y, linestyle="none", zorder=zorder, **look))


def draw_fit(axes, fit):
    """Draw curve and tube from the left to the right end of `axes`."""
    grid = np.linspace(*axes.get_xlim(), 2 if isinstance(fit.kernel, Linear) else 161)
    draw_tube(axes, grid, fit.curve(grid), fit.epsilon)


def draw_marks(axes, fit):
    """Ring the support vectors, circle the samples outside, and draw their slacks as bars from the tube."""
    points = np.column_stack([fit.data.x, fit.data.y])
    outside = fit.outside
    ring_points(axes, points[fit.on_edge])
    circle_points(axes, points[outside])
    beyond = np.sign(fit.solution.coefficients) * fit.solution.slack
    bars = [[(x, y - slack), (x, y)] for (x, y), slack in zip(points[outside], beyond[outside])]
    axes.add_collection(LineCollection(bars, colors=LEAVING, linewidths=3.2, zorder=3.5), autolim=False)


def tube_readout(fit):
    """Say where the samples lie, how long w is, what the slacks add up to, and how good the certificate is."""
    solution = fit.solution
    outside, held = int(fit.outside.sum()), int(fit.on_edge.sum())
    inside = len(fit.data.x) - len(solution.support)
    return minus(
        f"{count(inside, 'sample')} inside the tube, {held} on its edge (ringed), {outside} outside (circled): "
        f"{count(len(solution.support), 'support vector')}. ‖w‖ = {round(solution.norm, 9):.3f}, the slacks add up to "
        f"{solution.slack.sum():.3f}.\nCertificate: {solution.certificate}."
    )
