"""Curves where a function on a grid has a value, and regions where it lies between two.

`Axes.contour` makes a colour map and a norm for every call; curves and regions of one colour need neither, and
a picture that follows a slider has no time for them. What contourpy finds is drawn as it is.
"""

import numpy as np
from contourpy import FillType, LineType, contour_generator
from matplotlib.patches import PathPatch
from matplotlib.path import Path

__all__ = ["LevelSets"]


class LevelSets:
    """A function on a grid, ready to be drawn by its level sets.

    Parameters
    ----------
    x1, x2 : numpy.ndarray of shape (rows, columns)
        A grid, as `numpy.meshgrid` gives it.
    values : numpy.ndarray of shape (rows, columns)
        Of the function.
    """

    def __init__(self, x1, x2, values):
        self._generator = contour_generator(
            x1, x2, values, line_type=LineType.SeparateCode, fill_type=FillType.OuterCode
        )

    def draw_lines(self, axes, *levels, color, linewidth, linestyle="-", zorder=2):
        """Draw the curves at `levels`; one that the function does not reach is left out."""
        pieces, codes = zip(*(self._generator.lines(level) for level in levels))
        style = dict(fill=False, edgecolor=color, linewidth=linewidth, linestyle=linestyle, capstyle="butt")
        _add(axes, sum(pieces, []), sum(codes, []), zorder=zorder, **style)

    def draw_region(self, axes, low, high, color, zorder=0.5, **style):
        """Fill where the function lies between `low` and `high`; −∞ and ∞ leave a side open."""
        _add(axes, *self._generator.filled(low, high), zorder=zorder, facecolor=color, linewidth=0, **style)


def _add(axes, pieces, codes, **style):
    if pieces:
        axes.add_artist(PathPatch(Path(np.concatenate(pieces), np.concatenate(codes)), **style))
