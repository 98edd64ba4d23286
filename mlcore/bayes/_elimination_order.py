"""In which order to sum out the variables of a product of factors.

Two variables are neighbours when they stand in a common factor. Summing one out makes a factor of all its
neighbours, so that each of them becomes a neighbour of each other; the pairs that were none before are the *fill*.
Two rules, each of which looks one step ahead::

    min_degree   the variable with the fewest neighbours: the next factor has the fewest variables
    min_fill     the variable with the least fill: the next factor makes the rest the least harder

Finding the best order is NP-hard. Of equals, the one that comes first is taken, so that the order never depends on
chance.

Sources: Rose, *Triangulated graphs and the elimination process*, 1970; Koller and Friedman, *Probabilistic Graphical
Models*, 2009, section 9.4.3.
"""

from heapq import heapify, heappop, heappush

__all__ = ["RULES", "elimination_order", "positions"]

RULES = ("min_fill", "min_degree")


def elimination_order(scopes, hidden, rule):
    """Return the order in which a rule sums out the variables `hidden`.

    Parameters
    ----------
    scopes : iterable of int
        The variables of every factor as a set of bits: bit v for variable v.
    hidden : iterable of int
        Variables to sum out; ties are broken by their order. The others stay.
    rule : {"min_fill", "min_degree"}

    Returns
    -------
    list of int

    Raises
    ------
    ValueError
        No such rule.

    Examples
    --------
    A chain 0 – 1 – 2 – 3 of which 3 stays:

    >>> elimination_order([0b0011, 0b0110, 0b1100], [2, 1, 0], "min_fill")
    [0, 1, 2]
    """
    if rule not in RULES:
        raise ValueError(f"order: expected 'min_fill', 'min_degree' or names, got {rule!r}")
    near = _neighbours(scopes, hidden)
    cost = _fill if rule == "min_fill" else _degree
    rank = {variable: at for at, variable in enumerate(hidden)}
    costs = {variable: cost(near, variable) for variable in hidden}
    waiting = [(costs[variable], rank[variable], variable) for variable in hidden]
    heapify(waiting)
    order = []
    while costs:
        at_cost, _, variable = heappop(waiting)
        if costs.get(variable) != at_cost:
            continue  # gone, or waiting at another cost
        del costs[variable]
        order.append(variable)
        ring = near.pop(variable) & ~(1 << variable)
        touched = ring
        for other in positions(ring):
            joined = near[other] | ring
            if joined != near[other]:  # fill: pairs that its neighbours lacked may be there now
                touched |= joined
            near[other] = joined & ~(1 << variable)
        for other in positions(touched):
            if other in costs and costs[other] != (now := cost(near, other)):
                costs[other] = now
                heappush(waiting, (now, rank[other], other))
    return order


def positions(bits):
    """Return the positions of the bits that are set, ascending.

    Examples
    --------
    >>> positions(0b10110)
    [1, 2, 4]
    """
    found = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return found


def _neighbours(scopes, hidden):
    """For every variable its neighbours, itself among them."""
    near = {variable: 1 << variable for variable in hidden}
    for scope in scopes:
        for variable in positions(scope):
            near[variable] = near.get(variable, 0) | scope
    return near


def _degree(near, variable):
    return near[variable].bit_count()


def _fill(near, variable):
    """Twice the number of pairs of neighbours that are none of each other."""
    ring = near[variable]
    return sum([(ring & ~near[other]).bit_count() for other in positions(ring)])
