"""Picture of chapter 16: a density may exceed 1, the area below it never does."""

import numpy as np
from matplotlib.collections import PolyCollection
from matplotlib.lines import Line2D
from scipy.stats import norm

from mlcore.explore import Control, Explorable, linear_slider
from mlcore.pictures.drawing.readout import minus, probability
from mlcore.pictures.drawing.visual_language import ACCENT, BOUNDARY, LEAVING

__all__ = ["interval_probability"]

_SPREADS, _WIDTHS = (0.1, 0.2, 0.4, 0.7, 1.0), (0.01, 0.1, 0.5, 2.0)
_REACH = 3.0


def interval_probability():
    """Return a normal density with sliders for its spread and for the interval whose area is a probability (ES p. 102).

    Returns
    -------
    Explorable
    """
    return Explorable(
        title="Probability is area, density is height",
        controls=(
            Control("spread", "standard deviation", "slider", _SPREADS, _SPREADS, 0.4, "{:g}".format),
            linear_slider("start", "left end a", -1, 1, start=-0.2, steps=6),
            Control("width", "width h", "slider", _WIDTHS, _WIDTHS, 0.5, "{:g}".format),
        ),
        frame=_frame,
        draw=_draw,
        describe=_describe,
        size=(4.6, 4.2),
    )


def _frame(figure):
    axes = figure.subplots()
    highest = norm.pdf(0, scale=_SPREADS[0])
    axes.set(xlim=(-_REACH, _REACH), ylim=(0, 1.05 * highest), xlabel="value of x", ylabel="density p(x)")
    axes.axhline(1, color="#bbbbbb", linewidth=0.8, linestyle="--", zorder=0)
    handles = [
        Line2D([], [], color=BOUNDARY, linewidth=2, label="density p(x)"),
        Line2D([], [], color=ACCENT, linewidth=7, label="p(a ≤ x ≤ a + h)"),
        Line2D([], [], color=LEAVING, linewidth=2, label="area / h"),
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=3)


def _area(spread, start, width):
    return float(norm.cdf(start + width, scale=spread) - norm.cdf(start, scale=spread))


def _draw(figure, spread, start, width):
    axes = figure.axes[0]
    x = np.linspace(-_REACH, _REACH, 301)
    axes.add_artist(Line2D(x, norm.pdf(x, scale=spread), color=BOUNDARY, linewidth=2, zorder=3))
    inside = np.linspace(start, start + width, 61)
    heights = norm.pdf(inside, scale=spread)
    outline = np.column_stack([np.concatenate([[start], inside, inside[-1:]]), np.concatenate([[0], heights, [0]])])
    look = dict(facecolor=ACCENT, edgecolor=ACCENT, linewidth=1, zorder=2)
    axes.add_collection(PolyCollection([outline], **look), autolim=False)
    level = _area(spread, start, width) / width
    axes.add_artist(Line2D([start, start + width], [level, level], color=LEAVING, linewidth=2, zorder=4))


def _describe(spread, start, width):
    area, middle = _area(spread, start, width), norm.pdf(start + width / 2, scale=spread)
    return minus(
        f"Standard deviation {spread:g}: the density is at most {norm.pdf(0, scale=spread):.3f}. "
        f"p({start:g} ≤ x ≤ {start + width:g}) = {probability(area)}, the green area. Divided by the width it is "
        f"{area / width:.4f}; the density in the middle is {middle:.4f}."
    )
