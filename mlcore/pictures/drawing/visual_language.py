"""The one visual language of the book: what a colour, a shape and a line mean, learned once by the reader.

Class + is a blue circle, class − an orange square; the boundary is solid, the margins are dashed, the street
between them is grey. Support vectors wear a ring, points inside the street a black circle, points on the wrong
side of the boundary a cross.
"""

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.patches import FancyArrowPatch, Patch, Polygon
from matplotlib.ticker import FuncFormatter

from mlcore.explore import FOREGROUND
from mlcore.pictures.drawing.level_sets import LevelSets

__all__ = [
    "ACCENT",
    "BAND_WITH_NOISE",
    "BOUNDARY",
    "ELLIPSE",
    "ENTERING",
    "FEASIBLE",
    "INFEASIBLE",
    "LEAVING",
    "NEGATIVE",
    "POSITIVE",
    "circle_chosen",
    "circle_points",
    "cross_points",
    "draw_arrow",
    "draw_band",
    "draw_curved_street",
    "draw_line",
    "draw_points",
    "draw_sides",
    "draw_street",
    "draw_tube",
    "legend_below",
    "panel_axes",
    "power_axis",
    "plane_axes",
    "ring_points",
    "star_point",
]

POSITIVE, NEGATIVE = "#0072B2", "#D55E00"
BOUNDARY, ACCENT, QUIET = "#222222", "#009E73", "#767676"
FEASIBLE, INFEASIBLE = "#d6e8f4", "#e2e2e2"
ENTERING, LEAVING = "#cfeee3", "#E69F00"
_SIDE = {1: "#e6f1f8", -1: "#fcebdf"}
_STREET = "#f1f1ef"
_MARK = {1: dict(marker="o", color=POSITIVE, size=38), -1: dict(marker="s", color=NEGATIVE, size=34)}
_TUBE = "#d7f0e6"
_BAND, BAND_WITH_NOISE = "#abdcca", "#e2f3ec"
ELLIPSE = "#c4def0"
_FAR = 1e3  # in sizes of the picture
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def power_axis(axis):
    """Label a logarithmic axis by powers of ten, such as 10⁻³."""
    axis.set_major_formatter(FuncFormatter(lambda value, _: "10" + f"{np.log10(value):.0f}".translate(_RAISED)))


def panel_axes(figure):
    """Return one new axes for every panel of `figure`, from left to right."""
    return [panel.subplots() for panel in figure.subfigs]


def plane_axes(axes, X, names=("x₁", "x₂"), margin=0.15, title=""):
    """Give `axes` equal scales, limits around the points of `X` (n × 2) and names."""
    low, high = X.min(axis=0), X.max(axis=0)
    room = margin * max(*(high - low), 1e-9)
    axes.set(
        xlim=(low[0] - room, high[0] + room),
        ylim=(low[1] - room, high[1] + room),
        xlabel=names[0],
        ylabel=names[1],
        title=title,
        aspect="equal",
        adjustable="box",
    )


def draw_line(axes, x, y, **look):
    """Draw a line (or marks) in a fifth of the time of `Axes.plot`, for what moves with a slider; limits stay."""
    axes.add_artist(Line2D(np.atleast_1d(x), np.atleast_1d(y), **look))


def draw_points(axes, X, y, zorder=FOREGROUND + 1, size=None, face=None, edge="white", width=0.7):
    """Draw the points of `X` (n × 2) as blue circles where `y` is +1 and orange squares where it is −1."""
    for label, mark in _MARK.items():
        look = dict(size=size or mark["size"], face=face or mark["color"], edge=edge, width=width)
        _mark_points(axes, X[np.asarray(y) == label], mark["marker"], zorder=zorder, **look)


def ring_points(axes, X):
    """Put a grey ring around support vectors; `X` is n × 2."""
    _mark_points(axes, X, "o", size=120, edge=QUIET, width=1.5, zorder=4)


def circle_points(axes, X):
    """Put a black circle around points inside the street; `X` is n × 2."""
    _mark_points(axes, X, "o", size=120, edge="black", width=2.0, zorder=5)


def circle_chosen(axes, X):
    """Put a green circle around the points that an algorithm works on; `X` is n × 2."""
    _mark_points(axes, X, "o", size=200, edge=ACCENT, width=2.6, zorder=5)


def cross_points(axes, X):
    """Cross out points on the wrong side of the boundary; `X` is n × 2."""
    _mark_points(axes, X, "x", size=190, edge="black", width=1.6, zorder=5)


def _mark_points(axes, X, marker, size, edge, width, zorder, face="none"):
    # A line of marks is made ten times faster than a scatter, which counts where a picture follows a slider.
    look = dict(marker=marker, markersize=size**0.5, markerfacecolor=face, markeredgecolor=edge, markeredgewidth=width)
    axes.add_artist(Line2D(*np.transpose(X), linestyle="none", zorder=zorder, **look))


def star_point(axes, point, zorder=FOREGROUND + 3):
    """Draw the point that the text speaks about, (x, y), as a green star."""
    _mark_points(axes, [point], "*", size=230, face=ACCENT, edge="black", width=0.9, zorder=zorder)


def draw_sides(axes, x1, x2, score, boundary=True):
    """Tint where `score` is positive and where it is negative, and draw the boundary between.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    x1, x2 : numpy.ndarray of shape (rows, columns)
        A grid, as `numpy.meshgrid` gives it.
    score : numpy.ndarray of shape (rows, columns)
        Finite; its sign is the class.
    boundary : bool
    """
    sets = LevelSets(x1, x2, score)
    sets.draw_region(axes, -np.inf, 0, color=_SIDE[-1])
    sets.draw_region(axes, 0, np.inf, color=_SIDE[1])
    if boundary:
        sets.draw_lines(axes, 0, color=BOUNDARY, linewidth=1.6)


def draw_curved_street(axes, x1, x2, score):
    """Draw where `score` is 0, where it is ±1 and, lightly, the street between and both sides.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    x1, x2 : numpy.ndarray of shape (rows, columns)
        A grid, as `numpy.meshgrid` gives it.
    score : numpy.ndarray of shape (rows, columns)
        Finite values of the decision function.
    """
    sets = LevelSets(x1, x2, score)
    for low, high, tint in ((-np.inf, -1, _SIDE[-1]), (-1, 1, _STREET), (1, np.inf, _SIDE[1])):
        sets.draw_region(axes, low, high, color=tint)
    sets.draw_lines(axes, 0, color=BOUNDARY, linewidth=2.0)
    sets.draw_lines(axes, -1, 1, color=BOUNDARY, linewidth=1.3, linestyle="--")


def draw_street(axes, w, b, sides=True, color=BOUNDARY, margins=True):
    """Draw the plane w·x + b = 0, its two margins w·x + b = ±1 and, lightly, street and sides.

    Without `margins` the boundary is all there is between the sides.
    """
    w = np.asarray(w, dtype=float)
    norm, shown = np.linalg.norm(w), max(np.ptp(axes.get_xlim()), np.ptp(axes.get_ylim()))
    if norm * shown < 1e-9:  # no direction: the whole picture is street
        return
    normal, along = w / norm, np.array([-w[1], w[0]]) / norm
    far = _FAR * shown
    centre = np.mean([axes.get_xlim(), axes.get_ylim()], axis=1)
    foot = centre - (centre @ w + b) / norm * normal

    def line(level):
        return [foot + level / norm * normal + t * along for t in (-far, far)]

    if sides:
        edge, end = (1 if margins else 0), far * norm
        bands = [(edge, end, _SIDE[1]), (-end, -edge, _SIDE[-1]), (-edge, edge, _STREET)]
        for low, high, tint in bands:
            axes.add_artist(Polygon([*line(low), *line(high)[::-1]], color=tint, linewidth=0, zorder=0.5))
    for level, style in ((0, "-"), (1, "--"), (-1, "--"))[: 3 if margins else 1]:
        width = 2.0 if level == 0 else 1.3
        axes.add_artist(Line2D(*np.transpose(line(level)), color=color, linestyle=style, linewidth=width, zorder=2))


def draw_tube(axes, x, fitted, epsilon, color=ACCENT):
    """Draw a fitted curve, the tube of ± `epsilon` around it, filled, and the two edges of the tube.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    x, fitted : numpy.ndarray of shape (m,)
        Points of the curve, from left to right.
    epsilon : float
        Half the height of the tube.
    color : color
        Of the curve.
    """
    outline = np.column_stack([np.append(x, x[::-1]), np.append(fitted + epsilon, fitted[::-1] - epsilon)])
    axes.add_artist(Polygon(outline, facecolor=_TUBE, linewidth=0, zorder=0.5))
    for edge in (fitted - epsilon, fitted + epsilon):
        axes.add_artist(Line2D(x, edge, color=BOUNDARY, linestyle="--", linewidth=1.1, zorder=2))
    axes.add_artist(Line2D(x, fitted, color=color, linewidth=2.2, zorder=3))


def draw_band(axes, x, mean, std, std_with_noise=None, color=ACCENT):
    """Draw a mean, ± 2 standard deviations around it, filled, and lighter those with noise.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    x, mean, std : numpy.ndarray of shape (m,)
        Points of the curve, from left to right, and the standard deviation of the curve itself.
    std_with_noise : numpy.ndarray of shape (m,), optional
        Standard deviation of a noisy value at these points.
    color : color
        Of the mean.
    """
    for deviation, tint in ((std_with_noise, BAND_WITH_NOISE), (std, _BAND)):
        if deviation is not None:
            edges = np.append(mean + 2 * deviation, (mean - 2 * deviation)[::-1])
            outline = np.column_stack([np.append(x, x[::-1]), edges])
            axes.add_artist(Polygon(outline, facecolor=tint, linewidth=0, zorder=0.5))
    axes.add_artist(Line2D(x, mean, color=color, linewidth=2.2, zorder=3))


def draw_arrow(axes, start, end, color=ACCENT, linewidth=2.6, zorder=6):
    """Draw an arrow from `start` to `end`, both (x, y); one too short to have a direction is left out."""
    if np.hypot(*np.subtract(end, start)) > 1e-9:
        look = dict(arrowstyle="-|>", color=color, linewidth=linewidth, shrinkA=0, shrinkB=0, mutation_scale=13)
        axes.add_artist(FancyArrowPatch(tuple(start), tuple(end), clip_on=False, zorder=zorder, **look))


def legend_below(figure, *names, columns=3):
    """Explain signs below the picture, where no data lies.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
    *names : str or (str, str)
        Keys of the signs; a pair gives a sign another text, such as the name of a class.
    columns : int
    """
    handles = []
    for name in names:
        key, text = (name, name) if isinstance(name, str) else name
        handle = _SIGNS[key]()
        handle.set_label(text)
        handles.append(handle)
    figure.legend(handles=handles, loc="outside lower center", ncols=columns, columnspacing=1.2, handletextpad=0.5)


def _mark(**style):
    return lambda: Line2D([], [], linestyle="none", **style)


_SIGNS = {
    "class +": _mark(marker="o", markersize=6.5, color=POSITIVE, markeredgecolor="white"),
    "class −": _mark(marker="s", markersize=6.5, color=NEGATIVE, markeredgecolor="white"),
    "support vector": _mark(
        marker="o", markersize=10, markerfacecolor="none", markeredgecolor=QUIET, markeredgewidth=1.5
    ),
    "inside the street": _mark(
        marker="o", markersize=10, markerfacecolor="none", markeredgecolor="black", markeredgewidth=2
    ),
    "chosen pair": _mark(
        marker="o", markersize=11, markerfacecolor="none", markeredgecolor=ACCENT, markeredgewidth=2.6
    ),
    "wrong side": _mark(marker="x", markersize=10, color="black", markeredgewidth=1.6),
    "boundary": lambda: Line2D([], [], color=BOUNDARY, linewidth=2),
    "margin": lambda: Line2D([], [], color=BOUNDARY, linewidth=1.3, linestyle="--"),
    "unknown": _mark(marker="*", markersize=14, color=ACCENT, markeredgecolor="black", markeredgewidth=0.9),
    "neighbour": lambda: Line2D([], [], color=ACCENT, linewidth=1.6),
    "training": lambda: Line2D([], [], color=QUIET, linewidth=1.6, linestyle="--"),
    "fresh": lambda: Line2D([], [], color=BOUNDARY, linewidth=2),
    "random pairs": lambda: Line2D([], [], color=QUIET, linewidth=1.6, linestyle=":"),
    "largest difference": lambda: Line2D([], [], color=LEAVING, linewidth=1.6, linestyle="--"),
    "second order": lambda: Line2D([], [], color=ACCENT, linewidth=1.6),
    "street": lambda: Patch(facecolor=_STREET, edgecolor="#cccccc"),
    "feasible region": lambda: Patch(facecolor=FEASIBLE, edgecolor="#9dbfd6"),
    "line of +": lambda: Line2D([], [], color=POSITIVE, linewidth=1.4),
    "line of −": lambda: Line2D([], [], color=NEGATIVE, linewidth=1.4),
    "infeasible region": lambda: Patch(facecolor=INFEASIBLE, edgecolor="#bbbbbb"),
    "constraint": lambda: Line2D([], [], color=BOUNDARY, linewidth=1.2),
    "active constraint": lambda: Line2D([], [], color=BOUNDARY, linewidth=3.4),
    "objective": lambda: Line2D([], [], color=ACCENT, linewidth=1.8),
    "optimum": _mark(marker="o", markersize=8, color=ACCENT, markeredgecolor="white"),
    "no vertex": _mark(marker="x", markersize=6, color=QUIET, markeredgewidth=1.3),
    "path": lambda: Line2D([], [], color=ACCENT, linewidth=4.5, solid_capstyle="round"),
    "next move": lambda: Line2D([], [], color=ACCENT, linewidth=2.5, linestyle=(0, (1.5, 1.5))),
    "what stops it": lambda: Line2D([], [], color=LEAVING, linewidth=4.5),
    "entering": lambda: Patch(facecolor=ENTERING, edgecolor="#8fcfb8"),
    "leaving": lambda: Patch(facecolor="#f8e2b3", edgecolor=LEAVING),
    "pivot": lambda: Patch(facecolor="none", edgecolor="black", linewidth=2),
    "left out": _mark(marker="o", markersize=7, markerfacecolor="white", markeredgecolor=ACCENT, markeredgewidth=2.2),
    "allowed": lambda: Line2D([], [], color="#bbbbbb", linewidth=7),
    "sample": _mark(marker="o", markersize=5.5, color=POSITIVE, markeredgecolor="white"),
    "fit": lambda: Line2D([], [], color=ACCENT, linewidth=2.2),
    "truth": lambda: Line2D([], [], color=BOUNDARY, linewidth=1.6, linestyle=":"),
    "tube": lambda: Patch(facecolor=_TUBE, edgecolor=BOUNDARY, linestyle="--", linewidth=1),
    "mean": lambda: Line2D([], [], color=ACCENT, linewidth=2.2),
    "band": lambda: Patch(facecolor=_BAND, edgecolor="#79c0a8"),
    "band with noise": lambda: Patch(facecolor=BAND_WITH_NOISE, edgecolor="#a5d6c4"),
    "ellipses": lambda: Patch(facecolor=ELLIPSE, edgecolor=POSITIVE),
    "start": _mark(marker="s", markersize=6.5, color=BOUNDARY, markeredgecolor="white"),
    "NLML": lambda: Line2D([], [], color=BOUNDARY, linewidth=2.2),
    "data fit": lambda: Line2D([], [], color=POSITIVE, linewidth=1.6, linestyle="--"),
    "complexity": lambda: Line2D([], [], color=LEAVING, linewidth=2.2, linestyle=":"),
    "drawn curve": lambda: Line2D([], [], color=QUIET, linewidth=1.1),
    "prior": lambda: Line2D([], [], color=POSITIVE, linewidth=1.6, linestyle="--"),
    "likelihood": lambda: Line2D([], [], color=LEAVING, linewidth=1.8),
    "posterior": lambda: Patch(facecolor=_BAND, edgecolor=ACCENT),
    "least squares": lambda: Line2D([], [], color=LEAVING, linewidth=1.8, linestyle="-."),
    "not yet seen": _mark(marker="o", markersize=5.5, markerfacecolor="white", markeredgecolor="#9a9a9a"),
    "slack": lambda: Line2D([], [], color=LEAVING, linewidth=3.2),
    "outside the tube": _mark(
        marker="o", markersize=10, markerfacecolor="none", markeredgecolor="black", markeredgewidth=2
    ),
    "common point": _mark(marker="*", markersize=14, color="black", markeredgecolor="white"),
}
