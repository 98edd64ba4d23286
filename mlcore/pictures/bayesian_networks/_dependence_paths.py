"""Pictures of chapter 20: through which nodes news travels, and where it is stopped (d-separation)."""

from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from mlcore.bayes import BayesNet, active_path, d_separated, query
from mlcore.datasets import six_nodes
from mlcore.explore import Explorable, choice, toggle
from mlcore.pictures.bayesian_networks._evidence_switches import tidy_name
from mlcore.pictures.bayesian_networks._network_drawing import (
    EVIDENCE,
    draw_lines,
    draw_network,
    network_axes,
    network_layout,
    parents_of,
    shade_nodes,
)
from mlcore.pictures.drawing.probability_bars import bar_axes, draw_bars
from mlcore.pictures.drawing.readout import probability
from mlcore.pictures.drawing.visual_language import ACCENT, LEAVING, POSITIVE, QUIET

__all__ = ["open_paths", "three_connections", "three_networks"]

_ENDS = "#f8e2b3"
_TABLE_FOR_TWO = [[0.95, 0.6], [0.5, 0.05]]


def three_networks():
    """Return the three ways in which a middle node can connect two others, each with a consequence of the middle.

    Returns
    -------
    dict of str to mlcore.bayes.BayesNet
        Nodes A, M, B and D, a child of M, with the states "yes" and "no"; the keys are chain, fork and collider.
    """
    after = {"D": [0.9, 0.1]}
    return {
        "chain": BayesNet.from_tables(
            {"A": 0.4, "M": [0.9, 0.2], "B": [0.8, 0.3]} | after, {"M": ["A"], "B": ["M"], "D": ["M"]}
        ),
        "fork": BayesNet.from_tables(
            {"A": [0.9, 0.2], "M": 0.4, "B": [0.8, 0.3]} | after, {"A": ["M"], "B": ["M"], "D": ["M"]}
        ),
        "collider": BayesNet.from_tables(
            {"A": 0.4, "M": _TABLE_FOR_TWO, "B": 0.3} | after, {"M": ["A", "B"], "D": ["M"]}
        ),
    }


_CONNECTIONS = {"chain A → M → B": "chain", "fork A ← M → B": "fork", "collider A → M ← B": "collider"}
_HEIGHTS = {
    "chain": {"A": (0, 1.6), "M": (1, 1), "B": (2, 0.4), "D": (1, 0)},
    "fork": {"A": (0, 0.6), "M": (1, 1.6), "B": (2, 0.6), "D": (1, 0)},
    "collider": {"A": (0, 1.6), "M": (1, 0.8), "B": (2, 1.6), "D": (1, 0)},
}


def three_connections():
    """Return chain, fork and collider, with switches that observe the middle or its consequence (ES p. 127–131).

    Returns
    -------
    Explorable
    """
    nets = three_networks()
    layouts = {name: network_layout(parents_of(net), _HEIGHTS[name], below=0.45) for name, net in nets.items()}
    return Explorable(
        title="Does news of A reach B?",
        controls=(
            choice("connection", "connection", _CONNECTIONS),
            toggle("middle", "M observed"),
            toggle("after", "D observed"),
        ),
        frame=partial(_connections_frame, layouts=layouts),
        draw=partial(_draw_connections, nets=nets, layouts=layouts),
        describe=partial(_describe_connections, nets=nets),
        size=(8.6, 3.7),
        panels=2,
    )


def _connections_frame(figure, layouts):
    left, right = figure.subfigs
    network_axes(left, layouts["chain"], "Open or closed?")
    _legend(left)
    bar_axes(right.subplots(), ["nothing of A", "A = yes", "A = no"], "P(B = yes), knowing …")


def _legend(panel):
    handles = [
        Patch(facecolor=EVIDENCE, edgecolor="#999999", label="observed"),
        Line2D([], [], color=ACCENT, linewidth=5, alpha=0.6, label="open path"),
    ]
    panel.legend(handles=handles, loc="outside lower center", ncols=2)


def _observed(middle, after):
    return {name: "yes" for name, seen in (("M", middle), ("D", after)) if seen}


def _draw_connections(figure, connection, middle, after, nets, layouts):
    axes, bars = figure.axes
    net, layout, known = nets[connection], layouts[connection], _observed(middle, after)
    _draw_path(axes, layout, active_path(net, "A", "B", known))
    colours = dict.fromkeys(net.names, "white") | {"A": _ENDS, "B": _ENDS} | dict.fromkeys(known, EVIDENCE)
    shade_nodes(axes, layout, colours)
    draw_network(axes, layout, parents_of(net))
    draw_bars(bars, _answers(connection, tuple(known)), color=[QUIET, POSITIVE, LEAVING])


def _draw_path(axes, layout, path):
    if path is not None:
        draw_lines(axes, layout, list(zip(path, path[1:])), color="#8fd3bd", linewidth=9, zorder=1)


@lru_cache(maxsize=16)
def _answers(connection, known):
    """Return P(B = yes) given what is observed to be "yes": without A, with A = yes and with A = no."""
    net, seen = three_networks()[connection], dict.fromkeys(known, "yes")
    news = ({}, {"A": "yes"}, {"A": "no"})
    return tuple(query(net, "B", seen | one).factor.value(B="yes") for one in news)


def _describe_connections(connection, middle, after, nets):
    net, known = nets[connection], _observed(middle, after)
    _, yes, no = _answers(connection, tuple(known))
    given = f", {', '.join(f'{name} = yes' for name in known)}" if known else ""
    numbers = f"P(B = yes | A = yes{given}) = {probability(yes)}, P(B = yes | A = no{given}) = {probability(no)}"
    once = "once that is known, " if known else ""
    if d_separated(net, "A", "B", known):
        return f"Closed: {numbers}. Equal: {once}A tells nothing about B."
    return f"Open: {numbers}. Different: {once}A tells something about B."


class _Graph(NamedTuple):
    """A network of which only the arrows are used, with its layout."""

    net: BayesNet
    layout: object


def open_paths(net=None, pairs=None, watch=None, positions=None):
    """Return a network in which the reader observes nodes and sees whether two others are still connected.

    Parameters
    ----------
    net : mlcore.bayes.BayesNet, optional
        The graph of ES Fig. 67 if left out.
    pairs : iterable of (str, str), optional
        Pairs of nodes to ask about; by default the first six pairs without an arrow between them.
    watch : iterable of str, optional
        Nodes that can be observed, at most four; by default the four with the most arrows.
    positions : dict of str to (float, float), optional

    Returns
    -------
    Explorable

    Raises
    ------
    ValueError
        Unknown nodes, a pair of one node, too many nodes to observe, or a network without two unconnected nodes.
    """
    if net is None:
        net, positions = _six_node_net(), _SIX_POSITIONS if positions is None else positions
        pairs, watch = _SIX_PAIRS if pairs is None else pairs, "ABEF" if watch is None else watch
    parents = parents_of(net)
    arrows = {frozenset((parent, name)) for name in parents for parent in parents[name]}
    if pairs is None:
        every = [(a, b) for i, a in enumerate(net.names) for b in net.names[i + 1 :] if {a, b} not in arrows]
        pairs = every[:6]
    pairs = [tuple(pair) for pair in pairs]
    if len(pairs) < 2 or any(len(set(pair)) != 2 for pair in pairs):
        raise ValueError(f"pairs: expected at least two pairs of different nodes, got {pairs!r}")
    if watch is None:
        degree = {name: sum(name in arrow for arrow in arrows) for name in net.names}
        watch = sorted(net.names, key=lambda name: -degree[name])[:4]
    watch = tuple(watch)
    for name in (*(name for pair in pairs for name in pair), *watch):
        net.node(name)
    if not 1 <= len(watch) <= 4:
        raise ValueError(f"watch: expected one to four nodes, got {len(watch)}")
    graph = _Graph(net, network_layout(parents, positions, size=(4.6, 4.3), below=0.45))
    switches = {f"see_{place}": name for place, name in enumerate(watch)}
    return Explorable(
        title="Which paths are open?",
        controls=(
            choice("pair", "news from … to …", {f"{tidy_name(a)}, {tidy_name(b)}": (a, b) for a, b in pairs}),
            *(toggle(keyword, f"{tidy_name(name)} observed") for keyword, name in switches.items()),
        ),
        frame=partial(_paths_frame, graph=graph),
        draw=partial(_draw_paths, graph=graph, switches=switches),
        describe=partial(_describe_paths, graph=graph, switches=switches),
        size=graph.layout.size,
    )


_SIX_POSITIONS = {"A": (1, 3), "B": (0.25, 2), "C": (1.75, 2), "D": (0, 1), "E": (1, 1), "F": (1, 0)}
_SIX_PAIRS = (("B", "C"), ("A", "F"), ("C", "D"), ("B", "F"), ("D", "E"))


def _six_node_net():
    parents = six_nodes()
    return BayesNet.from_tables({name: np.full((2,) * len(above), 0.5) for name, above in parents.items()}, parents)


def _paths_frame(figure, graph):
    axes = network_axes(figure, graph.layout)
    draw_network(axes, graph.layout, parents_of(graph.net))
    _legend(figure)


def _given(pair, state, switches):
    return [name for keyword, name in switches.items() if state[keyword] and name not in pair]


def _draw_paths(figure, pair, graph, switches, **state):
    given = _given(pair, state, switches)
    _draw_path(figure.axes[0], graph.layout, active_path(graph.net, *pair, given))
    colours = dict.fromkeys(graph.net.names, "white") | dict.fromkeys(pair, _ENDS) | dict.fromkeys(given, EVIDENCE)
    shade_nodes(figure.axes[0], graph.layout, colours)


def _describe_paths(pair, graph, switches, **state):
    given = _given(pair, state, switches)
    first, second = map(tidy_name, pair)
    known = f"given {', '.join(map(tidy_name, given))}" if given else "with nothing observed"
    path = active_path(graph.net, *pair, given)
    asked = [tidy_name(name) for keyword, name in switches.items() if state[keyword] and name in pair]
    note = f" ({' and '.join(asked)} cannot be asked about and observed at once.)" if asked else ""
    if path is None:
        return f"{first} and {second} are independent {known}: every path between them is closed.{note}"
    return (
        f"{first} and {second} may depend on each other {known}. An open path: {_with_arrows(graph.net, path)}"
        f"{_opened_by(graph.net, path, given)}.{note}"
    )


def _with_arrows(net, path):
    text = tidy_name(path[0])
    for before, name in zip(path, path[1:]):
        text += f" {'→' if before in net.parents(name) else '←'} {tidy_name(name)}"
    return text


def _opened_by(net, path, given):
    """Return which observations open the colliders on a path, in words."""
    texts = []
    for before, middle, after in zip(path, path[1:], path[2:]):
        if before in net.parents(middle) and after in net.parents(middle):
            witness = [name for name in given if name == middle or name in net.descendants(middle)]
            how = "observed" if middle in witness else f"opened by {tidy_name(witness[0])}"
            texts.append(f"{tidy_name(middle)} is {how}")
    return f" ({'; '.join(texts)})" if texts else ""
