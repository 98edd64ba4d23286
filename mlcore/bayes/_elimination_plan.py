"""What a query has to do, worked out before any number is touched.

Which tables are needed, in which order the variables are summed out, and which tables meet in each step depend on
the graph and on *which* nodes are observed, not on their states: a plan is made once and serves all of these.

* A node that is neither asked for, nor observed, nor an ancestor of one that is, sums to 1: its table is left out.
* An observed variable is no axis of any factor.
* No product becomes larger than `LARGEST_FACTOR`: the plan is refused before memory is.

Sources: Shachter, *Evaluating influence diagrams*, 1986 (barren nodes); Koller and Friedman, *Probabilistic Graphical
Models*, 2009, section 9.3.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import log, prod
from string import ascii_letters
from weakref import WeakKeyDictionary

import numpy as np

from mlcore.bayes._elimination_order import elimination_order, positions
from mlcore.bayes._factor import LARGEST_FACTOR

__all__ = ["Layout", "Plan", "Step", "layout_of", "plan_query"]

SAFE_LOGARITHM = 700.0  # exp(±700) is a normal floating-point number
FEW = 4  # variables that a message names

_layouts = WeakKeyDictionary()


@dataclass(frozen=True, eq=False)
class Layout:
    """The tables of a network with their axes in the order of its nodes, and what plans are made from.

    Attributes
    ----------
    names : tuple of str
    position : dict
        Name to position in `names`.
    sizes : tuple of int
        Numbers of states.
    families : tuple of tuple of int
        For every node, the positions of itself and of its parents, ascending.
    tables : tuple of numpy.ndarray
        P(node | parents), with the axes of its family.
    depths : tuple of float
        For every node, −log of the smallest probability above 0 in its table.
    """

    names: tuple
    position: dict
    sizes: tuple
    families: tuple
    tables: tuple
    depths: tuple


@dataclass(frozen=True, eq=False)
class Step:
    """Some factors are multiplied, and one variable or more is summed out of the product.

    Attributes
    ----------
    slots : tuple of int
        The factors, counted from the tables of `Plan.nodes` on through the results of the steps.
    scopes : tuple of tuple of int
        Their variables.
    product : tuple of int
        The variables of the product, ascending.
    result : tuple of int
        The variables of the result, in the order of its axes.
    size : int
        Entries of the product.
    operations : int
        Multiplications.
    subscripts : str
        All this in Einstein's notation.
    """

    slots: tuple
    scopes: tuple
    product: tuple
    result: tuple
    size: int
    operations: int
    subscripts: str


@dataclass(frozen=True, eq=False)
class Plan:
    """All steps of a query.

    Attributes
    ----------
    nodes : tuple of int
        The nodes whose tables are needed.
    scopes : tuple of tuple of int
        What is left of their families without the observed nodes.
    order : tuple of int
        The variables that are summed out.
    steps : tuple of Step
        One for each of `order` (one for all of them when enumerating), and the last one makes the answer.
    constants : tuple of int
        Slots of factors without variables, which are multiplied to the answer.
    in_logarithms : bool
        Whether a product could leave the range of floating-point numbers.
    """

    nodes: tuple
    scopes: tuple
    order: tuple
    steps: tuple
    constants: tuple
    in_logarithms: bool

    @property
    def operations(self):
        """Multiplications in all steps."""
        return sum(step.operations for step in self.steps) + len(self.constants)


def layout_of(net):
    """Return the `Layout` of a network; it is made once, and goes with it."""
    if net not in _layouts:
        _layouts[net] = _make_layout(net)
    return _layouts[net]


def _make_layout(net):
    names = net.names
    position = {name: at for at, name in enumerate(names)}
    nodes = [net.node(name) for name in names]
    families, tables = [], []
    for node in nodes:
        axes = [position[name] for name in (*node.parents, node.name)]
        families.append(tuple(sorted(axes)))
        tables.append(node.table.transpose(np.argsort(axes)))
    return Layout(
        names,
        position,
        sizes=tuple(len(node.states) for node in nodes),
        families=tuple(families),
        tables=tuple(np.ascontiguousarray(table) for table in tables),
        depths=tuple(-log(table[table > 0].min()) for table in tables),
    )


@lru_cache(maxsize=256)
def plan_query(layout, asked, observed, order, method):
    """Return the plan of a query.

    Parameters
    ----------
    layout : Layout
    asked : tuple of str
        The variables of the answer.
    observed : frozenset of str
    order : str or tuple of str
        A rule of `mlcore.bayes`, or the names themselves.
    method : {"elimination", "enumeration"}

    Returns
    -------
    Plan

    Raises
    ------
    ValueError
        The order does not fit, or a product would be larger than `LARGEST_FACTOR`.
    """
    asked = tuple(layout.position[name] for name in asked)
    fixed = _bits(layout.position[name] for name in observed)
    at_once = method == "enumeration"
    nodes = range(len(layout.names)) if at_once else _needed(layout, {*asked, *positions(fixed)})
    scopes = [tuple([v for v in layout.families[node] if not fixed >> v & 1]) for node in nodes]
    hidden = [node for node in nodes if node not in asked and not fixed >> node & 1]
    if at_once:
        chosen, groups = hidden, [hidden]
    else:
        chosen = _choose_order(layout, order, asked, fixed, hidden, scopes)
        groups = [[variable] for variable in chosen]
    steps, constants = _make_steps(layout, scopes, groups, asked, at_once)
    depth = sum(layout.depths[node] for node in nodes)  # no product of entries above 0 is below exp(−depth)
    spread = sum(log(layout.sizes[node]) for node in nodes)  # and no sum of products is above exp(spread)
    in_logarithms = max(depth, spread) > SAFE_LOGARITHM
    return Plan(tuple(nodes), tuple(scopes[: len(nodes)]), tuple(chosen), steps, constants, in_logarithms)


def _needed(layout, nodes):
    """The nodes and their ancestors, ascending."""
    needed, front = set(), list(nodes)
    while front:
        node = front.pop()
        if node not in needed:
            needed.add(node)
            front.extend(layout.families[node])
    return sorted(needed)


def _choose_order(layout, order, asked, fixed, hidden, scopes):
    if isinstance(order, str):
        return elimination_order([_bits(scope) for scope in scopes], hidden, order)
    for name in order:
        at = layout.position.get(name)
        if at is None or at in asked or fixed >> at & 1:
            raise ValueError(f"order: expected nodes that are neither asked for nor observed, got {name!r}")
    given = [layout.position[name] for name in order]
    missing = [layout.names[variable] for variable in hidden if variable not in given]
    if missing:
        raise ValueError(f"order: expected every node that has to be summed out, got none of {', '.join(missing)}")
    return [variable for variable in given if variable in hidden]


def _make_steps(layout, scopes, groups, asked, at_once):
    """The steps, and the slots of factors without variables; the results' scopes are appended to `scopes`."""
    steps = []
    left, holders = {}, {}  # scopes as bits by slot; for every variable the slots that held it when they were made

    def put(slot):
        left[slot] = _bits(scopes[slot])
        for variable in scopes[slot]:
            holders.setdefault(variable, []).append(slot)

    for slot in range(len(scopes)):
        put(slot)
    for group in groups:
        slots = list(left) if at_once else [slot for slot in holders[group[0]] if slot in left]
        product = 0
        for slot in slots:
            product |= left.pop(slot)
        steps.append(_make_step(layout, slots, scopes, product, positions(product & ~_bits(group))))
        scopes.append(steps[-1].result)
        put(len(scopes) - 1)
    constants = tuple([slot for slot, scope in left.items() if not scope])
    slots = [slot for slot, scope in left.items() if scope]
    steps.append(_make_step(layout, slots, scopes, _bits(asked), asked))
    return tuple(steps), constants


def _make_step(layout, slots, scopes, product, result):
    product = positions(product)
    size = prod([layout.sizes[variable] for variable in product])
    if size > LARGEST_FACTOR or len(product) > len(ascii_letters):
        few = ", ".join(str(layout.names[variable]) for variable in product[:FEW])
        raise ValueError(
            f"query: expected products of at most {LARGEST_FACTOR} entries, got one of {size:.3g} entries over "
            f"{len(product)} variables ({few}, …)"
        )
    letters = dict(zip(product, ascii_letters))
    taken = tuple([scopes[slot] for slot in slots])
    operands = ",".join(["".join([letters[variable] for variable in scope]) for scope in taken])
    return Step(
        tuple(slots),
        taken,
        tuple(product),
        tuple(result),
        size,
        operations=max(len(slots) - 1, 0) * size,
        subscripts=f"{operands}->{''.join([letters[variable] for variable in result])}",
    )


def _bits(variables):
    bits = 0
    for variable in variables:
        bits |= 1 << variable
    return bits
