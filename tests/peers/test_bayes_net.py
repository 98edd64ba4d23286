"""Bayesian networks against pgmpy and networkx, on random networks and on published ones that pgmpy ships."""

import gzip
import warnings
from random import Random

import networkx as nx
import numpy as np
import pytest
from pgmpy_networks import BIFReader, VariableElimination, network, pgmpy_model, shipped

from mlcore.bayes import d_separated, query, sample
from mlcore.datasets import asia, random_network
from mlcore.errors import ZeroProbabilityEvidence

EXACT = 1e-10
SMALL = ["alarm", "asia", "cancer", "child", "earthquake", "insurance", "sachs", "survey"]
LARGE = ["andes", "hailfinder", "hepar2", "water", "win95pts"]


def ask_both(net, inference, names, evidence, **choice):
    """The largest difference between the two answers; warnings are pgmpy's own."""
    ours = query(net, names, evidence, **choice).factor
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = inference.query(list(names), evidence, show_progress=False)
    axes = [theirs.variables.index(name) for name in names]
    for name in names:
        assert tuple(theirs.state_names[name]) == net.states(name)
    return np.abs(ours.values - theirs.values.transpose(axes)).max()


def likely_questions(net, count, most_evidence):
    """Variables and evidence that was drawn from the network, so that it can happen."""
    for seed in range(count):
        random = Random(seed)
        drawn = sample(net, 1, random_state=seed)
        names = random.sample(net.names, min(len(net.names), 1 + seed % 2 + random.randint(0, most_evidence)))
        asked = names[: 1 + seed % 2]
        yield asked, {name: drawn[name][0] for name in names[len(asked) :]}


@pytest.mark.parametrize("seed", range(30))
def test_random_networks(seed):
    net = random_network(4 + seed % 9, most_parents=3, most_states=4, random_state=seed)
    inference = VariableElimination(pgmpy_model(net))
    for names, evidence in likely_questions(net, 4, 4):
        for choice in ({}, {"order": "min_degree"}, {"method": "enumeration"}):
            assert ask_both(net, inference, names, evidence, **choice) < EXACT


@pytest.mark.parametrize("name", SMALL + LARGE)
def test_published_networks(name):
    net = network(name)
    inference = VariableElimination(pgmpy_model(net))
    for names, evidence in likely_questions(net, 8 if name in SMALL else 3, 6):
        assert ask_both(net, inference, names, evidence) < EXACT


@pytest.mark.parametrize("name", ["alarm", "asia", "child", "insurance"])
def test_all_marginals_of_published_networks(name):
    net = network(name)
    inference = VariableElimination(pgmpy_model(net))
    for node in net.names:
        assert ask_both(net, inference, [node], {}) < EXACT


@pytest.mark.parametrize("name", ["alarm", "asia", "child", "insurance", "hailfinder", "hepar2", "win95pts"])
def test_probability_of_evidence(name):
    """P(e₁, …, eₖ) as a product of P(eᵢ | e₁, …, eᵢ₋₁), each of which pgmpy answers."""
    net = network(name)
    inference = VariableElimination(pgmpy_model(net))
    drawn = sample(net, 1, random_state=0)
    evidence, probability = {}, 1.0
    for node in Random(0).sample(net.names, 5):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            factor = inference.query([node], evidence, show_progress=False)
        probability *= factor.get_value(**{node: drawn[node][0]})
        evidence[node] = drawn[node][0]
    assert query(net, (), evidence).probability == pytest.approx(probability, rel=1e-9)


@pytest.mark.parametrize("name", ["alarm", "insurance", "hailfinder"])
def test_both_read_the_same_tables(name):
    net = network(name)
    reader = BIFReader(string=gzip.decompress(shipped(name).read_bytes()).decode())
    assert list(net.names) == reader.variable_names
    for node in net.names:
        assert list(net.states(node)) == reader.variable_states[node]
        assert list(net.parents(node)) == reader.variable_parents[node]
        ours = net.factor(node).values.reshape(-1, len(net.states(node))).T
        np.testing.assert_allclose(ours, reader.variable_cpds[node], rtol=0, atol=1e-6)


def test_asia_is_the_published_one():
    ours, theirs = asia(), network("asia")
    assert ours.names == theirs.names
    for name in ours.names:
        assert ours.states(name) == theirs.states(name)
        assert set(ours.parents(name)) == set(theirs.parents(name))
        arranged = theirs.factor(name).arrange(ours.factor(name).variables)
        np.testing.assert_allclose(arranged.values, ours.factor(name).values, atol=1e-15)


def test_impossible_evidence_where_pgmpy_is_wrong():
    """pgmpy answers with NaN or a guess (its issue 1068); here it is an error."""
    evidence = {"lung": "yes", "either": "no"}
    with pytest.raises(ZeroProbabilityEvidence):
        query(network("asia"), "bronc", evidence)
    with pytest.raises(ZeroProbabilityEvidence):
        query(network("asia"), "asia", evidence)


def test_forward_sampling_has_the_frequencies_of_pgmpy_marginals():
    net = network("child")
    inference = VariableElimination(pgmpy_model(net))
    count = 20_000
    draws = sample(net, count, random_state=0)
    for name in net.names:
        theirs = inference.query([name], show_progress=False)
        for state, p in zip(theirs.state_names[name], theirs.values):
            assert abs((draws[name] == state).mean() - p) < 4.5 * np.sqrt(p * (1 - p) / count) + 1e-9


@pytest.mark.parametrize("seed", range(40))
def test_d_separation_against_networkx(seed):
    random = Random(seed)
    net = random_network(random.randint(2, 14), most_parents=random.randint(1, 4), random_state=seed)
    _compare_separation(net, random, 40)


@pytest.mark.parametrize("name", ["alarm", "hailfinder", "andes"])
def test_d_separation_in_published_networks(name):
    _compare_separation(network(name), Random(0), 60)


def _compare_separation(net, random, count):
    graph = nx.DiGraph()
    graph.add_nodes_from(net.names)
    graph.add_edges_from((parent, name) for name in net.names for parent in net.parents(name))
    answers = set()
    for _ in range(count):
        names = random.sample(net.names, random.randint(2, min(len(net.names), 8)))
        first = random.randint(1, min(2, len(names) - 1))
        second = random.randint(first + 1, min(first + 2, len(names)))
        x, y, given = set(names[:first]), set(names[first:second]), set(names[second:])
        answers.add(d_separated(net, x, y, given))
        assert d_separated(net, x, y, given) == nx.is_d_separator(graph, x, y, given)
    assert len(answers) == 2 or len(net.names) < 8
