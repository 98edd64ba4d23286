"""Picture of chapter 16: boxes with cubes and balls, and the table of joint and marginal probabilities."""

from fractions import Fraction
from functools import partial
from typing import NamedTuple

import numpy as np
from matplotlib.collections import PolyCollection
from matplotlib.lines import Line2D

from mlcore.bayes import joint_table, three_boxes
from mlcore.explore import FOREGROUND, Control, Explorable, choice
from mlcore.pictures.drawing.text_labels import draw_labels
from mlcore.pictures.drawing.visual_language import (
    ACCENT,
    FEASIBLE,
    NEGATIVE,
    POSITIVE,
    QUIET,
    legend_below,
    panel_axes,
)
from mlcore.validation import as_array

__all__ = ["Boxes", "boxes", "fractions_given", "read_boxes", "refill_controls"]

_MOST = 9  # of one kind in one box, so that all can be drawn
_PAGE_VALUES = {2: 7, 3: 6, 4: 5}  # of either slider, by the number of boxes
_LINES = ("-", "--", ":", "-.")
_COLUMNS, _STEP = 4, 0.22  # of the things in a box
_SHAPES = (("s", NEGATIVE, 11.0), ("o", POSITIVE, 12.0))


class Boxes(NamedTuple):
    """Boxes with two kinds of things in them.

    Attributes
    ----------
    counts : tuple of tuple of int
        Two rows, one for either kind; a column for every box.
    kinds, names : tuple of str
        Names of the two kinds and of the boxes.
    """

    counts: tuple
    kinds: tuple
    names: tuple

    def refilled(self, box, first, second):
        """Return the counts (2 × number of boxes) with new contents of one box."""
        counts = np.array(self.counts)
        counts[:, self.names.index(box)] = first, second
        return counts


def read_boxes(counts=None, kinds=None, names=None):
    """Read boxes from a table of counts.

    Parameters
    ----------
    counts : array_like or pandas.DataFrame of shape (2, k), optional
        Whole numbers from 0 to 9 for two to four boxes, at least two of them not empty; ES p. 101 if left out.
    kinds, names : sequence of str, optional
        Names of the two kinds and of the boxes.

    Returns
    -------
    Boxes

    Raises
    ------
    ValueError
        Another shape, other numbers, or names that do not fit.
    """
    if counts is None:
        counts, kinds, names = three_boxes()
    table = joint_table(counts, kinds, names)
    numbers = as_array("counts", counts, (2, "k"))
    if numbers.shape[1] not in _PAGE_VALUES:
        raise ValueError(f"counts: expected two to four boxes, got {numbers.shape[1]}")
    if (numbers != numbers.round()).any() or numbers.max() > _MOST:
        raise ValueError(f"counts: expected whole numbers from 0 to {_MOST}, got {numbers.tolist()}")
    if (numbers.sum(axis=0) > 0).sum() < 2:
        raise ValueError("counts: expected at least two boxes that are not empty")  # one of them may be emptied
    return Boxes(tuple(map(tuple, numbers.astype(int).tolist())), table.rows, table.columns)


def refill_controls(data):
    """Return the controls that choose a box and what is put in it: ``box``, ``first``, ``second``."""
    start = len(data.names) - 1

    def amount(name, row):
        begin = data.counts[row][start]
        most = _PAGE_VALUES[len(data.names)]
        page = sorted({*range(most - (begin >= most)), begin})
        return Control(name, f"{data.kinds[row]}s in it", "slider", tuple(range(_MOST + 1)), tuple(page), begin, str)

    return (
        choice("box", "box to refill", data.names, start=data.names[start]),
        amount("first", 0),
        amount("second", 1),
    )


def boxes(counts=None, kinds=None, names=None):
    """Return boxes beside the table of joint and marginal probabilities, with one box to refill (ES Fig. 45, 46).

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
        title="What is in the boxes decides every probability",
        controls=refill_controls(data),
        frame=partial(_frame, data=data),
        draw=partial(_draw, data=data),
        describe=partial(_describe, data=data),
        size=(8.6, 4.0),
        panels=2,
    )


def _frame(figure, data):
    shelf, table = panel_axes(figure)
    k = len(data.names)
    shelf.set(xlim=(-0.08, k - 0.02), ylim=(-0.42, 1.55), title="The boxes")
    shelf.axis("off")
    for place, (name, line) in enumerate(zip(data.names, _LINES)):
        outline = np.array([(0, 0), (0, 1.35), (0.9, 1.35), (0.9, 0), (0, 0)]) + [place, 0]
        shelf.plot(*outline.T, color="#222222", linestyle=line, linewidth=2.0, zorder=FOREGROUND)
        shelf.text(place + 0.45, -0.09, name, ha="center", va="top", zorder=FOREGROUND)
    signs = [("class −", data.kinds[0]), ("class +", data.kinds[1]), ("objective", "refilled")]
    legend_below(figure.subfigs[0], *signs)
    table.set(xlim=(-0.95, k + 1), ylim=(3.05, -0.75), title="Joint p(x, y), and sums in the margins")
    table.axis("off")
    for place, name in enumerate((*data.names, "sum")):
        table.text(place + 0.5, -0.2, name, ha="center", zorder=FOREGROUND)
    for place, name in enumerate((*data.kinds, "sum")):
        table.text(-0.15, place + 0.5, name, ha="right", va="center", zorder=FOREGROUND)
    margins = [[(k, 0), (k + 1, 0), (k + 1, 3), (k, 3)], [(0, 2), (k, 2), (k, 3), (0, 3)]]
    table.add_collection(PolyCollection(margins, facecolor=FEASIBLE, alpha=0.45, linewidth=0, zorder=0), autolim=False)
    for place in range(4):
        strong = dict(color="#555555", linewidth=1.4) if place == 2 else dict(color="#cccccc", linewidth=0.8)
        table.plot([0, k + 1], [place, place], zorder=FOREGROUND, **strong)
    for place in range(k + 2):
        strong = dict(color="#555555", linewidth=1.4) if place == k else dict(color="#cccccc", linewidth=0.8)
        table.plot([place, place], [0, 3], zorder=FOREGROUND, **strong)


def _draw(figure, box, first, second, data):
    shelf, table = figure.axes
    counts = data.refilled(box, first, second)
    _draw_contents(shelf, counts)
    left = data.names.index(box)
    shelf.add_artist(Line2D([left + 0.05, left + 0.85], [-0.28, -0.28], color=ACCENT, linewidth=1.8))
    _draw_table(table, counts)


def _draw_contents(axes, counts):
    """Draw the things of every box, the first kind below the second."""
    places = [[], []]
    for box, column in enumerate(counts.T):
        for number in range(column.sum()):
            row, place = divmod(number, _COLUMNS)
            places[int(number >= column[0])].append((box + 0.12 + place * _STEP, 0.16 + row * 0.26))
    for points, (marker, color, size) in zip(places, _SHAPES):
        look = dict(linestyle="none", marker=marker, color=color, markersize=size, markeredgecolor="white")
        axes.add_artist(Line2D(*np.reshape(points, (-1, 2)).T, **look))


def _draw_table(axes, counts):
    """Draw every probability as a fraction over a bar; a bar as wide as its cell is 1."""
    total = counts.sum()
    with_sums = np.block([[counts, counts.sum(axis=1, keepdims=True)], [counts.sum(axis=0), total]])
    corners, texts, places = [], [], []
    for (row, column), number in np.ndenumerate(with_sums):
        left, bottom, top, right = column + 0.06, row + 0.9, row + 0.72, column + 0.06 + 0.88 * number / total
        corners.append([(left, bottom), (right, bottom), (right, top), (left, top)])
        texts.append(f"{number}/{total}" if number < total else "1")
        places.append((column + 0.5, row + 0.38))
    draw_labels(axes, places, texts, size=11)
    m, k = counts.shape
    inner = [column < k and row < m for row, column in np.ndindex(with_sums.shape)]
    colors = [ACCENT if inside else QUIET for inside in inner]
    axes.add_collection(PolyCollection(corners, facecolor=colors, linewidth=0, zorder=2), autolim=False)


def _describe(box, first, second, data):
    counts = data.refilled(box, first, second)
    kinds = ", ".join(f"p({name}) = {f}" for name, f in zip(data.kinds, _fractions(counts.sum(axis=1), counts.sum())))
    which = ", ".join(f"p({name}) = {f}" for name, f in zip(data.names, _fractions(counts.sum(axis=0), counts.sum())))
    conditionals = "; ".join(
        f"p(box | {kind}) {fractions_given(row, data.names)}" for kind, row in zip(data.kinds, counts)
    )
    return f"{counts.sum()} things in {len(data.names)} boxes. {kinds}; {which}.\n{conditionals}."


def fractions_given(counts, names):
    """Return the distribution that counts stand for in words: "= 1/5 (solid), 3/5 (dashed), 1/5 (dotted)"."""
    if not sum(counts):
        return "is not defined, as there is none"
    return "= " + ", ".join(f"{f} ({name})" for f, name in zip(_fractions(counts, sum(counts)), names))


def _fractions(counts, total):
    return [Fraction(int(number), int(total)) for number in counts]
