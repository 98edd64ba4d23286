"""Picture of chapter 20: variables are summed out one by one; the order decides how large the tables become."""

from functools import partial
from itertools import combinations
from math import prod
from typing import NamedTuple

import numpy as np
from matplotlib.collections import PolyCollection
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import NullLocator

from mlcore.bayes import BayesNet, query
from mlcore.datasets import asia
from mlcore.explore import Explorable, choice, step_scrubber
from mlcore.pictures.bayesian_networks._evidence_switches import tidy_name
from mlcore.pictures.bayesian_networks._network_drawing import (
    EVIDENCE,
    NetworkLayout,
    draw_lines,
    draw_network,
    network_axes,
    network_layout,
    parents_of,
    shade_nodes,
)
from mlcore.pictures.drawing.readout import count
from mlcore.pictures.drawing.text_labels import draw_labels
from mlcore.pictures.drawing.visual_language import ACCENT, BOUNDARY, ENTERING, LEAVING

__all__ = ["clumsy_order", "elimination"]

_GONE, _ASKED = "#e2e2e2", "#f8e2b3"
_ORDERS = {"min-fill": "min_fill", "min-degree": "min_degree", "clumsy: the largest product first": "clumsy"}


class _Run(NamedTuple):
    """A recorded query: its steps, the scopes before each of them and after the last, and its multiplications."""

    steps: tuple
    scopes: tuple
    operations: int
    answer: str


class _Shown(NamedTuple):
    """What every state of the picture shares."""

    layout: NetworkLayout
    asked: tuple
    observed: tuple
    runs: dict
    enumeration: int


def elimination(net=None, variables=("xray", "dysp"), evidence=None, positions=None):
    """Return a query answered by variable elimination, with a scrubber over its steps and a choice of the order.

    Left stands the interaction graph: two nodes are joined when a factor holds both. A step multiplies all factors
    with one variable, sums it out, and joins its neighbours.

    Parameters
    ----------
    net : mlcore.bayes.BayesNet, optional
        The chest clinic of Lauritzen and Spiegelhalter if left out.
    variables : iterable of str
        Whose joint distribution is asked for.
    evidence : mapping, optional
        Observed states by name.
    positions : dict of str to (float, float), optional

    Returns
    -------
    Explorable

    Raises
    ------
    ValueError
        What `mlcore.bayes.query` refuses, or a query with nothing to sum out.
    """
    if net is None:
        net, positions = asia(), _ASIA_POSITIONS if positions is None else positions
    variables = (variables,) if isinstance(variables, str) else tuple(variables)
    evidence = dict(evidence or {})
    runs = {order: _record(net, variables, evidence, order) for order in _ORDERS.values()}
    longest = max(len(run.steps) for run in runs.values())
    if longest == 0:
        raise ValueError("variables: expected a query with something to sum out, got one without")
    layout = network_layout(parents_of(net), positions, below=0.5)
    total = query(net, variables, evidence, method="enumeration").operations
    shown = _Shown(layout, variables, tuple(evidence), runs, total)
    return Explorable(
        title="Summing variables out, one by one",
        controls=(choice("order", "order", _ORDERS), step_scrubber("step", "summed out", longest + 1)),
        frame=partial(_frame, shown=shown),
        draw=partial(_draw, shown=shown),
        describe=partial(_describe, shown=shown),
        size=(8.6, 4.4),
        panels=2,
    )


_ASIA_POSITIONS = {
    "asia": (0, 3), "tub": (0, 2), "smoke": (2, 3), "lung": (1.3, 2), "bronc": (2.6, 1.6), "either": (0.7, 1),
    "xray": (0.1, 0), "dysp": (1.9, 0),
}  # fmt: skip


def clumsy_order(net, variables, evidence=None):
    """Return an order that sums out, at every step, the variable whose factors have the largest product.

    Parameters
    ----------
    net : mlcore.bayes.BayesNet
    variables : iterable of str
    evidence : mapping, optional

    Returns
    -------
    tuple of str
    """
    hidden = list(query(net, variables, evidence).order)
    scopes = [set(scope) for scope in _first_scopes(net, variables, evidence)]
    order = []
    while hidden:
        joined = {name: set().union(*(scope for scope in scopes if name in scope)) for name in hidden}
        worst = max(hidden, key=lambda name: prod(len(net.states(other)) for other in joined[name]))
        scopes = [scope for scope in scopes if worst not in scope] + [joined[worst] - {worst}]
        order.append(worst)
        hidden.remove(worst)
    return tuple(order)


def _first_scopes(net, variables, evidence):
    """Return the variables of every factor before the first step: only ancestors of what is asked or known matter."""
    evidence = dict(evidence or {})
    needed = set(variables) | set(evidence)
    needed |= {name for known in tuple(needed) for name in net.ancestors(known)}
    return tuple(net.factor(name).reduce(evidence).variables for name in net.names if name in needed)


def _record(net: BayesNet, variables, evidence, order):
    order = clumsy_order(net, variables, evidence) if order == "clumsy" else order
    result = query(net, variables, evidence, order=order, trace=True)
    scopes = (_first_scopes(net, variables, evidence), *(step.remaining for step in result.trace))
    first = {name: states[0] for name, states in result.factor.states.items()}
    named = ", ".join(f"{tidy_name(name)} = {state}" for name, state in first.items())
    known = f" | {', '.join(f'{tidy_name(name)} = {state}' for name, state in evidence.items())}" if evidence else ""
    return _Run(result.trace, scopes, result.operations, f"P({named}{known}) = {result.factor.value(first):.6f}")


def _frame(figure, shown):
    left, right = figure.subfigs
    axes = network_axes(left, shown.layout, "Joined: together in a factor")
    draw_network(axes, shown.layout, dict.fromkeys(shown.layout.centres, ()))
    handles = [
        Patch(facecolor=ENTERING, edgecolor="#8fcfb8", label="next"),
        Patch(facecolor=_GONE, edgecolor="#bbbbbb", label="summed out"),
        Patch(facecolor=_ASKED, edgecolor=LEAVING, label="asked"),
        Line2D([], [], color=ACCENT, linewidth=2.4, linestyle="--", label="new"),
    ]
    left.legend(handles=handles, loc="outside lower center", ncols=4, columnspacing=0.9, handlelength=1.3)
    bars = right.subplots()
    largest = max(step.product_size for run in shown.runs.values() for step in run.steps)
    longest = max(len(run.steps) for run in shown.runs.values())
    bars.set(
        xscale="log", xlim=(1, 3 * largest), ylim=(longest + 0.5, 0.4), ylabel="step", xlabel="entries of the product",
        title="The table made at each step",
    )  # fmt: skip
    ticks = 2.0 ** np.arange(1, np.log2(largest) + 1, max(1, int(np.log2(largest)) // 5))
    bars.set_xticks(ticks, [f"{tick:.0f}" for tick in ticks])
    bars.xaxis.set_minor_locator(NullLocator())
    bars.set_yticks(range(1, longest + 1))


def _edges(scopes):
    return {tuple(sorted(pair)) for scope in scopes for pair in combinations(scope, 2)}


def _draw(figure, order, step, shown):
    axes, bars = figure.axes
    run = shown.runs[order]
    done, coming = run.steps[:step], run.steps[step : step + 1]
    edges = _edges(run.scopes[min(step, len(run.steps))])
    fresh = edges - _edges(run.scopes[step - 1]) if 0 < step <= len(run.steps) else set()
    draw_lines(axes, shown.layout, sorted(edges - fresh), color=BOUNDARY)
    draw_lines(axes, shown.layout, sorted(fresh), color=ACCENT, linewidth=2.4, linestyle="--")
    colours = dict.fromkeys(shown.layout.centres, "white") | dict.fromkeys(shown.observed, EVIDENCE)
    colours |= dict.fromkeys(shown.asked, _ASKED) | dict.fromkeys((one.variable for one in done), _GONE)
    shade_nodes(axes, shown.layout, colours | {one.variable: ENTERING for one in coming})
    sizes = [one.product_size for one in done]
    shapes = [[(1, y - 0.33), (size, y - 0.33), (size, y + 0.33), (1, y + 0.33)] for y, size in enumerate(sizes, 1)]
    bars.add_collection(PolyCollection(shapes, facecolors=ACCENT, linewidths=0), autolim=False)
    places = [(size * 1.08, y) for y, size in enumerate(sizes, 1)]
    draw_labels(bars, places, [f"{one.product_size}  {tidy_name(one.variable)}" for one in done], ha="left")


def _describe(order, step, shown):
    run = shown.runs[order]
    index = min(step, len(run.steps))
    lines = []
    if index:
        last = run.steps[index - 1]
        left = ", ".join(map(tidy_name, last.result.variables))
        lines.append(
            f"{tidy_name(last.variable)} is gone: {count(len(last.factors), 'factor')} "
            f"made a product of {last.product_size} entries over {', '.join(map(tidy_name, last.product_scope))}; "
            f"what is left of it depends on {left or 'nothing'}."
        )
    if index < len(run.steps):
        lines.append(f"{count(len(run.scopes[index]), 'factor')}. Next: {tidy_name(run.steps[index].variable)}.")
    else:
        lines.append(
            f"Done: {run.answer}. {run.operations} multiplications, largest product "
            f"{max(one.product_size for one in run.steps)} entries; enumeration takes {shown.enumeration}."
        )
    return "\n".join(lines)
