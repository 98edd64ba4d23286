"""Covariance functions and the curves that each of them believes in, before any data (chapter 18)."""

from functools import lru_cache

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon

from mlcore.explore import Explorable, choice, linear_slider
from mlcore.gaussian_process import prior_samples
from mlcore.kernels import Gaussian, Linear, Periodic, Polynomial, QuasiPeriodic
from mlcore.pictures.drawing.readout import minus
from mlcore.pictures.drawing.visual_language import ACCENT, BAND_WITH_NOISE, BOUNDARY, legend_below, panel_axes

__all__ = ["covariance_functions"]

_ENDS, _CURVES = (-5.0, 5.0), 5


def _kernels(width):
    return {
        "Gaussian": Gaussian(width),
        "polynomial, degree 2": 0.05 * Polynomial(2, 1.0),
        "periodic": Periodic(width, 2.5),
        "quasi-periodic": QuasiPeriodic(width, 2.5, 5.0),
        "sum: Gaussian + linear": 0.5 * Gaussian(width) + 0.1 * Linear(),
        "product: Gaussian · linear": 0.2 * Gaussian(width) * Linear(),
    }


_NAMES = tuple(_kernels(1.0))
_TELLS = {
    "Gaussian": "smooth, and after two or three widths the past is forgotten",
    "polynomial, degree 2": "parabolas, whatever the width; their size grows without bound outwards",
    "periodic": "one pattern of period 2.5, repeated for ever",
    "quasi-periodic": "a pattern of period 2.5 that slowly changes",
    "sum: Gaussian + linear": "a straight trend, and wiggles around it",
    "product: Gaussian · linear": "wiggles that grow with the distance from 0, where every curve is 0",
}


def covariance_functions():
    """Return a covariance function as a curve beside five functions drawn from its prior (ES p. 113).

    Returns
    -------
    Explorable

    Examples
    --------
    >>> print(covariance_functions().describe(kernel="periodic", width=1.0, at=0.0).splitlines()[0])
    periodic, width 1: k(0, 0) = 1.00, k(1, 0) = 0.16, k(2.5, 0) = 1.00.
    """
    return Explorable(
        title="What a covariance function believes before it sees anything",
        controls=(
            choice("kernel", "covariance function", _NAMES),
            choice("width", "width", {"0.5": 0.5, "1": 1.0, "2": 2.0}, start=1.0),
            linear_slider(
                "at",
                "x′, the point compared with",
                -4,
                4,
                start=0,
                steps=17,
                page_every=4,
                text=lambda value: minus(f"{value:g}"),
            ),
        ),  # fmt: skip
        frame=_frame,
        draw=_draw,
        describe=_describe,
        size=(8.6, 4.1),
        panels=2,
    )


def _frame(figure):
    values, curves = panel_axes(figure)
    values.set(xlim=_ENDS, ylim=(-1.3, 2.3), xlabel="x", ylabel="k(x, x′)", title="Covariance of f(x) with f(x′)")
    values.axhline(0, color="#bbbbbb", linewidth=0.8)
    curves.set(xlim=_ENDS, ylim=(-4.4, 4.4), xlabel="x", ylabel="f(x)", title="Five curves drawn from the prior")
    legend_below(figure.subfigs[0], ("mean", "k(x, x′) over x"), ("margin", "x′"), columns=2)
    legend_below(figure.subfigs[1], ("band with noise", "0 ± 2 standard deviations of f(x)"), columns=1)


@lru_cache(maxsize=64)
def _sampled(kernel):
    """Return a grid, five functions drawn always from the same random numbers, and two standard deviations."""
    grid = np.linspace(*_ENDS, 121)
    return grid, prior_samples(kernel, grid[:, None], _CURVES, random_state=8), 2 * np.sqrt(kernel.diag(grid[:, None]))


def _draw(figure, kernel, width, at):
    values, curves = figure.axes
    covariance = _kernels(width)[kernel]
    grid, functions, reach = _sampled(covariance)
    values.add_artist(Line2D(grid, covariance(grid[:, None], [[at]])[:, 0], color=ACCENT, linewidth=2.2))
    for axes in (values, curves):
        axes.add_artist(Line2D([at, at], axes.get_ylim(), color=BOUNDARY, linestyle="--", linewidth=1.3, zorder=1.5))
    outline = np.column_stack([np.append(grid, grid[::-1]), np.append(reach, -reach[::-1])])
    curves.add_artist(Polygon(outline, facecolor=BAND_WITH_NOISE, linewidth=0, zorder=0.5))
    lines = [np.column_stack([grid, function]) for function in functions]
    curves.add_collection(
        LineCollection(lines, colors=[f"C{k}" for k in range(_CURVES)], linewidths=1.5, zorder=2), autolim=False
    )


def _describe(kernel, width, at):
    covariance = _kernels(width)[kernel]
    places = np.array([at, at + 1, at + 2.5])
    values = covariance(places[:, None], [[at]])[:, 0]
    pairs = ", ".join(
        minus(f"k({place:g}, {at:g}) = {value if abs(value) >= 0.005 else 0:.2f}")
        for place, value in zip(places, values)
    )
    least, most = np.sqrt(covariance.diag([[0.0], [5.0]]))
    return (
        f"{kernel}, width {width:g}: {pairs}.\nStandard deviation of f: {least:.2f} at x = 0, {most:.2f} at x = 5. "
        f"Curves: {_TELLS[kernel]}."
    )
