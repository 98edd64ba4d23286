"""Probabilities as bars that carry their numbers, the same way in every picture."""

import numpy as np
from matplotlib.collections import PolyCollection

from mlcore.pictures.drawing.readout import probability
from mlcore.pictures.drawing.text_labels import draw_labels
from mlcore.pictures.drawing.visual_language import ACCENT

__all__ = ["BEFORE", "bar_axes", "draw_bars"]

BEFORE = "#c9c9c9"
_ROOM = 1.24  # beyond a bar of length 1, for its number


def bar_axes(axes, names, title="", places=None, xlabel="probability"):
    """Make `axes` ready for horizontal bars from 0 to 1, the first one on top.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    names : sequence of str
        A name for every bar.
    title : str
    places : sequence of float, optional
        Heights of the bars, downwards; 0, 1, 2, … if left out.
    xlabel : str
    """
    places = np.arange(len(names)) if places is None else np.asarray(places)
    axes.set(xlim=(0, _ROOM), ylim=(places[-1] + 0.6, places[0] - 0.6), xlabel=xlabel, title=title)
    axes.set_yticks(places, names)
    axes.tick_params(axis="y", length=0)
    axes.set_xticks([0, 0.5, 1], ["0", "0.5", "1"])


def draw_bars(axes, values, places=None, color=ACCENT, height=0.62, texts=None, lengths=None):
    """Draw horizontal bars with their numbers behind them.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        From `bar_axes`.
    values : sequence of float
        Probabilities; None stands for one that is not defined.
    places : sequence of float, optional
        Heights of the bars; 0, 1, 2, … if left out.
    color : color or sequence of color
    height : float
    texts : sequence of str, optional
        What stands behind the bars; the probabilities if left out. An empty list writes nothing.
    lengths : sequence of float, optional
        Lengths of the bars where they are not the values.
    """
    places = range(len(values)) if places is None else places
    lengths = [value or 0.0 for value in values] if lengths is None else lengths
    low, high = -height / 2, height / 2
    corners = [[(0, y + low), (w, y + low), (w, y + high), (0, y + high)] for y, w in zip(places, lengths)]
    axes.add_collection(PolyCollection(corners, facecolor=color, linewidth=0, zorder=2), autolim=False)
    texts = [probability(value) for value in values] if texts is None else texts
    points = [(length + 0.02, y) for y, length in zip(places, lengths)]
    draw_labels(axes, points, texts, ha="left")
