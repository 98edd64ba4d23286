"""Picture of chapter 8: for a hard margin 1/‖w‖² = 1/Σα, seen by scaling the multipliers."""

from functools import lru_cache, partial

import numpy as np

from mlcore.datasets import two_clouds
from mlcore.errors import InfeasibleProblem
from mlcore.explore import Explorable, linear_slider
from mlcore.optimize import Status
from mlcore.pictures.drawing.readout import count, minus, small
from mlcore.pictures.drawing.sample_data import labelled_data
from mlcore.pictures.drawing.visual_language import (
    ACCENT,
    LEAVING,
    circle_points,
    draw_points,
    draw_street,
    legend_below,
    panel_axes,
    plane_axes,
)
from mlcore.svm import solve_dual

__all__ = ["scaled_multipliers"]

_LARGEST = 1.5


def scaled_multipliers(X=None, y=None):
    """Return the widest hard street with its multipliers scaled by t, and both objectives over t (ES Lemma 4).

    Parameters
    ----------
    X : array_like or pandas.DataFrame of shape (n, 2), optional
        Points; two clouds if left out.
    y : array_like of shape (n,), optional
        Two classes of any name, which a line separates.

    Returns
    -------
    Explorable

    Raises
    ------
    mlcore.errors.InfeasibleProblem
        When no line separates the classes.
    """
    data = labelled_data(*(two_clouds(n=16, distance=4.6, seed=24) if X is None else (X, y)))
    key = tuple(map(tuple, data.X.tolist())), tuple(data.y.tolist())
    narrowest = _hard_street(*key, 0.0)
    if narrowest.status is not Status.OPTIMAL:
        raise InfeasibleProblem(
            "X, y: expected classes that a line separates, got overlapping hulls", narrowest.certificate
        )
    unit = float(f"{1 / narrowest.norm:.2g}")
    return Explorable(
        title="The sum of the multipliers is the length of w, squared",
        controls=(
            linear_slider("t", "scale all α by t", 0.5, _LARGEST, start=1, steps=21, page_every=2),
            linear_slider("apart", "pull apart by", 0, 2 * unit, start=0, steps=9, page_every=2),
        ),
        frame=partial(_frame, data=data, furthest=2 * unit, highest=narrowest.norm**2),
        draw=partial(_draw, data=data, key=key),
        describe=partial(_describe, data=data, key=key),
        size=(8.6, 4.5),
        panels=2,
    )


def _moved(X, y, apart):
    """Return the points with the classes pulled apart along the normal of their widest street."""
    X, y = np.array(X), np.array(y)
    w = X.T @ _multipliers(tuple(map(tuple, X)), tuple(y)).coefficients
    return X + apart / 2 * y[:, None] * w / (np.linalg.norm(w) or 1.0)


@lru_cache(maxsize=64)
def _multipliers(X, y):
    X = np.array(X)
    return solve_dual(X @ X.T, np.array(y), np.inf)


def _hard_street(X, y, apart):
    if apart == 0:
        return _multipliers(X, y)
    return _multipliers(tuple(map(tuple, _moved(X, y, apart).tolist())), y)


def _frame(figure, data, furthest, highest):
    plane, values = panel_axes(figure)
    ends = np.vstack([data.X, data.X + furthest / 2, data.X - furthest / 2])
    plane_axes(plane, ends, data.names, margin=0.05, title="The street of t·w and t·b")
    values.set(
        xlim=(0.45, _LARGEST + 0.05), ylim=(0, 1.05 * _LARGEST**2 * highest / 2), xlabel="t", ylabel="value",
        title="Both objectives at tα",
    )  # fmt: skip
    values.axvline(1, color="#bbbbbb", linewidth=0.9, linestyle="--", zorder=0)
    legend_below(
        figure.subfigs[0], *data.signs, "inside the street",
        ("common point", "mixture by α"), columns=2,
    )  # fmt: skip
    legend_below(figure.subfigs[1], ("what stops it", "primal ½‖tw‖²"), ("path", "dual tΣα − ½‖tw‖²"), columns=2)


def _draw(figure, t, apart, data, key):
    plane, values = (panel.axes[0] for panel in figure.subfigs)
    X, solution = _moved(*key, apart), _hard_street(*key, apart)
    w = X.T @ solution.coefficients
    draw_street(plane, t * w, t * solution.b)
    draw_points(plane, X, data.y, zorder=4)
    circle_points(plane, X[t * solution.margins < 1 - 1e-6])
    mixtures = _mixtures(X, data.y, solution.alpha)
    plane.plot(*mixtures.T, color="black", linewidth=1.2, zorder=3)
    plane.scatter(*mixtures.T, marker="*", s=330, color="black", edgecolor="white", zorder=3.5)
    total, scales = solution.alpha.sum(), np.linspace(0.5, _LARGEST, 81)
    feasible = scales >= 1 - 1e-9
    values.plot(scales[feasible], scales[feasible] ** 2 * total / 2, color=LEAVING, linewidth=2.6, zorder=2)
    values.plot(scales, scales * total - scales**2 * total / 2, color=ACCENT, linewidth=2.6, zorder=2)
    values.plot([t], [t * total - t**2 * total / 2], "o", color=ACCENT, markersize=9, markeredgecolor="white", zorder=4)
    if t >= 1:
        values.plot([t], [t**2 * total / 2], "o", color=LEAVING, markersize=9, markeredgecolor="white", zorder=3)


def _mixtures(X, y, alpha):
    """Return the mean of each class, weighted by α: the two closest points of the convex hulls."""
    return np.array([alpha[y == side] @ X[y == side] / alpha[y == side].sum() for side in (1, -1)])


def _describe(t, apart, data, key):
    X, solution = _moved(*key, apart), _hard_street(*key, apart)
    total, squared = solution.alpha.sum(), solution.norm**2
    between = np.linalg.norm(np.subtract(*_mixtures(X, data.y, solution.alpha)))
    inside = int(np.sum(t * solution.margins < 1 - 1e-6))
    dual = t * total - t**2 * squared / 2
    if inside:
        end = f"The street of t·w is too wide: {count(inside, 'point')} inside, so there is no primal value"
    else:
        end = f"Primal value {t**2 * squared / 2:.4f}, gap {small(t**2 * squared / 2 - dual, '.4f')}"
    return minus(
        f"Σα = {total:.4f}, ‖w‖² = {squared:.4f}, so 1/Σα = 1/‖w‖² = {1 / total:.4f} and half the street is "
        f"{1 / np.sqrt(total):.4f} wide. The two mixtures are {between:.4f} apart: the whole street.\n"
        f"At t = {t:g} the dual value is {dual:.4f}. {end}.\nCertificate at t = 1: {solution.certificate}."
    )
