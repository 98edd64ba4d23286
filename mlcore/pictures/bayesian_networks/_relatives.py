"""Pictures of chapter 20: who is parent, descendant or neither, and how to number the nodes, causes first."""

from functools import partial

from matplotlib.patches import Patch

from mlcore.datasets import six_nodes
from mlcore.explore import Explorable, choice, step_scrubber
from mlcore.pictures.bayesian_networks._network_drawing import (
    draw_arrows,
    draw_network,
    layered_positions,
    network_axes,
    network_layout,
    shade_nodes,
)
from mlcore.pictures.drawing.visual_language import ACCENT

__all__ = ["causes_first", "descendants_of", "relatives"]

_SELF, _PARENT, _DESCENDANT, _OTHER = "#9fdcc6", "#b9d6e8", "#f4c9ae", "#ededed"
_GONE = "#c9c9c9"


_SIX_POSITIONS = {"A": (1, 3), "B": (0.25, 2), "C": (1.75, 2), "D": (0, 1), "E": (1, 1), "F": (1, 0)}


def descendants_of(name, parents):
    """Return all nodes that can be reached from a node along the arrows, as a set.

    Examples
    --------
    >>> sorted(descendants_of("B", six_nodes()))
    ['D', 'E', 'F']
    """
    found, front = set(), {name}
    while front:
        front = {child for child in parents if set(parents[child]) & front} - found
        found |= front
    return found


def relatives(parents=None, positions=None):
    """Return a directed graph in which the reader asks a node for its relatives (ES p. 125, Fig. 67).

    Parameters
    ----------
    parents : dict of str to iterable of str, optional
        The graph of ES Fig. 67 if left out.
    positions : dict of str to (float, float), optional
        As for `mlcore.pictures.bayesian_networks.network_layout`.

    Returns
    -------
    Explorable

    Raises
    ------
    ValueError
        When the arrows run in a circle, or there are fewer than two nodes.
    """
    parents, layout = _graph(parents, positions, below=0.42)
    return Explorable(
        title="Parents, descendants and the rest",
        controls=(choice("node", "node", list(parents), start="C" if "C" in parents else None),),
        frame=partial(_relatives_frame, layout=layout, parents=parents),
        draw=partial(_draw_relatives, layout=layout, parents=parents),
        describe=partial(_describe_relatives, parents=parents),
        size=layout.size,
    )


def _graph(parents, positions, **room):
    if parents is None:
        parents, positions = six_nodes(), _SIX_POSITIONS
    parents = {name: tuple(above) for name, above in parents.items()}
    layered_positions(parents)  # refuses a cycle
    if len(parents) < 2:
        raise ValueError(f"parents: expected at least two nodes, got {len(parents)}")
    return parents, network_layout(parents, positions, size=(4.4, 3.9), **room)


def _relatives_frame(figure, layout, parents):
    draw_network(network_axes(figure, layout), layout, parents)
    signs = {"itself": _SELF, "parent": _PARENT, "descendant": _DESCENDANT, "other": _OTHER}
    handles = [Patch(facecolor=colour, edgecolor="#999999", label=text) for text, colour in signs.items()]
    figure.legend(handles=handles, loc="outside lower center", ncols=4, columnspacing=1.1)


def _draw_relatives(figure, node, layout, parents):
    below = descendants_of(node, parents)
    colours = {
        name: _SELF if name == node else _PARENT if name in parents[node] else _DESCENDANT if name in below else _OTHER
        for name in parents
    }
    shade_nodes(figure.axes[0], layout, colours)


def _describe_relatives(node, parents):
    below = descendants_of(node, parents)
    rest = [name for name in parents if name != node and name not in below]
    far = [name for name in rest if name not in parents[node]]
    text = (
        f"Parents e({node}) = {_braces(parents[node])}, descendants s({node}) = {_braces(sorted(below))}, "
        f"the rest r({node}) = {_braces(rest)}.\n"
    )
    given = f" given {_list(parents[node])}" if parents[node] else ""
    if not far:
        return text + f"The definition asks nothing of {node}: r({node}) has no node beside its parents."
    return text + f"The definition asks that {node} be independent of {_list(far)}{given}."


def _braces(names):
    return "{" + ", ".join(names) + "}" if names else "∅"


def _list(names):
    return " and ".join(", ".join(names).rsplit(", ", 1))


def causes_first(parents=None, positions=None):
    """Return the construction of a predecessor ordering, with a scrubber over the numbered nodes (ES p. 133).

    Parameters
    ----------
    parents : dict of str to iterable of str, optional
        The graph of ES Fig. 67 if left out.
    positions : dict of str to (float, float), optional

    Returns
    -------
    Explorable

    Raises
    ------
    ValueError
        As for `relatives`.
    """
    parents, layout = _graph(parents, positions, room=0.3)
    return Explorable(
        title="Take a node without causes, number it, delete it",
        controls=(
            choice("pick", "among several, take", {"the first": 0, "the last": -1}),
            step_scrubber("step", "nodes numbered", len(parents) + 1),
        ),
        frame=partial(_ordering_frame, layout=layout, parents=parents),
        draw=partial(_draw_ordering, layout=layout, parents=parents),
        describe=partial(_describe_ordering, parents=parents),
        size=layout.size,
    )


def _ordering(pick, parents):
    """Return the nodes in the order in which they are taken."""
    order = []
    while len(order) < len(parents):
        order.append(_roots(order, parents)[pick])
    return order


def _roots(taken, parents):
    return [name for name in parents if name not in taken and set(parents[name]) <= set(taken)]


def _ordering_frame(figure, layout, parents):
    draw_network(network_axes(figure, layout), layout, parents, arrows=False)


def _draw_ordering(figure, pick, step, layout, parents):
    axes, taken = figure.axes[0], _ordering(pick, parents)[:step]
    edges = [(parent, name) for name in parents for parent in parents[name]]
    draw_arrows(axes, layout, [edge for edge in edges if edge[0] in taken], color=_GONE)
    draw_arrows(axes, layout, [edge for edge in edges if edge[0] not in taken])
    colours = dict.fromkeys(taken, _OTHER) | dict.fromkeys(_roots(taken, parents), _SELF)
    shade_nodes(axes, layout, colours)
    for number, name in enumerate(taken, start=1):
        (x, y), (a, _) = layout.centres[name], layout.radii[name]
        axes.text(x + a + 0.06, y, str(number), va="center_baseline", weight="bold", color=ACCENT, fontsize=12)


def _describe_ordering(pick, step, parents):
    order = _ordering(pick, parents)
    taken, roots = order[:step], _roots(order[:step], parents)
    if not roots:
        return f"A predecessor ordering: {', '.join(taken)}. Every node stands after all of its causes."
    so_far = f"Numbered so far: {', '.join(taken)}. " if taken else ""
    is_are = "has" if len(roots) == 1 else "have"
    return f"{so_far}{_list(roots)} (green) {is_are} no cause left; next comes {order[step]}."
