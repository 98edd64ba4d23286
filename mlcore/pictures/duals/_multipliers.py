"""Picture of chapter 8: the multipliers of a support vector machine, and what ties them to the margins."""

from functools import partial

import numpy as np

from mlcore.datasets import two_clouds
from mlcore.explore import Explorable, choice, log_slider
from mlcore.kernels import Gaussian, Linear
from mlcore.pictures.drawing.continued_solutions import continued_machine
from mlcore.pictures.drawing.level_sets import LevelSets
from mlcore.pictures.drawing.readout import count, minus, small
from mlcore.pictures.drawing.sample_data import labelled_data
from mlcore.pictures.drawing.visual_language import (
    ACCENT,
    BOUNDARY,
    draw_points,
    draw_sides,
    legend_below,
    panel_axes,
    plane_axes,
)

__all__ = ["draw_machine", "multipliers", "score_on_grid"]

_GRID = 61
_STEM = 0.16  # of the height of the plane, for α = C


def multipliers(X=None, y=None, width=1.0):
    """Return the multipliers as stems under the points, and over the margins, with the penalty C and the kernel.

    Parameters
    ----------
    X : array_like or pandas.DataFrame of shape (n, 2), optional
        Points; two overlapping clouds if left out.
    y : array_like of shape (n,), optional
        Two classes of any name.
    width : float
        Of the Gaussian kernel, in the unit of the data.

    Returns
    -------
    Explorable
    """
    data = labelled_data(*(two_clouds(n=30, distance=2.6, seed=5) if X is None else (X, y)))
    key = tuple(map(tuple, data.X.tolist())), tuple(data.y.tolist())
    return Explorable(
        title="How hard every point pushes: the multipliers α",
        controls=(
            log_slider("C", "penalty C", 0.01, 1000, start=1, steps=21),
            choice("kernel", "kernel", {"linear": Linear(), "Gaussian": Gaussian(width)}),
        ),
        frame=partial(_frame, data=data),
        draw=partial(_draw, data=data, key=key),
        describe=partial(_describe, data=data, key=key),
        size=(8.6, 4.5),
        panels=2,
    )


def score_on_grid(axes, X, kernel, coefficients, b, size=_GRID):
    """Return a grid over `axes` and f = Σ coefficientsᵢ k(xᵢ, ·) + b on it."""
    x1, x2 = np.meshgrid(np.linspace(*axes.get_xlim(), size), np.linspace(*axes.get_ylim(), size))
    score = kernel(np.column_stack([x1.ravel(), x2.ravel()]), X) @ coefficients + b
    return x1, x2, score.reshape(x1.shape)


def draw_machine(axes, x1, x2, score):
    """Draw sides, boundary and both margins of a decision function given on a grid."""
    draw_sides(axes, x1, x2, score)
    LevelSets(x1, x2, score).draw_lines(axes, -1, 1, color=BOUNDARY, linewidth=1.3, linestyle="--")


def _frame(figure, data):
    plane, conditions = panel_axes(figure)
    plane_axes(plane, data.X, data.names, title="α as a stem under its point")
    draw_points(plane, data.X, data.y)
    conditions.plot([-9, 1, 1, 9], [1, 1, 0, 0], color="#bbbbbb", linewidth=7, solid_joinstyle="miter", zorder=1)
    conditions.set(
        xlim=(-2.2, 4.2), ylim=(-0.12, 1.15), xlabel="functional margin y f(x)", ylabel="α in units of C",
        title="Where an optimum may put a point",
    )  # fmt: skip
    legend_below(figure.subfigs[0], *data.signs, "boundary", "margin", columns=4)
    legend_below(figure.subfigs[1], ("path", "multiplier α"), ("allowed", "allowed by the conditions"), columns=2)


def _draw(figure, C, kernel, data, key):
    plane, conditions = (panel.axes[0] for panel in figure.subfigs)
    solution = continued_machine(*key, kernel, C)
    draw_machine(plane, *score_on_grid(plane, data.X, kernel, solution.coefficients, solution.b))
    length = _STEM * np.ptp(plane.get_ylim()) * solution.alpha / C
    _stems(plane, data.X[:, 0], data.X[:, 1], data.X[:, 1] - length, linewidth=3.2)
    # A point beyond the picture is drawn at its edge.
    shown = np.clip(solution.margins, -2.1, 4.1)
    share = solution.alpha / C
    _stems(conditions, shown, 0 * share, share, linewidth=1.8)
    draw_points(conditions, np.column_stack([shown, share]), data.y, zorder=5)


def _stems(axes, x, start, end, linewidth):
    """Draw upright stems as one line with gaps, which is fast."""
    gaps = np.full(len(x), np.nan)
    axes.plot(
        np.column_stack([x, x, gaps]).ravel(), np.column_stack([start, end, gaps]).ravel(),
        color=ACCENT, linewidth=linewidth, solid_capstyle="butt", zorder=3,
    )  # fmt: skip


def _describe(C, kernel, data, key):
    solution = continued_machine(*key, kernel, C)
    alpha, slack = solution.alpha, solution.slack
    at_top = alpha == C
    free = (alpha > 0) & ~at_top
    first = np.abs(alpha * (solution.margins - 1 + slack)).max() / C
    second = np.abs((C - alpha) * slack).max() / C
    name = "Gaussian kernel" if isinstance(kernel, Gaussian) else "linear kernel"
    return minus(
        f"C = {C:g}, {name}: {count(int(np.sum(alpha == 0)), 'point')} with α = 0, {int(free.sum())} with 0 < α < C "
        f"on the margin, {int(at_top.sum())} with α = C. Sum of α over +: {alpha[data.y > 0].sum():.4g}, over −: "
        f"{alpha[data.y < 0].sum():.4g}.\n"
        f"Largest product, in units of C: α (y f − 1 + ξ) {small(first)}, (C − α) ξ {small(second)}.\n"
        f"Certificate: {solution.certificate}."
    )
