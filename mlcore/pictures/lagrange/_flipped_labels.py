"""Picture of chapter 9: labels are flipped, the hard margin fails, the soft one sorts the points by their α."""

from dataclasses import replace
from functools import partial

import numpy as np

from mlcore.datasets import mislabelled_points
from mlcore.explore import Control, Explorable, choice
from mlcore.optimize import Status, margin_kkt_residuals
from mlcore.pictures.drawing.readout import count, minus
from mlcore.pictures.drawing.sample_data import labelled_data
from mlcore.pictures.drawing.street import street, street_width, violations
from mlcore.pictures.drawing.visual_language import (
    ACCENT,
    QUIET,
    circle_points,
    cross_points,
    draw_points,
    draw_street,
    legend_below,
    panel_axes,
    plane_axes,
    ring_points,
)
from mlcore.validation import as_whole_number

__all__ = ["flipped_labels"]

_SOFT = tuple(float(f"{value:.2g}") for value in np.geomspace(0.01, 100, 25))
_WORDS = ("none", "one", "two", "three", "four", "five")


def flipped_labels(X=None, y=None, flips=(9, 8)):
    """Return two classes of which some labels are flipped, with a slider for C up to the hard margin (ES Fig. 25).

    Parameters
    ----------
    X : array_like or pandas.DataFrame of shape (n, 2), optional
        Points; twelve separable ones if left out.
    y : array_like of shape (n,), optional
        Two classes of any name.
    flips : sequence of at most 5 int
        Positions of the points whose labels the reader can flip, in this order.

    Returns
    -------
    Explorable

    Raises
    ------
    ValueError
        Positions that are no rows of `X`, none or more than five, or flips that leave a single class.
    """
    data = labelled_data(*(mislabelled_points(changed=0) if X is None else (X, y)))
    flips = tuple(as_whole_number("flips", position, least=0) for position in flips)
    if not 1 <= len(set(flips)) == len(flips) <= 5 or max(flips) >= len(data.y):
        raise ValueError(f"flips: expected one to five different rows of X (0 to {len(data.y) - 1}), got {flips}")
    versions = tuple(_flipped(data, flips[:number]) for number in range(len(flips) + 1))
    if any(len(set(version.y)) < 2 for version in versions):
        raise ValueError(f"flips: expected both classes to remain, got one after flipping {flips}")
    return Explorable(
        title="Flipped labels: hard margin, soft margin, and the three cases of α",
        controls=(
            choice("changed", "flipped labels", {_WORDS[number]: number for number in range(len(versions))}),
            Control("C", "penalty C", "slider", (*_SOFT, np.inf), (*_SOFT, np.inf), np.inf, _price),
        ),
        frame=partial(_frame, versions=versions),
        draw=partial(_draw, versions=versions),
        describe=partial(_describe, versions=versions),
        size=(8.6, 4.8),
        panels=2,
    )


def _price(C):
    return "∞, hard margin" if np.isinf(C) else f"{C:.3g}"


def _flipped(data, positions):
    y = data.y.copy()
    y[list(positions)] *= -1
    return replace(data, y=y)


def _range(versions):
    """Return the smallest and the largest functional margin of all states, with some room."""
    solutions = [street(data, C) for data in versions for C in (*_SOFT, np.inf)]
    margins = np.concatenate([s.margins for s in solutions if s.status is Status.OPTIMAL])
    room = 0.08 * np.ptp(margins)
    return margins.min() - room, margins.max() + room


def _frame(figure, versions):
    plane, path = panel_axes(figure)
    data = versions[0]
    plane_axes(plane, data.X, data.names, title="Points and street")
    low, high = _range(versions)
    path.plot([low, 1, 1, high], [1, 1, 0, 0], color=QUIET, linewidth=5, alpha=0.35, zorder=1, solid_joinstyle="round")
    path.set(
        xlim=(low, high), ylim=(-0.12, 1.12), xlabel="functional margin y (w·x + b)",
        ylabel="α as a part of C, or of the largest α", title="The three cases of α",
    )  # fmt: skip
    for text, place in (("α = C", (low + 0.3, 0.9)), ("0 < α < C", (1.35, 0.3)), ("α = 0", (high - 0.3, 0.07))):
        side = "left" if text != "α = 0" else "right"
        path.text(*place, text, color="#444444", ha=side, va="center", zorder=11)
    legend_below(figure.subfigs[0], *data.signs, "boundary", "margin", columns=4)
    legend_below(figure.subfigs[1], "support vector", "inside the street", "wrong side", columns=3)


def _draw(figure, changed, C, versions):
    plane, path = (panel.axes[0] for panel in figure.subfigs)
    data, solution = versions[changed], street(versions[changed], C)
    draw_points(plane, data.X, data.y)
    flipped = data.y != versions[0].y
    plane.plot(*data.X[flipped].T, ".", color="white", markersize=5, zorder=13)
    if solution.status is Status.INFEASIBLE:
        u = solution.certificate.ray
        for side in (1, -1):
            own = u * (data.y == side) > 1e-9
            plane.plot(*_polygon(data.X[own]).T, color=ACCENT, linewidth=1.6, zorder=2)
        positive = data.y > 0
        common = u[positive] @ data.X[positive] / u[positive].sum()
        plane.plot(*common, "*", markersize=15, color="black", markeredgecolor="white", zorder=14)
        return
    draw_street(plane, solution.w, solution.b)
    inside, wrong = violations(solution)
    places = np.column_stack([solution.margins, solution.alpha / _unit(solution, C)])
    draw_points(path, places, data.y)
    for axes, points in ((plane, data.X), (path, places)):
        ring_points(axes, points[solution.support])
        circle_points(axes, points[inside])
        cross_points(axes, points[wrong])


def _polygon(corners):
    """Return the closed polygon through up to three corners."""
    return np.vstack([corners, corners[:1]])


def _unit(solution, C):
    return solution.alpha.max() if np.isinf(C) else C


def _describe(changed, C, versions):
    data, solution = versions[changed], street(versions[changed], C)
    dotted = " (white dot)" if changed else ""
    labels = f"{count(changed, 'label')} flipped{dotted}, C = {'∞' if np.isinf(C) else f'{C:g}'}"
    if solution.status is Status.INFEASIBLE:
        return minus(
            f"{labels}: no line separates these points. The star is a mixture of the positive and of the negative "
            f"points at the ends of the green lines.\nCertificate: {solution.certificate}."
        )
    residuals = margin_kkt_residuals(data.X @ data.X.T, data.y, C, solution.alpha, solution.b)
    alpha, (inside, wrong) = solution.alpha, violations(solution)
    free, full = (alpha > 0) & (alpha < C), alpha == C
    top = (
        "no point can reach α = C"
        if np.isinf(C)
        else (
            f"α = C: {int(full.sum())}, of which {int((full & inside).sum())} inside the street (circled) and "
            f"{int((full & wrong).sum())} on the wrong side (crossed)"
        )
    )
    return minus(
        f"{labels}: the street is {street_width(solution, data.spread)}. "
        f"α = 0: {count(int((alpha == 0).sum()), 'point')}; 0 < α < C: {int(free.sum())}, on the edge of the street; "
        f"{top}.\nKKT residuals: {residuals}."
    )
