"""Cases of a Bayesian network: drawn from it, and tables counted from them."""

import numpy as np

from mlcore.bayes._factor import as_names
from mlcore.validation import as_generator, as_nonnegative, as_whole_number

__all__ = ["count_tables", "sample"]


def count_tables(cases, parents, states, pseudocount):
    """Return the tables of `mlcore.bayes.BayesNet.from_cases` by name, and say what is wrong with the cases.

    Parameters
    ----------
    cases : mapping
        Name to states, one for each case.
    parents : mapping
        Name to names of the parents; a name left out has none.
    states : dict
        Name to tuple of states.
    pseudocount : float

    Returns
    -------
    dict of str to numpy.ndarray
        Of shape (states of the first parent, …, states of the node).
    """
    pseudocount = as_nonnegative("pseudocount", pseudocount)
    codes = {name: _codes(name, np.asarray(cases[name]).tolist(), own) for name, own in states.items()}
    lengths = {name: len(code) for name, code in codes.items()}
    if len(set(lengths.values())) > 1:
        raise ValueError(f"cases: expected as many states of every node, got {lengths}")
    tables = {}
    for name in states:
        family = (*as_names(f"parents of {name}", parents.get(name, ())), name)
        unknown = [other for other in family if other not in states]
        if unknown:
            raise ValueError(f"parents of {name}: expected nodes that have cases, got {unknown[0]!r}")
        counts = np.full([len(states[other]) for other in family], pseudocount)
        np.add.at(counts, tuple(codes[other] for other in family), 1)
        sums = counts.sum(axis=-1, keepdims=True)
        if not sums.all():
            at = np.argwhere(sums == 0)[0]
            where = ", ".join(f"{other} = {states[other][index]}" for other, index in zip(family[:-1], at))
            raise ValueError(
                f"cases: expected some with every combination of the parents of {name}, got none"
                f"{f' with {where}' if where else ''}; a pseudocount above 0 stands in for them"
            )
        tables[name] = counts / sums
    return tables


def _codes(name, values, states):
    """Positions of the values among the states."""
    position = {state: at for at, state in enumerate(states)}
    for case, value in enumerate(values):
        if value not in position:
            raise ValueError(f"cases of {name}: expected the states {states}, got {value!r} in case {case}")
    return np.array([position[value] for value in values], dtype=int)


def sample(net, count, random_state=None):
    """Draw states of all nodes: parents first, then each node by the row of its table that they select.

    Parameters
    ----------
    net : BayesNet
    count : int
        Number of draws.
    random_state : int, numpy.random.Generator or None
        Seed.

    Returns
    -------
    dict
        Name to array of shape (count,) of states, in the order of ``net.names``.

    Raises
    ------
    ValueError
        `count` is no whole number of at least 0.

    Notes
    -----
    Ancestral sampling: Koller and Friedman, 2009, section 12.1.

    Examples
    --------
    >>> from mlcore.bayes import BayesNet
    >>> net = BayesNet.from_tables({"rain": 0.2, "wet": [0.9, 0.3]}, parents={"wet": ["rain"]})
    >>> draws = sample(net, 10000, random_state=0)
    >>> bool(abs((draws["wet"] == "yes").mean() - 0.42) < 0.02)
    True
    """
    count = as_whole_number("count", count, least=0)
    random = as_generator(random_state)
    drawn = {}
    for name in net.predecessor_ordering():
        node = net.node(name)
        steps = np.cumsum(node.table, axis=-1)[tuple(drawn[parent] for parent in node.parents)]
        steps = np.broadcast_to(steps, (count, len(node.states)))
        below = random.random(count)[:, None] * steps[:, -1:]
        drawn[name] = (steps <= below).sum(axis=-1)
    result = {}
    for name in net.names:
        labels = np.empty(len(net.states(name)), dtype=object)  # as objects, so that states stay what they are
        labels[:] = net.states(name)
        result[name] = labels[drawn[name]]
    return result
