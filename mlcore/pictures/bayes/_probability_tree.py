"""Picture of chapter 16: two trees for one joint table, the box first or the object first."""

from fractions import Fraction
from functools import partial

import numpy as np
from matplotlib.collections import LineCollection

from mlcore.explore import FOREGROUND, Explorable
from mlcore.pictures.bayes._boxes import read_boxes, refill_controls
from mlcore.pictures.drawing.text_labels import draw_labels
from mlcore.pictures.drawing.visual_language import ACCENT, panel_axes

__all__ = ["probability_tree"]

_ROOT, _MIDDLE, _LEAF = 0.0, 1.0, 2.0
_FIRST_GAP, _SECOND_GAP = (0.3, 0.54), (0.47, 0.73)  # of a branch, for its number


def probability_tree(counts=None, kinds=None, names=None):
    """Return the two trees of a table of counts: along a branch probabilities multiply (ES Fig. 45–47).

    Parameters
    ----------
    counts : array_like or pandas.DataFrame of shape (2, k), optional
        How many things of either kind are in each of two to four boxes, up to nine; ES p. 101 if left out.
    kinds, names : sequence of str, optional
        Names of the two kinds and of the boxes.

    Returns
    -------
    Explorable
    """
    data = read_boxes(counts, kinds, names)
    return Explorable(
        title="Two ways to the same leaf: that is Bayes' rule",
        controls=refill_controls(data),
        frame=partial(_frame, data=data),
        draw=partial(_draw, data=data),
        describe=partial(_describe, data=data),
        size=(8.6, 4.4),
        panels=2,
    )


def _layout(groups, leaves):
    """Return the heights of the middle nodes, and those of the leaves, a row for every middle node."""
    ends = np.linspace(1, 0, groups * leaves).reshape(groups, leaves)
    return ends.mean(axis=1), ends


def _frame(figure, data):
    titles = ("First the box: p(y) p(x | y)", "First the object: p(x) p(y | x)")
    orders = ((data.names, data.kinds), (data.kinds, data.names))
    for axes, title, (first, second) in zip(panel_axes(figure), titles, orders):
        axes.set(xlim=(-0.08, 2.95), ylim=(-0.07, 1.08), title=title)
        axes.axis("off")
        middle, ends = _layout(len(first), len(second))
        label = dict(fontsize=9.5, zorder=FOREGROUND, bbox=dict(facecolor="white", edgecolor="none", pad=1.2))
        for name, height, leaves in zip(first, middle, ends):
            axes.text(_MIDDLE, height, name, ha="center", va="center", weight="bold", **label)
            for leaf, end in zip(second, leaves):
                axes.text(_LEAF + 0.03, end, leaf, va="center_baseline", **label)


def _draw(figure, box, first, second, data):
    counts = data.refilled(box, first, second)
    for axes, table in zip(figure.axes, (counts.T, counts)):
        _draw_tree(axes, table)


def _draw_tree(axes, table):
    """Draw the branches as thick as they are probable, with their probabilities; rows of `table` come first."""
    total, sums = int(table.sum()), table.sum(axis=1)
    middle, ends = _layout(*table.shape)
    branches, widths, texts = [], [], []
    for height, leaves, row, subtotal in zip(middle, ends, table, sums):
        branches.append([(_ROOT, 0.5), (_MIDDLE, height)])
        branches += [[(_MIDDLE, height), (_LEAF, end)] for end in leaves]
        widths += [_width(number / total) for number in (subtotal, *row)]
        texts += [_text(subtotal, total), *(_text(number, subtotal) for number in row)]
    start, end = np.moveaxis(np.array(branches), 1, 0)
    gap = np.where(start[:, :1] == _ROOT, _FIRST_GAP, _SECOND_GAP)
    before, middles, after = (
        start + share[:, None] * (end - start) for share in (gap[:, 0], gap.mean(axis=1), gap[:, 1])
    )
    # Either branch in two parts, with its number in the gap between them.
    lines = np.stack([np.stack([start, before], axis=1), np.stack([after, end], axis=1)]).reshape(-1, 2, 2)
    look = dict(colors="#9cc9b9", linewidths=2 * widths, capstyle="butt", zorder=1)
    axes.add_collection(LineCollection(lines, **look), autolim=False)
    draw_labels(axes, middles, texts)
    leaves = np.column_stack([np.full(table.size, 2.95), ends.ravel()])
    joint = [_text(number, total) for number in table.ravel()]
    draw_labels(axes, leaves, joint, size=10.5, ha="right", color=ACCENT, weight="bold")


def _width(share):
    return 0.8 + 9 * share if share > 0 else 0.0


def _text(number, total):
    return str(Fraction(int(number), int(total))) if total else "–"


def _describe(box, first, second, data):
    counts = data.refilled(box, first, second)
    total, column = counts.sum(), data.names.index(box)
    kind, number, row = data.kinds[0], int(counts[0, column]), counts[0].sum()
    start = f"{total} things. The leaf “{box}, {kind}”: "
    if not counts[:, column].sum():
        return start + f"the box is empty, so p({box}) = 0 and p({kind} | {box}) is not defined; the leaf has 0."
    if not row:
        return start + f"nothing is a {kind}, so p({kind}) = 0 and p({box} | {kind}) is not defined; the leaf has 0."
    inside = int(counts[:, column].sum())
    joint = Fraction(number, int(total))
    return start + (
        f"p({box}) p({kind} | {box}) = {_text(inside, total)} · {_text(number, inside)} = {joint}, and "
        f"p({kind}) p({box} | {kind}) = {_text(row, total)} · {_text(number, row)} = {joint}. Divide by p({kind}): "
        f"p({box} | {kind}) = {_text(number, row)}."
    )
