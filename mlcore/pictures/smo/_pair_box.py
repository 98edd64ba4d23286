"""Picture of chapter 11: two multipliers on a line through their box, and the parabola along that line."""

from functools import cache
from typing import NamedTuple

import numpy as np
from matplotlib.patches import Rectangle

from mlcore.explore import Explorable, choice, linear_slider
from mlcore.pictures.drawing.level_sets import LevelSets
from mlcore.pictures.drawing.readout import decimals, minus
from mlcore.pictures.drawing.text_labels import draw_labels
from mlcore.pictures.drawing.visual_language import (
    ACCENT,
    BOUNDARY,
    FEASIBLE,
    QUIET,
    draw_arrow,
    draw_line,
    legend_below,
    panel_axes,
)
from mlcore.svm import pair_update

__all__ = [
    "AFTER",
    "BEFORE",
    "LINE_IN_BOX",
    "UNCLIPPED",
    "PairMove",
    "box_axes",
    "draw_box",
    "draw_marks",
    "draw_move",
    "one_pair",
    "outcome",
]

LINE_IN_BOX, BEFORE, UNCLIPPED, AFTER = (
    ("allowed", "line in the box"),
    ("left out", "before the step"),
    ("no vertex", "unclipped"),
    ("optimum", "after the step"),
)


class PairMove(NamedTuple):
    """Where a pair (α₁, α₂) stood, where it wanted to go, and where it stands; `product` is y₁y₂."""

    before: tuple[float, float]
    after: tuple[float, float]
    L: float
    H: float
    unclipped: float
    product: float

    def point(self, alpha2):
        """Return the point of the line with the given α₂."""
        return np.array([self.before[0] + self.product * (self.before[1] - alpha2), alpha2])


def outcome(move):
    """Return in words what clipping did to a step."""
    if move.L == move.H:
        return f"L = H = {decimals(move.L)}, so this pair cannot move at all"
    ends = f"L = {decimals(move.L)}, H = {decimals(move.H)}"
    if not np.isfinite(move.unclipped):
        end = "L" if move.unclipped < 0 else "H"
        return f"η = 0, so α₂ goes to the better end of {ends}: {end}"
    wish = f"{ends}, unclipped α₂ = {decimals(move.unclipped)}"
    if move.L <= move.unclipped <= move.H:
        return f"{wish}: inside, nothing to clip"
    return f"{wish}: clipped to {'H' if move.unclipped > move.H else 'L'} = {decimals(move.after[1])}"


def box_axes(axes, low, high, title="The pair in its box"):
    """Give `axes` equal scales from `low` to `high` in α₁ and α₂."""
    axes.set(xlim=(low, high), ylim=(low, high), xlabel="α₁", ylabel="α₂", title=title, aspect="equal")


def draw_box(axes, C):
    """Draw the box 0 ≤ α₁, α₂ ≤ C."""
    axes.add_artist(Rectangle((0, 0), C, C, facecolor=FEASIBLE, edgecolor="#9dbfd6", linewidth=1.4, zorder=0.5))


def draw_move(axes, move):
    """Draw the line of a pair through the box, L and H, and the step before and after clipping (ES Fig. 29–32)."""
    low, high = axes.get_xlim()
    far = 2 * (high - low)
    ends = [move.point(move.before[1] + t) for t in (-far, far)]
    draw_line(axes, *np.transpose(ends), color=QUIET, linestyle=":", linewidth=1.2, zorder=1.5)
    draw_line(axes, *np.transpose([move.point(move.L), move.point(move.H)]), color="#bbbbbb", linewidth=7, zorder=1.6)
    for alpha2 in (move.L, move.H):
        draw_line(
            axes, [low, move.point(alpha2)[0]], [alpha2] * 2, color=BOUNDARY, linestyle="--", linewidth=1, zorder=1.7
        )
    aside = 0.035 * (high - low)
    draw_labels(axes, [(low + aside, move.L - aside), (low + aside, move.H + aside)], "LH", ha="left", zorder=1.75)
    draw_arrow(axes, move.before, move.after, zorder=3)
    draw_marks(axes, move.before, move.point(move.unclipped), move.after)


def draw_marks(axes, before, unclipped, after):
    """Mark three points (x, y): hollow before the step, a cross unclipped, a dot after it."""
    if np.isfinite(unclipped).all():
        draw_line(
            axes,
            *unclipped,
            marker="x",
            linestyle="none",
            markeredgecolor=QUIET,
            markersize=9,
            markeredgewidth=1.8,
            zorder=4,
        )
    hollow = dict(markerfacecolor="white", markeredgecolor=ACCENT, markeredgewidth=2.2)
    draw_line(axes, *before, marker="o", linestyle="none", markersize=9, zorder=4, **hollow)
    draw_line(
        axes, *after, marker="o", linestyle="none", color=ACCENT, markersize=9, markeredgecolor="white", zorder=4.5
    )


# One pair alone

_K11, _K22, _K12 = 1.0, 1.4, 0.4
_REST = 0.5, -0.4  # what the fixed multipliers add to f at the two points
_LOW, _HIGH = -0.6, 2.6


def one_pair():
    """Return a pair of multipliers, all others fixed: its box, and the dual objective along its line (ES Fig. 29–32).

    The kernel values are K₁₁ = 1, K₂₂ = 1.4 and K₁₂ = 0.4, y₁ = +1, and the fixed multipliers add 0.5 to f at the
    first point and −0.4 at the second. Controls for y₂, for C, and for the start in shares of C.

    Returns
    -------
    Explorable
    """
    return Explorable(
        title="One pair: the line through the box, and the objective along it",
        controls=(
            choice("product", "labels y₁ and y₂", {"equal": 1, "opposite": -1}),
            linear_slider("C", "bound C", 0.5, 2, start=1.5, steps=4),
            linear_slider("share1", "start, α₁ / C", 0, 1, start=0.5, steps=9, page_every=2),
            linear_slider("share2", "start, α₂ / C", 0, 1, start=0, steps=5, page_every=2),
        ),
        frame=_pair_frame,
        draw=_draw_pair,
        describe=_describe_pair,
        size=(8.6, 4.6),
        panels=2,
    )


def _errors(product, alpha1, alpha2):
    """Return E₁ and E₂ for b = 0."""
    return (
        alpha1 * _K11 + product * alpha2 * _K12 + _REST[0] - 1,
        alpha1 * _K12 + product * alpha2 * _K22 + _REST[1] - product,
    )


def _updated(product, C, share1, share2):
    alpha1, alpha2 = share1 * C, share2 * C
    E1, E2 = _errors(product, alpha1, alpha2)
    step = pair_update(
        alpha1=alpha1, alpha2=alpha2, y1=1, y2=product, E1=E1, E2=E2, K11=_K11, K22=_K22, K12=_K12, C=C
    )  # fmt: skip
    move = PairMove((alpha1, alpha2), (step.alpha1, step.alpha2), step.L, step.H, step.unclipped, product)
    return move, product * (E1 - E2), step.curvature


def _gain(move, slope, curvature, alpha2):
    change = alpha2 - move.before[1]
    return slope * change - curvature * change**2 / 2


def _objective(alpha1, alpha2, product):
    """Return the part of W(α) that depends on the pair."""
    quadratic = _K11 * alpha1**2 / 2 + _K22 * alpha2**2 / 2 + product * _K12 * alpha1 * alpha2
    return alpha1 + alpha2 - quadratic - alpha1 * _REST[0] - product * alpha2 * _REST[1]


@cache
def _level_sets(product):
    alpha1, alpha2 = np.meshgrid(np.linspace(_LOW, _HIGH, 41), np.linspace(_LOW, _HIGH, 41))
    return LevelSets(alpha1, alpha2, _objective(alpha1, alpha2, product))


def _pair_frame(figure):
    box, curve = panel_axes(figure)
    box_axes(box, _LOW, _HIGH)
    curve.set(
        xlim=(_LOW, _HIGH), ylim=(-1.6, 1.6), xlabel="α₂ along the line", ylabel="gain of the dual objective W",
        title="The objective along the line",
    )  # fmt: skip
    legend_below(figure.subfigs[0], ("feasible region", "box"), LINE_IN_BOX, BEFORE, UNCLIPPED, AFTER)


def _draw_pair(figure, product, C, share1, share2):
    box, curve = figure.axes
    move, slope, curvature = _updated(product, C, share1, share2)
    draw_box(box, C)
    _level_sets(product).draw_lines(box, *np.arange(-4, 2, 0.25), color="#9a9a9a", linewidth=0.8, zorder=1)
    draw_move(box, move)

    values = np.linspace(_LOW, _HIGH, 129)
    draw_line(curve, values, _gain(move, slope, curvature, values), color=QUIET, linestyle=":", linewidth=1.4, zorder=2)
    low, high = curve.get_ylim()
    curve.add_artist(Rectangle((move.L, low), move.H - move.L, high - low, color=FEASIBLE, linewidth=0, zorder=0.5))
    values = np.linspace(move.L, move.H, 65)
    draw_line(curve, values, _gain(move, slope, curvature, values), color=BOUNDARY, linewidth=2.2, zorder=3)
    for name, alpha2, side in (("L ", move.L, "right"), (" H", move.H, "left")):
        draw_line(curve, [alpha2] * 2, curve.get_ylim(), color=BOUNDARY, linestyle="--", linewidth=1, zorder=1)
        curve.text(alpha2, low + 0.1, name, ha=side, zorder=5)
    draw_marks(curve, *((a, _gain(move, slope, curvature, a)) for a in (move.before[1], move.unclipped, move.after[1])))


def _describe_pair(product, C, share1, share2):
    move, slope, curvature = _updated(product, C, share1, share2)
    before, after = move.before, move.after
    constant = before[0] + product * before[1]
    gain = _gain(move, slope, curvature, after[1])
    sign = "+" if product > 0 else "−"
    return minus(
        f"Labels {'equal' if product > 0 else 'opposite'}: α₁ {sign} α₂ stays {decimals(constant)}. "
        f"E₁ − E₂ = {decimals(slope * product)}, η = {decimals(curvature, 1)}.\n"
        f"{outcome(move)}.\n"
        f"(α₁, α₂) goes from ({decimals(before[0])}, {decimals(before[1])}) to ({decimals(after[0])}, "
        f"{decimals(after[1])}), and the dual objective gains {decimals(gain)}."
    )
