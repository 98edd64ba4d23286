"""Picture of chapter 10: similarity to two landmarks as two new features, which a line separates."""

from functools import lru_cache, partial

import numpy as np

from mlcore.datasets import nine_on_a_line
from mlcore.explore import FOREGROUND, Explorable, linear_slider
from mlcore.kernels import Gaussian
from mlcore.optimize import Status
from mlcore.pictures.drawing.readout import minus
from mlcore.pictures.drawing.sample_data import labelled_data
from mlcore.pictures.drawing.visual_language import (
    ACCENT,
    LEAVING,
    draw_line,
    draw_points,
    draw_street,
    legend_below,
    panel_axes,
    star_point,
)
from mlcore.pictures.kernels._width_slider import gamma, width_slider
from mlcore.svm import solve_primal
from mlcore.validation import as_array

__all__ = ["landmarks"]

_GAMMAS = (0.03, 0.05, 0.1, 0.2, 0.3, 0.6, 1)
_FIRST, _SECOND, _PATH = ACCENT, LEAVING, "#8fcfb8"


def landmarks(X=None, y=None, marks=(-2.0, 1.0)):
    """Return points of a line, their similarities to two landmarks, and the plane of these two features (HJ).

    Parameters
    ----------
    X : array_like of shape (n,) or (n, 1), optional
        Points of the line; the whole numbers from −4 to 4 if left out.
    y : array_like of shape (n,), optional
        Two classes of any name.
    marks : (float, float)
        Where the two landmarks stand.

    Returns
    -------
    Explorable

    Raises
    ------
    ValueError
        Not one column, not two classes, not two landmarks, or values that are not finite.
    """
    data = labelled_data(*(nine_on_a_line() if X is None else (X, y)), columns=1)
    marks = tuple(as_array("marks", marks, (2,)).tolist())
    places = np.append(data.X[:, 0], marks)
    low, high = float(np.floor(places.min())), float(np.ceil(places.max()))
    span = high - low
    solve = partial(_solve, tuple(data.X[:, 0]), tuple(data.y), marks)
    near = low + span / 16 * np.round((-1 - low) / span * 16) if low <= -1 <= high else low + span / 2
    return Explorable(
        title="Similarity to two landmarks: a line becomes a plane",
        controls=(
            width_slider(_GAMMAS, start=0.3),
            linear_slider("x", "point x", low, high, start=near, steps=65, page_every=4),
        ),
        frame=partial(_frame, data=data, ends=(low, high), marks=marks),
        draw=partial(_draw, data=data, ends=(low, high), marks=marks, solve=solve),
        describe=partial(_describe, marks=marks, solve=solve),
        size=(8.6, 4.3),
        panels=2,
    )


def _similarities(points, marks, width):
    return Gaussian(width)(np.reshape(points, (-1, 1)), np.reshape(marks, (-1, 1)))


@lru_cache(maxsize=64)
def _solve(points, y, marks, width):
    return solve_primal(_similarities(points, marks, width), np.array(y), np.inf)


def _frame(figure, data, ends, marks):
    line, plane = panel_axes(figure)
    room = 0.06 * (ends[1] - ends[0])
    line.set(
        xlim=(ends[0] - room, ends[1] + room), ylim=(-0.1, 1.1), xlabel="x", ylabel="similarity",
        title="Two bells around two landmarks",
    )  # fmt: skip
    line.axhline(0, color="#bbbbbb", linewidth=0.8, zorder=0)
    draw_points(line, np.column_stack([data.X, np.zeros(len(data.X))]), data.y)
    for mark, colour in zip(marks, (_FIRST, _SECOND)):
        line.plot([mark], [-0.055], marker="^", color=colour, markersize=10, zorder=FOREGROUND)
    plane.set(
        xlim=(-0.08, 1.08), ylim=(-0.08, 1.08), aspect="equal", title="The same points by their similarities",
        xlabel=minus(f"similarity to {marks[0]:g}"), ylabel=minus(f"similarity to {marks[1]:g}"),
    )  # fmt: skip
    signs = ("boundary", "margin", ("unknown", "point x"))
    legend_below(figure.subfigs[1], *data.signs, *signs)


def _draw(figure, width, x, data, ends, marks, solve):
    line, plane = figure.axes
    curve = np.linspace(*ends, 121)
    bells = _similarities(curve, marks, width)
    here = _similarities([x], marks, width)[0]
    for bell, value, colour in zip(bells.T, here, (_FIRST, _SECOND)):
        draw_line(line, curve, bell, color=colour, linewidth=2)
        draw_line(
            line, x, value, marker="o", linestyle="none", color=colour, markersize=8, markeredgecolor="black", zorder=4
        )
    draw_line(line, [x, x], [0, here.max()], color="#777777", linewidth=1, linestyle=":", zorder=3)
    star_point(line, (x, 0))
    features = _similarities(data.X[:, 0], marks, width)
    solution = solve(width)
    if solution.status is Status.OPTIMAL:
        draw_street(plane, solution.w, solution.b)
    draw_line(plane, *bells.T, color=_PATH, linewidth=1.8, zorder=1)
    draw_points(plane, features, data.y, zorder=5)
    star_point(plane, here)


def _describe(width, x, marks, solve):
    first, second = _similarities([x], marks, width)[0]
    solution = solve(width)
    text = (
        f"Width {width:.3g} (γ = {gamma(width):.3g}): x = {x:.3g} has similarity {first:.5f} to {marks[0]:g} and "
        f"{second:.5f} to {marks[1]:g}. "
    )
    if solution.status is not Status.OPTIMAL:
        return minus(f"{text}In the plane of the two similarities no separating line was found.")
    score = float(solution.w @ [first, second] + solution.b)
    return minus(
        f"{text}There the line {solution.w[0]:.3g} z₁ + {solution.w[1]:.3g} z₂ + {solution.b:.3g} = 0 separates the "
        f"classes, and x has f = {score:.3f}: class {'+' if score > 0 else '−'}.\n"
        f"Certificate: {solution.certificate}."
    ).replace("+ −", "− ")
