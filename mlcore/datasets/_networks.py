"""Bayesian networks with a history: small ones on which each idea can be seen, and random ones."""

import numpy as np

from mlcore.bayes import BayesNet, Node
from mlcore.validation import as_whole_number

__all__ = [
    "asia",
    "band_network",
    "burglary_alarm",
    "flu_fever_headache",
    "lettered_network",
    "metastatic_cancer",
    "parkinson",
    "random_network",
    "six_nodes",
    "two_coins_and_bell",
]


def burglary_alarm():
    """Return burglary and earthquake, which set off an alarm, on which John and Mary call.

    The graph of the first three is ES p. 123, which has no numbers. The numbers are those of Russell and Norvig,
    *Artificial Intelligence*, figure 14.2, after Pearl, 1988.

    Returns
    -------
    mlcore.bayes.BayesNet
        Nodes burglary, earthquake, alarm, john, mary with the states "yes" and "no".

    Examples
    --------
    >>> from mlcore.bayes import query
    >>> heard = query(burglary_alarm(), "burglary", {"john": "yes", "mary": "yes"})
    >>> round(heard.factor.value(burglary="yes"), 3)
    0.284
    """
    return BayesNet.from_tables(
        {
            "burglary": 0.001,
            "earthquake": 0.002,
            "alarm": [[0.95, 0.94], [0.29, 0.001]],
            "john": [0.9, 0.05],
            "mary": [0.7, 0.01],
        },
        parents={"alarm": ("burglary", "earthquake"), "john": ("alarm",), "mary": ("alarm",)},
    )


def two_coins_and_bell():
    """Return two fair coins and a bell that rings when at least one shows heads (ES p. 129).

    Returns
    -------
    mlcore.bayes.BayesNet
        Nodes coin_1 and coin_2 with the states "heads" and "tails", and bell with "rings" and "silent".

    Examples
    --------
    >>> from mlcore.bayes import query
    >>> query(two_coins_and_bell(), "bell").factor.value(bell="rings")
    0.75
    """
    coin = ("heads", "tails")
    return BayesNet.from_tables(
        {"coin_1": 0.5, "coin_2": 0.5, "bell": [[1, 1], [1, 0]]},
        parents={"bell": ("coin_1", "coin_2")},
        states={"coin_1": coin, "coin_2": coin, "bell": ("rings", "silent")},
    )


def flu_fever_headache():
    """Return the flu with two symptoms: dependent in the population, independent once the flu is known (ES p. 121).

    ES has no numbers for it; these are made up.

    Returns
    -------
    mlcore.bayes.BayesNet
        Nodes flu, fever, headache with the states "yes" and "no".
    """
    return BayesNet.from_tables(
        {"flu": 0.05, "fever": [0.9, 0.02], "headache": [0.7, 0.1]},
        parents={"fever": ("flu",), "headache": ("flu",)},
    )


def metastatic_cancer():
    """Return a metastasis that raises the serum calcium and may seed a brain tumor; either may lead to coma.

    The graph is ES Fig. 68, which has no numbers; they follow Pearl, 1988, and Lauritzen and Spiegelhalter, 1988.

    Returns
    -------
    mlcore.bayes.BayesNet
        Nodes metastasis, calcium, tumor, coma with the states "yes" and "no" (calcium: whether it is increased).
    """
    return BayesNet.from_tables(
        {"metastasis": 0.2, "calcium": [0.8, 0.2], "tumor": [0.2, 0.05], "coma": [[0.8, 0.8], [0.8, 0.05]]},
        parents={"calcium": ("metastasis",), "tumor": ("metastasis",), "coma": ("calcium", "tumor")},
    )


def parkinson(prevalence=0.003, tremor=(0.9, 0.2), bent_arm=(0.7, 0.1)):
    """Return Parkinson's disease with two symptoms, with the (fictitious) numbers of ES p. 135.

    Parameters
    ----------
    prevalence : float
        P(parkinson).
    tremor, bent_arm : pair of float
        Probability of the symptom with the disease and without it.

    Returns
    -------
    mlcore.bayes.BayesNet
        Nodes parkinson (a of ES), tremor (b) and bent_arm (c) with the states "yes" and "no".

    Raises
    ------
    ValueError
        A number that is no probability.

    Examples
    --------
    >>> round(parkinson().joint(parkinson="yes", tremor="yes", bent_arm="yes"), 5)
    0.00189
    """
    return BayesNet.from_tables(
        {"parkinson": prevalence, "tremor": tremor, "bent_arm": bent_arm},
        parents={"tremor": ("parkinson",), "bent_arm": ("parkinson",)},
    )


def asia():
    """Return the chest clinic of Lauritzen and Spiegelhalter (1988).

    Returns
    -------
    mlcore.bayes.BayesNet
        Nodes asia, tub, smoke, lung, bronc, either, xray, dysp with the states "yes" and "no".

    Examples
    --------
    >>> from mlcore.bayes import query
    >>> query(asia(), ["xray"]).factor.values.round(8).tolist()
    [0.11029004, 0.88970996]
    """
    return BayesNet.from_tables(
        {
            "asia": 0.01,
            "tub": [0.05, 0.01],
            "smoke": 0.5,
            "lung": [0.1, 0.01],
            "bronc": [0.6, 0.3],
            "either": [[1, 1], [1, 0]],
            "xray": [0.98, 0.05],
            "dysp": [[0.9, 0.8], [0.7, 0.1]],
        },
        parents={
            "tub": ("asia",),
            "lung": ("smoke",),
            "bronc": ("smoke",),
            "either": ("lung", "tub"),
            "xray": ("either",),
            "dysp": ("bronc", "either"),
        },
    )


def random_network(count, most_parents=2, most_states=2, random_state=0):
    """Return a network with random arrows and random numbers, in which nothing is independent by accident.

    Parameters
    ----------
    count : int
        Number of nodes.
    most_parents : int
        Each node has up to so many parents among the nodes before it, every number being as likely.
    most_states : int
        Each node has two states or more, up to so many.
    random_state : int, numpy.random.Generator or None
        Seed.

    Returns
    -------
    mlcore.bayes.BayesNet
        Nodes x1, x2, … with the states s1, s2, …; the distributions are drawn uniformly among all.

    Raises
    ------
    ValueError
        `count` or `most_parents` is no whole number of at least 0, or `most_states` none of at least 2.

    Examples
    --------
    >>> net = random_network(4, random_state=1)
    >>> net.names, net.states("x1")
    (('x1', 'x2', 'x3', 'x4'), ('s1', 's2'))
    """
    count = as_whole_number("count", count, least=0)
    most_parents = as_whole_number("most_parents", most_parents, least=0)
    most_states = as_whole_number("most_states", most_states, least=2)
    random = np.random.default_rng(random_state)
    sizes = random.integers(2, most_states + 1, size=count)
    nodes = []
    for at, size in enumerate(sizes):
        parents = sorted(random.permutation(at)[: random.integers(min(at, most_parents) + 1)])
        table = random.dirichlet(np.ones(size), size=tuple(sizes[parents]))
        states = [f"s{state + 1}" for state in range(size)]
        nodes.append(Node(f"x{at + 1}", states, [f"x{parent + 1}" for parent in parents], table))
    return BayesNet(nodes)


def lettered_network(count, random_state, arrow=0.5, certain=0.0):
    """Return a network of two-state nodes with random arrows and random numbers.

    Parameters
    ----------
    count : int
        Number of nodes; they are called A, B, C, …, and arrows lead from earlier letters to later ones.
    random_state : int
    arrow : float
        Probability of an arrow between two nodes.
    certain : float
        Probability that a number of a table is 0 or 1, so that some combinations of states cannot occur.

    Returns
    -------
    mlcore.bayes.BayesNet

    Examples
    --------
    >>> lettered_network(4, random_state=0).names
    ('A', 'B', 'C', 'D')
    """
    rng = np.random.default_rng(random_state)
    names = [chr(ord("A") + i) for i in range(count)]
    parents = {name: tuple(other for other in names[:i] if rng.random() < arrow) for i, name in enumerate(names)}
    tables = {}
    for name in names:
        table = rng.uniform(0.05, 0.95, size=(2,) * len(parents[name]))
        tables[name] = np.where(rng.random(table.shape) < certain, table.round(), table)
    return BayesNet.from_tables(tables, parents)


def band_network(count, parents, random_state=0):
    """Return a network of two-state nodes in a row, in which each has the nodes before it as parents.

    Parameters
    ----------
    count : int
        Number of nodes; their names are x0, x1, …
    parents : int
        How many of the nodes just before it are a node's parents; the first nodes have fewer.
    random_state : int
        Of the probabilities, which are drawn uniformly.

    Returns
    -------
    mlcore.bayes.BayesNet

    Examples
    --------
    >>> band_network(4, 2).parents("x3")
    ('x1', 'x2')
    """
    rng = np.random.default_rng(random_state)
    above = {f"x{i}": tuple(f"x{j}" for j in range(max(0, i - parents), i)) for i in range(count)}
    tables = {name: rng.uniform(size=(2,) * len(causes)) for name, causes in above.items()}
    return BayesNet.from_tables(tables, above)


def six_nodes():
    """Return the parents of every node of ES Fig. 67; the arrows fit the three sets that the book lists.

    Returns
    -------
    dict of str to tuple of str
    """
    return {"A": (), "B": ("A",), "C": ("A",), "D": ("B",), "E": ("B", "C"), "F": ("E",)}
