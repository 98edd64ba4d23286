"""A tube fitted to samples of one feature, and the signs by which it is shown."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from matplotlib.collections import LineCollection

from mlcore.kernels import Linear
from mlcore.pictures.drawing.continued_solutions import continued_tube
from mlcore.pictures.drawing.readout import count, decimals, minus
from mlcore.pictures.drawing.sample_data import Samples
from mlcore.pictures.drawing.visual_language import LEAVING, circle_points, draw_tube, ring_points
from mlcore.svm import SVRSolution

__all__ = ["FittedTube", "draw_fit", "draw_marks", "fit_tube", "tube_readout"]

NOISE = 1e-6  # slack below this is rounding


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
    def found(self):
        """Whether the solver came to a tube at all."""
        return bool(np.isfinite(self.solution.b))

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


def draw_fit(axes, fit):
    """Draw curve and tube from the left to the right end of `axes`, if there is one."""
    if not fit.found:
        return
    grid = np.linspace(*axes.get_xlim(), 2 if isinstance(fit.kernel, Linear) else 161)
    draw_tube(axes, grid, fit.curve(grid), fit.epsilon)


def draw_marks(axes, fit):
    """Ring the support vectors, circle the samples outside, and draw their slacks as bars from the tube."""
    if not fit.found:
        return
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
    if not fit.found:
        return f"No tube was found: {solution.certificate}."
    outside, held = int(fit.outside.sum()), int(fit.on_edge.sum())
    inside = len(fit.data.x) - len(solution.support)
    return minus(
        f"{count(inside, 'sample')} inside the tube, {held} on its edge (ringed), {outside} outside (circled): "
        f"{count(len(solution.support), 'support vector')}. ‖w‖ = {decimals(solution.norm)}, the slacks add up to "
        f"{decimals(solution.slack.sum())}.\nCertificate: {solution.certificate}."
    )
