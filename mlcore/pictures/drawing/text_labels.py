"""Many short texts as one artist: a picture with thirty numbers still follows a slider."""

from functools import lru_cache

import numpy as np
from matplotlib.collections import PathCollection
from matplotlib.font_manager import FontProperties
from matplotlib.path import Path
from matplotlib.textpath import TextPath
from matplotlib.transforms import Affine2D

__all__ = ["draw_labels"]

_FAMILY = "DejaVu Sans"  # that of the book's style
_SHIFT = {"left": 0.0, "center": -0.5, "right": -1.0}
_HALF_DIGIT = 0.365  # of the font size


def draw_labels(axes, points, texts, size=9.5, ha="center", color="black", weight="normal", zorder=4):
    """Write short texts, their middle at the height of the points.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    points : array_like of shape (n, 2)
        Places in the coordinates of the axes.
    texts : sequence of str
        Without mathematical formulas.
    size : float
        Of the font, in points.
    ha : {"left", "center", "right"}
        Which end of the text stands at the point.
    color : color or sequence of color
    weight : {"normal", "bold"}
    zorder : float
    """
    shown = [(point, text) for point, text in zip(points, texts) if text]
    if not shown:
        return
    places, texts = zip(*shown)
    inches = Affine2D().scale(1 / 72) + axes.figure.dpi_scale_trans
    look = dict(facecolor=color, linewidth=0, zorder=zorder, transform=inches)
    outlines = [_outline(text, size, ha, weight) for text in texts]
    where = dict(offsets=np.array(places, dtype=float), offset_transform=axes.transData)
    axes.add_collection(PathCollection(outlines, **look, **where), autolim=False)


@lru_cache(maxsize=4096)
def _outline(text, size, ha, weight):
    """Return the outline of a text in points, with the end `ha` and half the height of a digit at (0, 0)."""
    raw = TextPath((0, 0), text, size=size, prop=FontProperties(family=_FAMILY, weight=weight))
    shift = np.array([_SHIFT[ha] * raw.vertices[:, 0].max(), -_HALF_DIGIT * size])
    return Path(raw.vertices + shift, raw.codes)
