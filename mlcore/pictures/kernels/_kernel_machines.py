"""Pictures of chapter 10: what degree, width and penalty do to a machine with a kernel."""

from functools import partial

import numpy as np

from mlcore.datasets import moons_in_standard_deviations
from mlcore.explore import Explorable, linear_slider, log_slider
from mlcore.kernels import Gaussian, Polynomial
from mlcore.optimize import Status
from mlcore.pictures.drawing.continued_solutions import continued_machine
from mlcore.pictures.drawing.readout import count, minus
from mlcore.pictures.drawing.sample_data import LabelledData, labelled_data
from mlcore.pictures.drawing.street import street_width, violations
from mlcore.pictures.drawing.visual_language import (
    circle_points,
    cross_points,
    draw_curved_street,
    draw_points,
    legend_below,
    plane_axes,
    ring_points,
)
from mlcore.pictures.kernels._width_slider import gamma, width_slider
from mlcore.validation import as_nonnegative

__all__ = ["gaussian_machine", "polynomial_machine"]

_GAMMAS = (0.02, 0.05, 0.1, 0.2, 0.5, 1.5, 5, 15, 50)
_GRID = (72, 60)
_ROOM = 0.15
_HIGHEST, _LARGEST = 10, 1e60  # degree, and value of a kernel
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def gaussian_machine(X=None, y=None):
    """Return a machine with the Gaussian kernel, with sliders for its width and for the penalty (HJ, moons).

    Parameters
    ----------
    X : array_like or pandas.DataFrame of shape (n, 2), optional
        Points; a hundred points of two moons, in standard deviations, if left out.
    y : array_like of shape (n,), optional
        Two classes of any name.

    Returns
    -------
    Explorable
    """
    return _explorable(
        "A Gaussian kernel: how far a point is heard, and what a slack costs",
        (width_slider(_GAMMAS, start=0.5, page_every=2), _penalty_slider()),
        _gaussian,
        _moons() if X is None else labelled_data(X, y),
    )


def polynomial_machine(X=None, y=None, offset=1.0):
    """Return a machine with a polynomial kernel, with sliders for its degree and for the penalty (HJ, moons).

    Parameters
    ----------
    X : array_like or pandas.DataFrame of shape (n, 2), optional
        Points; a hundred points of two moons, in standard deviations, if left out.
    y : array_like of shape (n,), optional
        Two classes of any name.
    offset : float
        The constant in (xᵀz + offset)^degree, at least 0.

    Returns
    -------
    Explorable
    """
    data, offset = _moons() if X is None else labelled_data(X, y), as_nonnegative("offset", offset)
    if (float((data.X**2).sum(axis=1).max()) + offset) ** _HIGHEST > _LARGEST:
        raise ValueError(
            f"X: expected coordinates whose {_HIGHEST}th powers can be told apart, such as standardised ones, got up "
            f"to {np.abs(data.X).max():.3g}"
        )
    return _explorable(
        "A polynomial kernel: the degree bends the boundary",
        (linear_slider("degree", "degree", 1, _HIGHEST, start=3, steps=_HIGHEST), _penalty_slider()),
        partial(_polynomial, offset=offset),
        data,
    )


def _moons():
    X, y = moons_in_standard_deviations()
    names = ("x₁ (standard deviations)", "x₂ (standard deviations)")
    return LabelledData(X, y, names, ("lower moon, +", "upper moon, −"))


def _penalty_slider():
    return log_slider("C", "penalty C", 0.001, 1000, start=1, steps=13, page_every=2)


def _gaussian(width):
    return Gaussian(width), f"Gaussian kernel, width {width:.3g} (γ = {gamma(width):.3g})"


def _polynomial(degree, offset):
    power = str(int(degree)).translate(_RAISED)
    return Polynomial(int(degree), offset), f"Polynomial kernel (x·z + {offset:g}){power}"


def _explorable(title, controls, make_kernel, data):
    solve = partial(continued_machine, tuple(map(tuple, data.X)), tuple(data.y))
    return Explorable(
        title=title,
        controls=controls,
        frame=partial(_frame, data=data),
        draw=partial(_draw, data=data, solve=solve, make_kernel=make_kernel),
        describe=partial(_describe, data=data, solve=solve, make_kernel=make_kernel),
        size=(4.6, 4.8),
    )


def _frame(figure, data):
    axes = figure.subplots()
    plane_axes(axes, data.X, data.names, margin=_ROOM)
    draw_points(axes, data.X, data.y, size=24)
    signs = ("support vector", "inside the street", "wrong side", "boundary", "margin")
    legend_below(figure, *data.signs, *signs)


def _draw(figure, C, data, solve, make_kernel, **shape):
    axes = figure.axes[0]
    kernel, _ = make_kernel(**shape)
    solution = solve(kernel, C)
    ends = (axes.get_xlim(), axes.get_ylim())
    x1, x2 = np.meshgrid(*(np.linspace(*end, points) for end, points in zip(ends, _GRID)))
    grid = np.column_stack([x1.ravel(), x2.ravel()])
    support = solution.support
    score = kernel(grid, data.X[support]) @ solution.coefficients[support] + solution.b
    draw_curved_street(axes, x1, x2, score.reshape(x1.shape))
    inside, wrong = violations(solution)
    ring_points(axes, data.X[support])
    circle_points(axes, data.X[inside])
    cross_points(axes, data.X[wrong])


def _proof(solution):
    return "Certificate" if solution.status is Status.OPTIMAL else "Not proven optimal"


def _describe(C, data, solve, make_kernel, **shape):
    kernel, name = make_kernel(**shape)
    solution = solve(kernel, C)
    width = street_width(solution, np.sqrt(kernel.diag(data.X).max()), ".3g")
    inside, wrong = (int(mask.sum()) for mask in violations(solution))
    return minus(
        f"{name}, C = {C:g}: {count(len(solution.support), 'support vector')} of {len(solution.slack)} (ringed), "
        f"{count(inside, 'point')} inside the street (circled), {count(wrong, 'point')} on the wrong side (crossed). "
        f"In feature space the street is {width}.\n"
        f"{_proof(solution)}: {solution.certificate}."
    )
