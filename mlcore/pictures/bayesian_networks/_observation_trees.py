"""Pictures of chapter 20: how early expert systems went from observations to conclusions, and where it fails."""

from functools import lru_cache, partial

import numpy as np
from matplotlib.collections import LineCollection, PolyCollection

from mlcore.bayes import query
from mlcore.datasets import burglary_alarm
from mlcore.explore import Control, Explorable, choice
from mlcore.pictures.bayesian_networks._evidence_switches import three_digits
from mlcore.pictures.bayesian_networks._network_drawing import (
    EVIDENCE,
    draw_network,
    network_axes,
    network_layout,
    shade_nodes,
)
from mlcore.pictures.drawing.probability_bars import bar_axes, draw_bars
from mlcore.pictures.drawing.text_labels import draw_labels
from mlcore.pictures.drawing.visual_language import ACCENT, BOUNDARY, LEAVING, QUIET

__all__ = ["combined_roots", "tree_of_observations"]

_FINDINGS = {"unknown": None, "yes": "yes", "no": "no"}
_LEARNED = {"homes where the alarm sounded": True, "all homes": False}


def tree_of_observations():
    """Return a tree from two observations to a burglary, its conclusion beside the right one (ES p. 122, Fig. 65).

    The tree keeps one factor for every observation, by which it multiplies the odds of a burglary; an arrow leads
    from what is seen to what is concluded.

    Returns
    -------
    Explorable
    """
    tree = {"alarm": (), "earthquake": (), "burglary": ("alarm", "earthquake")}
    layout = network_layout(tree, size=(4.3, 3.3))
    return Explorable(
        title="One factor for each observation",
        controls=(
            choice("alarm", "alarm", _FINDINGS, start="yes"),
            choice("earthquake", "earthquake", _FINDINGS),
            choice("sounded", "factor of the earthquake learned from", _LEARNED),
        ),
        frame=partial(_tree_frame, layout=layout, tree=tree),
        draw=partial(_draw_tree, layout=layout),
        describe=_describe_tree,
        size=(8.6, 3.3),
        panels=2,
    )


def _burglary(evidence):
    """Return P(burglary | evidence)."""
    return query(burglary_alarm(), "burglary", evidence).factor.value(burglary="yes")


def _odds(p):
    return p / (1 - p)


def _by_tree(alarm, earthquake, sounded):
    """Return the tree's probability of a burglary: the odds, times one factor for each observation."""
    odds = _odds(_burglary({}))
    if alarm is not None:
        odds *= _odds(_burglary({"alarm": alarm})) / _odds(_burglary({}))
    if earthquake is not None:
        known = {"alarm": "yes"} if sounded else {}
        odds *= _odds(_burglary(known | {"earthquake": earthquake})) / _odds(_burglary(known))
    return odds / (1 + odds)


@lru_cache(maxsize=32)
def _conclusions(alarm, earthquake, sounded):
    seen = {name: value for name, value in (("alarm", alarm), ("earthquake", earthquake)) if value is not None}
    return _by_tree(alarm, earthquake, sounded), _burglary(seen)


def _tree_frame(figure, layout, tree):
    left, right = figure.subfigs
    draw_network(network_axes(left, layout, "From observations to a conclusion"), layout, tree, boxes=tree)
    bar_axes(right.subplots(), ["the tree", "by Bayes' rule"], "P(burglary | observations)")


def _draw_tree(figure, alarm, earthquake, sounded, layout):
    seen = [name for name, value in (("alarm", alarm), ("earthquake", earthquake)) if value is not None]
    shade_nodes(figure.axes[0], layout, dict.fromkeys(seen, EVIDENCE), boxes=seen)
    values = _conclusions(alarm, earthquake, sounded)
    draw_bars(figure.axes[1], values, color=[LEAVING, ACCENT], texts=[three_digits(value) for value in values])


def _describe_tree(alarm, earthquake, sounded):
    tree, truth = _conclusions(alarm, earthquake, sounded)
    seen = [f"{name} = {value}" for name, value in (("alarm", alarm), ("earthquake", earthquake)) if value]
    where = f"Observed: {', '.join(seen)}. " if seen else "Nothing observed. "
    right = np.isclose(tree, truth, rtol=5e-3)
    ratio = max(tree, truth) / min(tree, truth)
    verdict = "They agree." if right else f"The tree is too {'high' if tree > truth else 'low'}, {ratio:.3g} times."
    return f"{where}The tree says {three_digits(tree)}, Bayes' rule {three_digits(truth)}. {verdict}"


_MOST = 6


def combined_roots():
    """Return a tree with a root for every combination of observations, beside a network (ES p. 123, Fig. 66).

    Returns
    -------
    Explorable
    """
    counts = tuple(range(1, _MOST + 1))
    return Explorable(
        title="A root for every combination, or an arrow for every symptom",
        controls=(Control("count", "observations", "slider", counts, counts, 2, str),),
        frame=_roots_frame,
        draw=_draw_roots,
        describe=_describe_roots,
        size=(8.6, 3.3),
        panels=2,
    )


def _roots_frame(figure):
    for panel, title in zip(figure.subfigs, ("Every combination", "One cause, its effects")):
        axes = panel.subplots()
        axes.set(xlim=(0, 1), ylim=(-0.03, 1.16), title=title)
        axes.axis("off")


def _draw_roots(figure, count):
    tree, network = figure.axes
    _draw_fan(tree, [(x, 0.86) for x in _spread(2**count)], (0.5, 0.08), down=True)
    _draw_fan(network, [(x, 0.08) for x in _spread(count)], (0.5, 0.86), down=False)
    if count <= 2:
        signs = ["{}", "¬{}"]
        for number, x in enumerate(_spread(2**count)):
            bits = f"{number:0{count}b}"
            texts = [signs[int(bit)].format(name) for bit, name in zip(bits, "AE")]
            draw_labels(tree, [(x, 0.98 + 0.07 * (count - 1 - row)) for row in range(count)], texts)


def _spread(count):
    return (np.arange(count) + 0.5) / count


def _draw_fan(axes, many, one, down):
    lines = [(point, one) if down else (one, point) for point in many]
    axes.add_collection(LineCollection(lines, colors=QUIET, linewidths=0.9), autolim=False)
    half = min(0.05, 0.35 / len(many))
    corners = np.array([[-1, -0.06], [1, -0.06], [1, 0.06], [-1, 0.06]]) * [half, 1]
    boxes = [corners + point for point in many]
    seen = PolyCollection(boxes, facecolors=EVIDENCE, edgecolors=BOUNDARY, linewidths=0.8, zorder=3)
    axes.add_collection(seen, autolim=False)
    turn = np.linspace(0, 2 * np.pi, 49)
    ellipse = np.column_stack([0.06 * np.cos(turn), 0.09 * np.sin(turn)]) + one
    node = PolyCollection([ellipse], facecolors="white", edgecolors=BOUNDARY, linewidths=1.3, zorder=3)
    axes.add_collection(node, autolim=False)
    draw_labels(axes, [one], ["B"])


def _describe_roots(count):
    doubled = " One observation more doubles the roots." if count < _MOST else ""
    return (
        f"{count} observation{'s' if count > 1 else ''}: the tree has {2**count} roots and stores {2**count} numbers. "
        f"The network has {count + 1} nodes and stores {2 * count + 1} numbers: the prior of B, and two for each "
        f"symptom.{doubled}"
    )
