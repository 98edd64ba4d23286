"""Picture of chapter 10: points as functions k(·, x), and the inner product that reads off their values."""

from functools import partial

import numpy as np
from matplotlib.patches import Rectangle

from mlcore.explore import FOREGROUND, Explorable, choice, linear_slider
from mlcore.kernels import Constant, Gaussian, Periodic, QuasiPeriodic
from mlcore.pictures.drawing.readout import decimals, minus
from mlcore.pictures.drawing.visual_language import (
    ACCENT,
    BOUNDARY,
    LEAVING,
    NEGATIVE,
    POSITIVE,
    draw_line,
    panel_axes,
    star_point,
)
from mlcore.validation import as_array

__all__ = ["reproducing_property"]

_KERNELS = {
    "Gaussian": Gaussian(0.8),
    "periodic": Periodic(1.0, 4.0),
    "sum of both, halved": Constant(0.5) * (Gaussian(0.8) + Periodic(1.0, 4.0)),
    "product (quasiperiodic)": QuasiPeriodic(1.0, 4.0, 2.0),
}
_CENTRES, _WEIGHTS = (-2.0, -0.5, 1.0, 2.5), (1.0, -0.8, 0.6, 0.9)


def reproducing_property(centres=_CENTRES, weights=_WEIGHTS):
    """Return f = Σ cᵢ k(·, xᵢ), its value at a point to be moved, and the terms of ⟨f, k(·, x)⟩ (ES Fig. 28, p. 62–63).

    Parameters
    ----------
    centres : array_like of shape (m,)
        The points xᵢ on a line.
    weights : array_like of shape (m,)
        The numbers cᵢ.

    Returns
    -------
    Explorable

    Raises
    ------
    ValueError
        Different lengths, nothing at all, or values that are not finite.
    """
    centres = as_array("centres", centres, ("m",))
    weights = as_array("weights", weights, (len(centres),))
    if not len(centres):
        raise ValueError("centres: expected at least one point, got none")
    low, high = float(centres.min()) - 2, float(centres.max()) + 2
    made = dict(centres=centres, weights=weights)
    return Explorable(
        title="The value of f at x is its inner product with the function of x",
        controls=(
            choice("kernel", "kernel", list(_KERNELS)),
            linear_slider("x", "point x", low, high, start=low + 22 / 34 * (high - low), steps=35, page_every=2),
        ),
        frame=partial(_frame, ends=(low, high), **made),
        draw=partial(_draw, ends=(low, high), **made),
        describe=partial(_describe, **made),
        size=(8.6, 4.3),
        panels=2,
    )


def _terms(kernel, x, centres, weights):
    """Return cᵢ k(xᵢ, x), which add up to ⟨f, k(·, x)⟩ by the definition of the inner product, shape (m,)."""
    return weights * _KERNELS[kernel](centres[:, None], [[x]])[:, 0]


def _values(kernel, at, centres, weights):
    """Return f(at) = Σ cᵢ k(at, xᵢ), shape (len(at),)."""
    return _KERNELS[kernel](np.reshape(at, (-1, 1)), centres[:, None]) @ weights


def _frame(figure, ends, centres, weights):
    functions, bars = panel_axes(figure)
    at = np.linspace(*ends, 161)
    reach = 1.1 * max(1.0, *(np.abs(_values(kernel, at, centres, weights)).max() for kernel in _KERNELS), *abs(weights))
    functions.set(xlim=ends, ylim=(-reach, reach), xlabel="point of the line", ylabel="value", title="f and its parts")
    functions.axhline(0, color="#bbbbbb", linewidth=0.8, zorder=0)
    functions.plot(centres, np.zeros(len(centres)), "^", color=BOUNDARY, markersize=7, zorder=FOREGROUND)
    m = len(centres)
    bars.set(xlim=(-0.6, m + 1.1), ylim=(-reach, reach), ylabel="value", title="Terms of ⟨f, k(·, x)⟩ and their sum")
    names = [minus(f"{centre:g}") for centre in centres]
    bars.set_xticks([*range(m), m + 0.4], [*names, "sum"])
    bars.set_xlabel("term of the point xᵢ")
    bars.axhline(0, color=BOUNDARY, linewidth=0.8, zorder=0)
    functions.plot([], [], color=ACCENT, linewidth=2.4, label="f")
    functions.plot([], [], color="#9a9a9a", linewidth=1.2, label="its parts")
    functions.plot([], [], color=LEAVING, linewidth=2, linestyle="--", label="k(·, x)")
    handles, labels = functions.get_legend_handles_labels()
    figure.subfigs[0].legend(handles, labels, loc="outside lower center", ncols=3)


def _draw(figure, kernel, x, ends, centres, weights):
    functions, bars = figure.axes
    at = np.linspace(*ends, 161)
    parts = _KERNELS[kernel](at[:, None], centres[:, None]) * weights
    for part in parts.T:
        draw_line(functions, at, part, color="#9a9a9a", linewidth=1.2, zorder=1)
    draw_line(functions, at, parts.sum(axis=1), color=ACCENT, linewidth=2.4, zorder=3)
    bell = _KERNELS[kernel](at[:, None], [[x]])[:, 0]
    draw_line(functions, at, bell, color=LEAVING, linewidth=2, linestyle="--", zorder=2)
    value = float(_values(kernel, x, centres, weights)[0])
    draw_line(functions, [x, x], [0, value], color=BOUNDARY, linewidth=1, linestyle=":", zorder=3)
    star_point(functions, (x, value), zorder=5)
    terms = _terms(kernel, x, centres, weights)
    places, heights = [*range(len(terms)), len(terms) + 0.4], [*terms, terms.sum()]
    colours = [*np.where(terms < 0, NEGATIVE, POSITIVE), ACCENT]
    for place, height, colour in zip(places, heights, colours):
        bars.add_artist(Rectangle((place - 0.35, 0), 0.7, height, color=colour, linewidth=0, zorder=2))
    draw_line(bars, [-0.6, len(terms) + 1.1], [value, value], color=BOUNDARY, linewidth=1, linestyle=":", zorder=3)


def _describe(kernel, x, centres, weights):
    value = float(_values(kernel, x, centres, weights)[0])
    terms = _terms(kernel, x, centres, weights)
    squared = float(weights @ _KERNELS[kernel](centres[:, None]) @ weights)
    written = " + ".join(f"({decimals(term)})" for term in terms)
    return minus(
        f"{kernel}, x = {x:.3g}: f(x) = {decimals(value)}, and ⟨f, k(·, x)⟩ = {written} = {decimals(terms.sum())}. "
        f"‖f‖ = {np.sqrt(max(squared, 0)):.3f}, and Cauchy–Schwarz allows |f(x)| up to "
        f"‖f‖·√k(x, x) = {np.sqrt(max(squared, 0) * _KERNELS[kernel].diag([[x]])[0]):.3f}."
    )
