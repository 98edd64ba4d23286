"""The simplex tableau drawn as a table, with the coming pivot marked, and what it says in words."""

from fractions import Fraction
from typing import NamedTuple

import numpy as np
from matplotlib.patches import Rectangle

from mlcore.explore import FOREGROUND
from mlcore.pictures.drawing.readout import minus, subscript
from mlcore.pictures.drawing.visual_language import ACCENT, ENTERING, LEAVING, QUIET

__all__ = ["TableauLayout", "draw_tableau", "entry", "tableau_axes", "tableau_layout", "tell_step"]

_NAMES, _RATIO, _OBJECTIVE = "", "ratio", "max"
_LARGEST_FONT, _POINTS_WIDE, _DIGIT = 9.5, 4.2 * 72, 0.64  # points, width of a panel in points, width of a digit in em
_GAP = 1.1  # digits between two columns
_ACCURACY, _LARGEST_DENOMINATOR = 1e-9, 200
_FEWEST_ROWS = 4  # room for as many: a smaller table does not get taller rows


class TableauLayout(NamedTuple):
    """Where the columns of a table stand, so that they keep their places from one tableau to the next.

    Attributes
    ----------
    right : dict of str to float
        Right end of the column of every name in fractions of the width; "" holds the basis, "ratio" the ratio test.
    rows : int
        Equations of the tallest tableau.
    font_size : float
        In points.
    fixed : bool
        Whether all tableaux have the same columns and the same number of rows, so that names are drawn only once.
    """

    right: dict
    rows: int
    font_size: float
    fixed: bool


def tableau_layout(steps):
    """Return the layout that fits every tableau of `steps`.

    Parameters
    ----------
    steps : sequence of mlcore.optimize.SimplexStep
        Recorded steps of one problem, by one rule or by several.

    Returns
    -------
    TableauLayout
    """
    columns = max((step.column_names for step in steps), key=len)
    width = {name: _width(subscript(name)) for name in (_NAMES, *columns)} | {_RATIO: _width(_RATIO)}
    width[_NAMES] = max(_width(text) for text in (_OBJECTIVE, *(subscript(name) for s in steps for name in s.basis)))
    for step in steps:
        for name, column in zip(step.column_names, _texts(step).T):
            width[name] = max(width[name], *map(_width, column))
        width[_RATIO] = max([width[_RATIO], *map(_width, _ratio_texts(step))])
    even = width | dict.fromkeys(columns[:-1], max(width[name] for name in columns[:-1]))
    if _fits(even):
        width = even
    ends = np.cumsum([size + _GAP for size in width.values()])
    font_size = min(_LARGEST_FONT, _POINTS_WIDE / (_DIGIT * ends[-1]))
    shapes = {(step.column_names, len(step.basis)) for step in steps}
    right = dict(zip(width, (ends / ends[-1]).tolist()))
    return TableauLayout(right, max(rows for _, rows in shapes), font_size, len(shapes) == 1)


def _width(text):
    """Return the width of a text in digits of the bold font, about."""
    return len(text) + 0.25 * text.count("−") - 0.45 * sum(text.count(narrow) for narrow in "./")


def _fits(width):
    return sum(size + _GAP for size in width.values()) * _DIGIT * _LARGEST_FONT <= _POINTS_WIDE


def tableau_axes(axes, layouts):
    """Make `axes` ready for tables of any of the `layouts`; the names of a single, fixed one are drawn at once."""
    rows = max(max(layout.rows for layout in layouts), _FEWEST_ROWS)
    axes.set(xlim=(0, 1), ylim=(rows + 1.5, -1.5))
    axes.axis("off")
    if len(layouts) == 1 and layouts[0].fixed:
        _draw_header(_Pen(axes, layouts[0]), layouts[0].right, layouts[0].rows)


def draw_tableau(axes, layout, step, header=False):
    """Draw one tableau with its pivot marked.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        From `tableau_axes`.
    layout : TableauLayout
    step : mlcore.optimize.SimplexStep
    header : bool
        Whether to draw names and rules too: needed where `tableau_axes` was given several layouts. They are always
        drawn where the layout is not fixed.
    """
    pen, m = _Pen(axes, layout), len(step.basis)
    if header or not layout.fixed:
        _draw_header(pen, [_NAMES, *step.column_names, _RATIO], m)
    row = None if step.leaving is None else step.basis.index(step.leaving)
    _draw_bands(pen, step, row)
    for i, name in enumerate(step.basis):
        pen.write(_NAMES, i, subscript(name), weight="bold", **_name_colour(name))
    zeros = []
    for name, texts in zip(step.column_names, _texts(step).T):
        for i, text in enumerate(texts):
            better = i == m and name != "b" and text[0] not in "0−"
            if text == "0" and name != "b":
                zeros.append((pen.right(name) - pen.digit / 2, i + 0.5))
            elif better or (name == step.entering and i == row):
                pen.write(name, i, text, weight="bold", **({"color": ACCENT} if better else {}))
            else:
                pen.write(name, i, text)
    axes.plot(*np.reshape(zeros, (-1, 2)).T, "s", color=QUIET, markersize=2, markeredgewidth=0)
    smallest = _smallest_ratios(step)
    for i, text in enumerate(_ratio_texts(step)):
        pen.write(_RATIO, i, text, weight="bold" if smallest[i] else "normal")


class _Pen(NamedTuple):
    """Writes and paints in the cells of a table; row −1 holds the names."""

    axes: object
    layout: TableauLayout

    @property
    def digit(self):
        return _DIGIT * self.layout.font_size / _POINTS_WIDE

    def right(self, name):
        return self.layout.right[name] - 0.5 * _GAP * self.digit

    def edges(self, name):
        names = list(self.layout.right)
        place = names.index(name)
        return (self.layout.right[names[place - 1]] if place else 0.0), self.layout.right[name]

    def write(self, name, row, text, **style):
        self.axes.text(
            self.right(name), row + 0.5, text, ha="right", va="center_baseline", fontsize=self.layout.font_size, **style
        )

    def box(self, left, right, top, bottom, **style):
        self.axes.add_patch(Rectangle((left, top), right - left, bottom - top, **style))

    def rule(self, x, y, **style):
        self.axes.plot(x, y, zorder=FOREGROUND, solid_capstyle="butt", **style)


def _draw_header(pen, names, rows):
    for name in names:
        text = name if name in (_NAMES, _RATIO) else subscript(name)
        pen.write(name, -1, text, weight="bold", zorder=FOREGROUND, **_name_colour(name))
    pen.write(_NAMES, rows, _OBJECTIVE, weight="bold", zorder=FOREGROUND)
    last = pen.layout.right[_RATIO]
    for y in (0, rows):
        pen.rule([0, last], [y, y], color="#555555", linewidth=0.9)
    for x in (pen.layout.right[_NAMES], pen.edges("b")[0], pen.layout.right["b"]):
        pen.rule([x, x], [-1, rows + 1], color="#bbbbbb", linewidth=0.8)


def _draw_bands(pen, step, row):
    m = len(step.basis)
    if step.entering is not None:
        pen.box(*pen.edges(step.entering), -1, m + 1, color=ENTERING, linewidth=0, zorder=0.5)
    if row is not None:
        pen.box(0, pen.layout.right[_RATIO], row, row + 1, color=LEAVING, alpha=0.3, linewidth=0, zorder=0.6)
        pen.box(*pen.edges(step.entering), row, row + 1, facecolor="none", edgecolor="black", linewidth=2, zorder=3)


def _name_colour(name):
    return {"color": "#9c4f80"} if name.startswith("z") else {}


def _texts(step):
    """Return the tableau as texts, with rounding errors shown as 0."""
    size = np.abs(step.tableau).max(axis=1, initial=1e-300, keepdims=True)
    clean = np.where(np.abs(step.tableau) > 1e-11 * size, step.tableau, 0.0)
    return np.array([[entry(value) for value in row] for row in clean])


def _ratio_texts(step):
    return ["" if np.isnan(ratio) else entry(ratio) for ratio in step.ratios]


def _smallest_ratios(step):
    with np.errstate(invalid="ignore"):
        return np.isclose(step.ratios, np.min(step.ratios, initial=np.inf, where=~np.isnan(step.ratios)), atol=1e-12)


def entry(value):
    """Return a number as it stands in a table: two decimals or a fraction if that is exact, else three digits.

    Examples
    --------
    >>> [entry(value) for value in (-450, 37500, 48.25, 1 / 3, -3 / 64, 2**0.5, 1e-17)]
    ['−450', '37500', '48.25', '1/3', '−3/64', '1.41', '0']
    """
    value = float(value)
    accuracy = _ACCURACY * max(1.0, abs(value))
    if abs(value - round(value, 2)) <= accuracy and abs(value) < 1e6:
        return minus(f"{round(value, 2) + 0.0:.10g}")
    fraction = Fraction(value).limit_denominator(_LARGEST_DENOMINATOR)
    if abs(value - fraction) <= accuracy and abs(value) < 1000:
        return minus(str(fraction))
    return minus(f"{value:.3g}" if abs(value) < 1000 or abs(value) >= 1e6 else f"{value:.0f}")


def tell_step(step, maximize=True):
    """Return what the coming pivot does, or why there is none, in one or two short sentences.

    Parameters
    ----------
    step : mlcore.optimize.SimplexStep
    maximize : bool
        The sense of the problem: in phase 2 of a minimisation the value falls where the tableau's objective grows.

    Returns
    -------
    str
    """
    if step.entering is None:
        if step.phase == 1 and step.tableau[-1, -1] < -1e-9:
            return f"Nothing improves, but the artificial variables still sum to {entry(-step.tableau[-1, -1])}."
        return "No coefficient in the last row is positive: the end" + (" of phase 1." if step.phase == 1 else ".")
    entering = subscript(step.entering)
    price = step.tableau[-1, step.column_names.index(step.entering)]
    if step.leaving is None:
        return f"{entering} enters (+{entry(price)} a unit), and no equation stops it: unbounded."
    leaving = subscript(step.leaving)
    if np.isnan(step.ratios).all():
        return f"{leaving} is 0 and must go: {entering} takes its place."
    ratio = np.nanmin(step.ratios)
    what, verb = ("sum of the z", "falls") if step.phase == 1 else ("value", "grows" if maximize else "falls")
    ties = " (a tie)" if _smallest_ratios(step).sum() > 1 else ""
    gain = f"The {what} {verb} by {entry(price)} × {entry(ratio)} = {entry(price * ratio)}."
    still = "Its ratio is 0: the point stays where it is."
    return f"{entering} enters (+{entry(price)} a unit), {leaving} leaves{ties}. {gain if ratio > 1e-12 else still}"
