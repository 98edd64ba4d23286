"""Networks drawn: a node is a labelled ellipse or box, an arrow leads from cause to effect, evidence is shaded."""

from dataclasses import dataclass
from functools import partial
from textwrap import fill

import numpy as np
from matplotlib.collections import LineCollection, PolyCollection

from mlcore.explore import FOREGROUND, Picture
from mlcore.pictures.drawing.text_labels import draw_labels
from mlcore.pictures.drawing.visual_language import BOUNDARY

__all__ = [
    "EVIDENCE",
    "NetworkLayout",
    "draw_arrows",
    "draw_lines",
    "draw_network",
    "layered_positions",
    "network_axes",
    "network_layout",
    "network_picture",
    "parents_of",
    "shade_nodes",
]

EVIDENCE = "#cfe3f1"
_LETTER, _LINE = 0.081, 0.165  # inches that a letter is wide and a line of text is high
_LONGEST_LINE = 12  # letters
_ROOM = 0.12  # inches between the outermost nodes and the edge of the panel
_TITLE = 0.3  # inches kept free above
_HEAD = (0.13, 0.052)  # length and half the width of an arrowhead in inches
_CIRCLE = np.column_stack([np.cos(np.linspace(0, 2 * np.pi, 49)), np.sin(np.linspace(0, 2 * np.pi, 49))])
_SQUARE = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])


@dataclass(frozen=True)
class NetworkLayout:
    """Where the nodes of a network stand and how large they are, in inches from the lower left corner.

    Attributes
    ----------
    centres : dict of str to (float, float)
    radii : dict of str to (float, float)
        Half the width and half the height of every node.
    labels : dict of str to str
        What is written in a node.
    size : (float, float)
        Width and height of the panel.
    """

    centres: dict
    radii: dict
    labels: dict
    size: tuple


def parents_of(net):
    """Return the parents of every node, as a dict of str to tuple, in the network's own order."""
    return {name: tuple(net.parents(name)) for name in net.names}


def layered_positions(parents):
    """Return a place for every node, so that all arrows point down.

    A node stands one layer below its lowest parent, and within its layer near the middle of its parents.

    Parameters
    ----------
    parents : dict of str to iterable of str
        Without a cycle.

    Returns
    -------
    dict of str to (float, float)
        Column and height; layers are 1 apart.

    Raises
    ------
    ValueError
        When the arrows run in a circle or a parent is no node.

    Examples
    --------
    >>> layered_positions({"rain": [], "sprinkler": [], "wet": ["rain", "sprinkler"]})
    {'rain': (-0.5, 0.0), 'sprinkler': (0.5, 0.0), 'wet': (0.0, -1.0)}
    """
    layer = {}
    while len(layer) < len(parents):
        ready = [name for name in parents if name not in layer and all(parent in layer for parent in parents[name])]
        if not ready:
            raise ValueError(f"parents: expected no cycle and only known nodes, got {dict(parents)!r}")
        for name in ready:
            layer[name] = max((layer[parent] + 1 for parent in parents[name]), default=0)
    column = {}
    for depth in range(max(layer.values(), default=-1) + 1):
        members = [name for name in parents if layer[name] == depth]
        wish = {name: np.mean([column[parent] for parent in parents[name]]) for name in members if parents[name]}
        members.sort(key=lambda name: wish.get(name, 0.0))
        for place, name in enumerate(members):
            column[name] = place - (len(members) - 1) / 2
    return {name: (float(column[name]), 0.0 - layer[name]) for name in parents}


def network_layout(parents, positions=None, labels=None, size=(4.3, 3.9), below=0.0, room=_ROOM):
    """Return the layout of a network in a panel.

    Parameters
    ----------
    parents : dict of str to iterable of str
    positions : dict of str to (float, float), optional
        Any coordinates, x to the right and y up; they are stretched to fill the panel. By default
        `layered_positions`.
    labels : dict of str to str, optional
        Texts other than the names.
    size : (float, float)
        Width and height of the panel in inches.
    below : float
        Inches kept free below, for a legend.
    room : float
        Inches kept free around.

    Returns
    -------
    NetworkLayout

    Raises
    ------
    ValueError
        When a node has no position.
    """
    positions = layered_positions(parents) if positions is None else positions
    missing = [name for name in parents if name not in positions]
    if missing:
        raise ValueError(f"positions: expected one for every node, got none for {', '.join(missing)}")
    texts = {name: fill(name.replace("_", " "), _LONGEST_LINE) for name in parents} | dict(labels or {})
    radii = {name: _radii(texts[name]) for name in parents}
    place = np.array([positions[name] for name in parents], dtype=float)
    low, high = place.min(axis=0), place.max(axis=0)
    middle, span = (low + high) / 2, np.where(high > low, high - low, 1.0)
    box = np.array([size[0], size[1] - _TITLE - below])
    free = box - 2 * (np.max(list(radii.values()), axis=0) + room)
    shift = box / 2 + [0, below]
    centres = (place - middle) / span * np.maximum(free, 0.1) + shift
    return NetworkLayout(dict(zip(parents, map(tuple, centres.tolist()))), radii, texts, tuple(size))


def _radii(text):
    lines = text.split("\n")
    return max(0.3, 0.6 * _LETTER * max(map(len, lines)) + 0.08), 0.1 + 0.72 * _LINE * len(lines)


def network_axes(panel, layout, title=""):
    """Return new axes that fill a panel (a figure or a subfigure) and measure in inches."""
    axes = panel.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, layout.size[0]), ylim=(0, layout.size[1]))
    axes.axis("off")
    if title:
        place = dict(ha="left", va="top", fontsize=10.5, weight="bold", zorder=FOREGROUND)
        axes.text(_ROOM, layout.size[1] - 0.08, title, **place)
    return axes


def draw_network(axes, layout, parents, boxes=(), arrows=True):
    """Draw nodes, labels and arrows of a network.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        From `network_axes`.
    layout : NetworkLayout
    parents : dict of str to iterable of str
    boxes : iterable of str
        Nodes drawn as boxes instead of ellipses.
    arrows : bool
        Whether to draw the arrows too.
    """
    boxes = tuple(boxes)
    shapes = [_outline(layout, name, boxes) for name in layout.centres]
    look = dict(facecolors="none", edgecolors=BOUNDARY, linewidths=1.3, zorder=FOREGROUND)
    axes.add_collection(PolyCollection(shapes, **look), autolim=False)
    lines, places = [], []
    for name, (x, y) in layout.centres.items():
        own = layout.labels[name].split("\n")
        lines += own
        places += [(x, y + _LINE * ((len(own) - 1) / 2 - row)) for row in range(len(own))]
    draw_labels(axes, places, lines, zorder=FOREGROUND + 1)
    if arrows:
        draw_arrows(axes, layout, [(parent, name) for name in parents for parent in parents[name]], boxes=boxes)


def _outline(layout, name, boxes):
    """Return corners around a node, as close together as it takes to look round."""
    shape = _SQUARE if name in boxes else _CIRCLE
    return np.array(layout.centres[name]) + shape * layout.radii[name]


def draw_arrows(axes, layout, edges, color=BOUNDARY, linewidth=1.4, boxes=(), zorder=1.5):
    """Draw arrows between nodes, as two artists; one that would run through a third node is bent around it.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    layout : NetworkLayout
    edges : iterable of (str, str)
        From, to.
    color : color
    linewidth : float
    boxes : iterable of str
        Nodes drawn as boxes.
    zorder : float
    """
    curves = [_curve(layout, start, end, boxes) for start, end in edges]
    heads = [_head(curve) for curve in curves]
    axes.add_collection(LineCollection(curves, colors=color, linewidths=linewidth, zorder=zorder), autolim=False)
    axes.add_collection(PolyCollection(heads, facecolors=color, linewidths=0, zorder=zorder), autolim=False)


def _curve(layout, start, end, boxes):
    """Return points from the outline of one node to that of another."""
    a, b = np.array(layout.centres[start]), np.array(layout.centres[end])
    across = np.array([b[1] - a[1], a[0] - b[0]])
    middle = (a + b) / 2 + 0.35 * _side_of_obstacle(layout, start, end) * across
    t = np.linspace(0, 1, 401)[:, None]
    points = (1 - t) ** 2 * a + 2 * t * (1 - t) * middle + t**2 * b
    free = np.full(len(points), True)
    for name, centre in ((start, a), (end, b)):
        reach = np.abs(points - centre) / layout.radii[name]
        free &= (reach.max(axis=1) if name in boxes else np.hypot(*reach.T)) >= 1
    outside = points[free]
    return points[[0, -1]] if len(outside) < 2 else outside[[0, -1]] if np.allclose(middle, (a + b) / 2) else outside


def _head(curve):
    """Return the corners of the arrowhead at the end of a curve."""
    tip = curve[-1]
    back = curve[np.argmin(np.abs(np.hypot(*(curve - tip).T) - _HEAD[0]))] if len(curve) > 2 else curve[0]
    along = (tip - back) / max(np.hypot(*(tip - back)), 1e-9)
    base, across = tip - _HEAD[0] * along, _HEAD[1] * np.array([-along[1], along[0]])
    return [tip, base + across, base - across]


def _side_of_obstacle(layout, start, end):
    """Return 0 if the straight line between two nodes is free, else the side to which it should bend."""
    a, b = np.array(layout.centres[start]), np.array(layout.centres[end])
    along = (b - a) / max(np.linalg.norm(b - a), 1e-9)
    for name, centre in layout.centres.items():
        if name in (start, end):
            continue
        reach = (np.array(centre) - a) @ along
        off = np.array(centre) - a - reach * along
        if 0 < reach < np.linalg.norm(b - a) and np.linalg.norm(off / np.array(layout.radii[name])) < 1.05:
            cross = along[0] * off[1] - along[1] * off[0]
            return 1 if cross >= 0 else -1
    return 0


def draw_lines(axes, layout, edges, color=BOUNDARY, linewidth=1.4, linestyle="-", zorder=1.5):
    """Draw undirected lines between the centres of nodes, as one artist; `edges` holds pairs of names."""
    ends = [(layout.centres[first], layout.centres[second]) for first, second in edges]
    axes.add_collection(LineCollection(ends, colors=color, linewidths=linewidth, linestyles=linestyle, zorder=zorder))


def shade_nodes(axes, layout, colours, boxes=(), zorder=3):
    """Fill nodes with colours, as one artist.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    layout : NetworkLayout
    colours : dict of str to color
    boxes : iterable of str
        Nodes that `draw_network` drew as boxes.
    zorder : float
    """
    shapes = [_outline(layout, name, boxes) for name in colours]
    axes.add_collection(PolyCollection(shapes, facecolors=list(colours.values()), linewidths=0, zorder=zorder))


def network_picture(parents, positions=None, labels=None, title="A network", colours=None, size=(4.3, 3.2), tell=""):
    """Return the picture of a directed graph.

    Parameters
    ----------
    parents : dict of str to iterable of str, or mlcore.bayes.BayesNet
    positions, labels : dict, optional
        As for `network_layout`.
    title : str
    colours : dict of str to color, optional
        Fill of some nodes.
    size : (float, float)
    tell : str
        What to add to the readout, which lists the arrows.

    Returns
    -------
    Explorable
    """
    parents = parents_of(parents) if hasattr(parents, "names") else {name: tuple(p) for name, p in parents.items()}
    layout = network_layout(parents, positions, labels, size)
    draw = partial(_draw_picture, layout=layout, parents=parents, colours=dict(colours or {}))
    return Picture(title, draw, partial(_describe_picture, parents, tell), size=size)


def _draw_picture(figure, layout, parents, colours):
    axes = network_axes(figure, layout)
    shade_nodes(axes, layout, dict.fromkeys(parents, "white") | colours)
    draw_network(axes, layout, parents)


def _describe_picture(parents, tell):
    arrows = [f"{parent} → {name}" for name in parents for parent in parents[name]]
    return f"{len(parents)} nodes, {len(arrows)} arrows: {', '.join(arrows)}. {tell}".rstrip()
