"""Checks of the exercises of chapter 20. They test what makes an answer right, not one stored answer."""

from itertools import combinations

import numpy as np

from mlcore.bayes import BayesNet, d_separated
from mlcore.datasets import lettered_network, parkinson, two_coins_and_bell
from mlcore.exercises._answers import agree, array, function, node_names, number, parts
from mlcore.exercises._verdict import check, refuse

__all__ = [
    "check_coins",
    "check_lost_independence",
    "check_triplets",
    "check_two_definitions",
    "joint_of_three_groups",
]

_CLOSE = 1e-7
_NETWORKS = 40


def joint_of_three_groups(net, W, A, E):
    """Return P(W, A, E) for three groups of nodes as an array with one axis a group.

    Parameters
    ----------
    net : mlcore.bayes.BayesNet
    W, A, E : iterable of str
        Names; a group has one state for every combination of the states of its nodes, and one if it is empty.

    Returns
    -------
    numpy.ndarray of shape (states of W, states of A, states of E)

    Examples
    --------
    >>> joint_of_three_groups(two_coins_and_bell(), ["coin_1"], ["coin_2"], []).tolist()
    [[[0.25], [0.25]], [[0.25], [0.25]]]
    """
    groups = [tuple(group) for group in (W, A, E)]
    kept = sum(groups, ())
    table = net.joint_table().sum_out(*(name for name in net.names if name not in kept)).arrange(kept).values
    shape, start = [], 0
    for group in groups:
        shape.append(int(np.prod(table.shape[start : start + len(group)])))
        start += len(group)
    return table.reshape(shape)


@check
def check_two_definitions(first, second):
    """Check the reader's two measures of conditional dependence on joints of random networks (ES p. 126).

    Parameters
    ----------
    first, second : callable
        Both take an array P of shape (states of W, states of A, states of e(A)) that sums to 1. `first` returns the
        largest |P(w, a | e) − P(w | e) P(a | e)|, `second` the largest |P(a | w, e) − P(a | e)|. Conditions of
        probability 0 do not count.

    Returns
    -------
    Verdict
    """
    asked = (("first", function("first", first, "P"), _first), ("second", function("second", second, "P"), _second))
    agreed = []
    for what, P in _joints():
        for name, ask, holds in asked:
            with np.errstate(divide="ignore", invalid="ignore"):
                answer = ask(P)
            if isinstance(answer, float | np.floating) and np.isnan(answer):
                refuse(f"{name} returned nan on {what}: some condition has probability 0 there. Leave such cases out.")
            answer = number(f"{name}(P)", answer)
            if abs(answer - holds(P)) > _CLOSE:
                refuse(f"{name} returned {answer:.4g} on {what}, expected {holds(P):.4g}.")
        agreed.append(_first(P) < _CLOSE)
    return (
        f"On {sum(agreed)} joints both are 0, on {len(agreed) - sum(agreed)} both are not: the two definitions agree. "
        "Now prove it: divide P(w, a | e) by P(w | e)."
    )


def _joints():
    """Yield joints of random networks, some with impossible combinations, and what each is."""
    for seed in range(_NETWORKS):
        net = lettered_network(4, seed, certain=0.3 if seed % 2 else 0.0)
        name = net.names[1 + seed % 3]
        parents, below = net.parents(name), net.descendants(name)
        above = [other for other in net.names if other not in (name, *parents, *below)]
        for group, relation in ((above, "non-descendants"), (below, "descendants")):
            if group:
                yield (
                    f"random network {seed}, node {name} and its {relation}",
                    joint_of_three_groups(net, group, [name], parents),
                )


def _first(P):
    e = P.sum(axis=(0, 1))
    given = P[:, :, e > 0] / e[e > 0]
    return np.abs(given - given.sum(axis=1, keepdims=True) * given.sum(axis=0, keepdims=True)).max()


def _second(P):
    we, e = P.sum(axis=1), P.sum(axis=(0, 1))
    under_e = np.divide(P.sum(axis=0), e, where=e > 0, out=np.zeros(P.shape[1:]))
    w, possible = np.nonzero(we > 0)
    return np.abs(P[w, :, possible] / we[w, possible][:, None] - under_e[:, possible].T).max()


@check
def check_coins(A_given_B, B_given_A, A_given_B_ringing):
    """Check the conditional probabilities of two coins and a bell that ES p. 130 leaves to the reader.

    Parameters
    ----------
    A_given_B, B_given_A : array_like of shape (2, 2)
        Row: the state of the coin after the bar, column: that of the coin before it; heads come first.
    A_given_B_ringing : array_like of shape (2, 2)
        P(A | B, the bell rings), in the same way.

    Returns
    -------
    Verdict
    """
    joint = two_coins_and_bell().joint_table().values  # A, B, bell
    both, ringing = joint.sum(axis=2), joint[:, :, 0]
    asked = {
        "A_given_B": (A_given_B, both.T),
        "B_given_A": (B_given_A, both),
        "A_given_B_ringing": (A_given_B_ringing, ringing.T),
    }
    for name, (answer, together) in asked.items():
        table = array(name, answer, (2, 2))
        sums = table.sum(axis=1)
        if np.abs(sums - 1).max() > 1e-2:
            refuse(f"{name}: each row is a distribution and must sum to 1, got {sums.tolist()}.")
        agree(
            name,
            table,
            together / together.sum(axis=1, keepdims=True),
            hint="Times the probability of its condition, it must give back the joint probability.",
        )
    return (
        "The rows of the first two tables are equal: the coins are independent. Those of the third are not: a bell "
        "that rings makes them dependent."
    )


@check
def check_lost_independence(lost):
    """Check the reader's recipe for an independence that a new edge destroys (ES p. 130).

    Parameters
    ----------
    lost : callable
        ``lost(parents, edge)`` takes the parents of every node, a dict of str to tuple, and a new edge (u, v), from u
        to v, that makes no cycle. It returns (x, y, given): x and y are independent given the nodes `given` before
        the edge is added, and no longer afterwards.

    Returns
    -------
    Verdict
    """
    ask = function("lost", lost, "parents and edge")
    count = 0
    for parents, edge in _growing_graphs():
        place = f"With parents {parents} and the new edge {edge[0]} → {edge[1]}"
        before = _graph(parents)
        after = _graph(parents | {edge[1]: (*parents[edge[1]], edge[0])})
        answer = parts("lost", ask(parents, edge), ("x", "y", "given"))
        x, y, given = (node_names(f"{place}: {name}", part, parents) for name, part in zip(("x", "y", "given"), answer))
        if not x or not y or len({*x, *y, *given}) < len(x) + len(y) + len(given):
            refuse(f"{place}: x, y and given must be different nodes, and x and y may not be empty.")
        separated = d_separated(before, x, y, given), d_separated(after, x, y, given)
        told = f"{', '.join(x)} and {', '.join(y)} given {', '.join(given) or 'nothing'}"
        if not separated[0]:
            refuse(f"{place}: {told} are not independent even before the edge is added.")
        if separated[1]:
            refuse(f"{place}: {told} are still independent after the edge is added.")
        count += 1
    return (
        f"On {count} graphs the new edge destroyed the independence you named. Since no edge ever makes a new one, "
        "the list of independences shrinks with every edge."
    )


def _graph(parents):
    return BayesNet.from_tables({name: np.full((2,) * len(above), 0.5) for name, above in parents.items()}, parents)


def _growing_graphs():
    """Yield graphs, as parents of every node, and an edge that can be added without making a cycle."""
    yield {"A": (), "B": (), "C": ("A", "B")}, ("A", "B")
    for seed in range(_NETWORKS):
        net = lettered_network(5, seed, arrow=0.4)
        parents = {name: net.parents(name) for name in net.names}
        free = [pair for pair in combinations(net.names, 2) if pair[0] not in parents[pair[1]]]
        if free:
            first, second = free[seed % len(free)]
            turn = seed % 3 == 0 and second not in net.ancestors(first) and first not in net.ancestors(second)
            yield parents, (second, first) if turn else (first, second)


@check
def check_triplets(P):
    """Check the eight joint probabilities of Parkinson's disease and two symptoms (ES p. 136, 137).

    Parameters
    ----------
    P : array_like of shape (2, 2, 2)
        P[i][j][k]: disease, tremor, bent arm; 0 stands for yes and 1 for no.

    Returns
    -------
    Verdict
    """
    table = array("P", P, (2, 2, 2))
    if (table < 0).any():
        refuse(f"P: no probability is below 0, got {table.min():.4g}.")
    net = parkinson()
    disease, tremor, bent = (net.factor(name).values for name in ("parkinson", "tremor", "bent_arm"))
    if np.abs(table - net.joint_table().values).max() > 1e-6:  # else five decimals are enough, and exact
        _require_five_decimals(table, disease, tremor, bent)
    return "They sum to 1, give back the three tables, and make the symptoms independent given the disease."


def _require_five_decimals(table, disease, tremor, bent):
    """End the check with the first of the properties that the eight numbers lack."""
    holds = disease[:, None, None] * tremor[:, :, None] * bent[:, None, :]
    if (np.abs(table - holds) < 6e-4).all():
        agree("P", table, holds, digits=6)
    if abs(table.sum() - 1) > 1e-6:
        refuse(f"The eight numbers sum to {table.sum():.6g}, not to 1.")
    told = table.sum(axis=(1, 2))
    if not np.allclose(told, disease, atol=1e-6):
        refuse(f"They make P(a) = {told[0]:.4g}, but the prevalence is {disease[0]:.4g}.")
    for expected, letter, axis in ((tremor, "b", 2), (bent, "c", 1)):
        given = table.sum(axis=axis) / told[:, None]
        row = int(np.abs(given - expected).max(axis=1).argmax())
        if not np.allclose(given, expected, atol=1e-5):
            refuse(
                f"They make P({letter}|{('a', '¬a')[row]}) = {given[row, 0]:.4g}, but the table says "
                f"{expected[row, 0]:.4g}."
            )
    refuse("All three tables come out right, but the symptoms are not independent given the disease.")
