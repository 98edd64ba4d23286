"""Picture of chapter 9: who moves first? Inf sup and sup inf on a Lagrangian and in a valley."""

from functools import lru_cache

import numpy as np

from mlcore.explore import Explorable, choice, linear_slider
from mlcore.pictures.drawing.readout import minus
from mlcore.pictures.drawing.visual_language import ACCENT, LEAVING, QUIET, legend_below, panel_axes

__all__ = ["SURFACES", "saddle"]

SURFACES = {
    "lagrangian": lambda x, m: x**2 + m * (1 - x),
    "valley": lambda x, m: abs(x - m / 2) + m / 8,
}
"""The Lagrangian of "minimise x² for x ≥ 1", and a V-shaped valley, as functions of x in [0, 2] and λ in [0, 4]."""

_TEXTS = {
    "lagrangian": "Lagrangian x² + λ(1 − x)",
    "valley": "valley |x − λ/2| + λ/8",
}
_X, _M = np.linspace(0, 2, 81), np.linspace(0, 4, 81)
_LEVELS = np.linspace(-2, 4, 13)
_SHADES = [f"{shade:.3f}" for shade in np.linspace(1.0, 0.62, 12)]  # grey, white for the lowest


def saddle():
    """Return a Lagrangian with a saddle point and a valley without, cut along both directions (MW p. 74–75).

    Returns
    -------
    Explorable
    """
    return Explorable(
        title="Who moves first?",
        controls=(
            choice("surface", "surface", {text: key for key, text in _TEXTS.items()}),
            linear_slider("cut", "place of both cuts", 0, 1, start=0.25, steps=41, page_every=2, text=_percent),
        ),
        frame=_frame,
        draw=_draw,
        describe=_describe,
        size=(8.6, 4.4),
        panels=2,
    )


def _percent(value):
    return f"{100 * value:.3g}%"


def _worst(surface, x):
    """Return sup over λ of the surface at x, and the λ that reaches it: one of the two ends, for both surfaces."""
    values = SURFACES[surface](x, _M)
    return float(values.max()), float(_M[values.argmax()])


def _lowest(surface, m):
    """Return inf over x of the surface at λ, and the x that reaches it: λ/2 for both surfaces."""
    return float(SURFACES[surface](m / 2, m)), m / 2


@lru_cache(maxsize=2)
def _curves(surface):
    """Return sup over λ for every x, and inf over x for every λ."""
    return np.array([_worst(surface, x)[0] for x in _X]), np.array([_lowest(surface, m)[0] for m in _M])


def _frame(figure):
    plane, values = panel_axes(figure)
    plane.set(
        xlim=(-0.06, 2.06), ylim=(-0.12, 4.12), xlabel="x, chosen to make it low", ylabel="λ, chosen to make it high",
        title="The surface (darker is higher), two cuts",
    )  # fmt: skip
    values.set(
        xlim=(-3, 103), ylim=(-0.25, 4.25), xlabel="place of the cut in %", ylabel="value",
        title="The best reply to every first move",
    )  # fmt: skip
    legend_below(
        figure.subfigs[0], ("what stops it", "x is fixed: λ replies"), ("path", "λ is fixed: x replies"), columns=1
    )
    legend_below(
        figure.subfigs[1],
        ("what stops it", "highest over λ, for each x"),
        ("path", "lowest over x, for each λ"),
        columns=1,
    )


def _draw(figure, surface, cut):
    plane, values = (panel.axes[0] for panel in figure.subfigs)
    x, m = 2 * cut, 4 * cut
    grid = np.meshgrid(_X[::2], _M[::2])
    plane.contourf(*grid, SURFACES[surface](*grid), levels=_LEVELS, colors=_SHADES, zorder=0.5)
    (high, reply_m), (low, reply_x) = _worst(surface, x), _lowest(surface, m)
    plane.plot([x, x], [0, 4], color=LEAVING, linewidth=2.6, zorder=2)
    plane.plot([0, 2], [m, m], color=ACCENT, linewidth=2.6, zorder=2)
    plane.plot(x, reply_m, "o", color=LEAVING, markersize=10, markeredgecolor="white", zorder=4, clip_on=False)
    plane.plot(reply_x, m, "o", color=ACCENT, markersize=10, markeredgecolor="white", zorder=4, clip_on=False)
    highest, lowest = _curves(surface)
    percent = np.linspace(0, 100, len(_X))
    for level in (highest.min(), lowest.max()):
        values.plot([0, 100], [level, level], color=QUIET, linewidth=1, linestyle=":", zorder=1)
    values.plot(percent, highest, color=LEAVING, linewidth=2.6, zorder=2)
    values.plot(percent, lowest, color=ACCENT, linewidth=2.6, zorder=2)
    values.plot(100 * cut, high, "o", color=LEAVING, markersize=10, markeredgecolor="white", zorder=4)
    values.plot(100 * cut, low, "o", color=ACCENT, markersize=10, markeredgecolor="white", zorder=4)


def _describe(surface, cut):
    x, m = 2 * cut, 4 * cut
    (high, reply_m), (low, reply_x) = _worst(surface, x), _lowest(surface, m)
    highest, lowest = _curves(surface)
    inf_sup, sup_inf = highest.min(), lowest.max()
    end = "equal: a saddle point" if inf_sup - sup_inf < 1e-9 else f"a gap of {inf_sup - sup_inf:.3f}"
    return minus(
        f"x moves first to {x:.2f}: the worst λ is {reply_m:.2f}, value {high:.3f}. λ moves first to {m:.2f}: the best "
        f"x is {reply_x:.2f}, value {low:.3f}. Over all first moves: inf sup = {inf_sup:.3f}, sup inf = {sup_inf:.3f}, "
        f"{end}."
    )
