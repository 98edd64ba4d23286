"""Picture of chapter 16: a joint table as areas in a unit square, and what a condition leaves of it."""

from functools import partial

import numpy as np
from matplotlib.collections import PolyCollection
from matplotlib.patches import Rectangle

from mlcore.bayes import joint_table, three_boxes
from mlcore.explore import Explorable, choice
from mlcore.pictures.drawing.probability_bars import BEFORE, bar_axes, draw_bars
from mlcore.pictures.drawing.readout import probability
from mlcore.pictures.drawing.text_labels import draw_labels
from mlcore.pictures.drawing.visual_language import ACCENT, panel_axes

__all__ = ["unit_square"]

NOTHING = "nothing"
_COLORS = ("#E9A06F", "#7FB5DA", "#8CCFB5", "#E3B6CF", "#F0D58A")
_FADED = "#e4e4e4"
_LARGEST = 5  # rows or columns: more bars would not be readable
_SMALLEST_LABELLED = (0.09, 0.05)  # width and height of a part that has room for its number


def unit_square(counts=None, rows=None, columns=None):
    """Return a joint table as areas beside bars before and after a condition (ES Fig. 46, 47).

    A column is as wide as p(y), a part of it as high as p(x | y), so that its area is p(x, y).

    Parameters
    ----------
    counts : array_like or pandas.DataFrame of shape (r, c), optional
        Counts or probabilities, two to five rows and columns, none of which is all 0; ES p. 101 if left out.
    rows, columns : sequence of str, optional
        Names of the values of x and of y.

    Returns
    -------
    Explorable

    Raises
    ------
    ValueError
        Too few or too many rows or columns, a row or a column without a count, or a name used twice.
    """
    table = joint_table(*(three_boxes() if counts is None else (counts, rows, columns)))
    for axis, names, sums in (
        ("rows", table.rows, table.row_marginal),
        ("columns", table.columns, table.column_marginal),
    ):
        if not 2 <= len(names) <= _LARGEST:
            raise ValueError(f"{axis}: expected two to five, got {len(names)}")
        if sums.min() == 0:
            raise ValueError(f"{axis}: expected a count above 0 in each, got none in {names[int(sums.argmin())]}")
    names = (NOTHING, *table.rows, *table.columns)
    if len(set(names)) < len(names):
        raise ValueError(f"rows, columns: expected names that all differ, also from {NOTHING!r}, got {names[1:]}")
    return Explorable(
        title="Areas are joint probabilities; a condition keeps a part and stretches it to 1",
        controls=(choice("given", "what is known", names),),
        frame=partial(_frame, table=table),
        draw=partial(_draw, table=table),
        describe=partial(_describe, table=table),
        size=(8.6, 4.2),
        panels=2,
    )


def _parts(table):
    """Return left end, bottom, width and height of every part, each of shape (r, c); the first row is on top."""
    width = np.broadcast_to(table.column_marginal, table.probabilities.shape)
    height = table.probabilities / width
    left = np.broadcast_to(np.cumsum(table.column_marginal) - table.column_marginal, height.shape)
    return left, 1 - np.cumsum(height, axis=0), width, height


def _frame(figure, table):
    square, bars = panel_axes(figure)
    square.set(
        xlim=(-0.01, 1.01), ylim=(-0.01, 1.01), aspect="equal", title="Area = p(x, y)",
        ylabel="p(x | y) in each column",
    )  # fmt: skip
    centres = np.cumsum(table.column_marginal) - table.column_marginal / 2
    square.set_xticks(centres, table.columns)
    square.set_yticks([0, 0.5, 1], ["0", "0.5", "1"])
    square.tick_params(axis="x", length=0)
    narrow = table.column_marginal.min() < 0.16 and max(map(len, table.columns)) > 6
    square.tick_params(axis="x", labelrotation=25 if narrow else 0)
    handles = [Rectangle((0, 0), 1, 1, facecolor=color) for color in _COLORS[: len(table.rows)]]
    look = dict(loc="outside lower center", ncols=min(len(handles), 3))
    figure.subfigs[0].legend(handles, table.rows, **look)
    bar_axes(bars, (*table.rows, *table.columns), "Before (grey) and after (green)", _bar_places(table))


def _bar_places(table):
    r, c = table.probabilities.shape
    return np.concatenate([np.arange(r), r + 0.5 + np.arange(c)])


def _kept(given, table):
    """Return which parts agree with what is known."""
    kept = np.ones(table.probabilities.shape, dtype=bool)
    if given in table.rows:
        kept &= (np.array(table.rows) == given)[:, None]
    elif given in table.columns:
        kept &= np.array(table.columns) == given
    return kept


def _after(given, table):
    joint = np.where(_kept(given, table), table.probabilities, 0)
    joint = joint / joint.sum()
    return np.concatenate([joint.sum(axis=1), joint.sum(axis=0)])


def _draw(figure, given, table):
    square, bars = figure.axes
    kept, parts = _kept(given, table), _parts(table)
    corners, colors, centres, texts = [], [], [], []
    for (row, column), joint in np.ndenumerate(table.probabilities):
        left, bottom, width, height = (values[row, column] for values in parts)
        right, top = left + width, bottom + height
        corners.append([(left, bottom), (right, bottom), (right, top), (left, top)])
        colors.append(_COLORS[row] if kept[row, column] else _FADED)
        if width > _SMALLEST_LABELLED[0] and height > _SMALLEST_LABELLED[1] and kept[row, column]:
            centres.append((left + width / 2, bottom + height / 2))
            texts.append(probability(joint))
    look = dict(facecolor=colors, edgecolor="white", linewidth=1.5, zorder=1)
    square.add_collection(PolyCollection(corners, **look), autolim=False)
    draw_labels(square, centres, texts, size=9)
    places = _bar_places(table)
    before, after = _after(NOTHING, table), _after(given, table)
    if given == NOTHING:
        draw_bars(bars, before, places, color=BEFORE)
        return
    draw_bars(bars, before, places + 0.22, color=BEFORE, height=0.22, texts=[])
    draw_bars(bars, after, places - 0.08, color=ACCENT, height=0.36)


def _describe(given, table):
    if given == NOTHING:
        return (
            f"Nothing is known. The marginals: p(x) = {_spelled(table.rows, table.row_marginal)}; "
            f"p(y) = {_spelled(table.columns, table.column_marginal)}. All areas together are 1."
        )
    kept = table.probabilities[_kept(given, table)].sum()
    if given in table.rows:
        names, conditional = table.columns, table.given_row(given)
    else:
        names, conditional = table.rows, table.given_column(given)
    return (
        f"Known: {given}. What agrees with it has the area p({given}) = {probability(kept)}; divided by that, it is a "
        f"distribution: p( · | {given}) = {_spelled(names, conditional)}."
    )


def _spelled(names, values):
    return ", ".join(f"{probability(value)} ({name})" for name, value in zip(names, values))
