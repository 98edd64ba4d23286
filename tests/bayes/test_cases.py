"""Tables counted from cases."""

import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import CategoricalNB

from mlcore.bayes import BayesNet, sample
from mlcore.datasets import asia, random_network


@pytest.mark.parametrize("pseudocount", [0.5, 1, 10])
@pytest.mark.parametrize("seed", range(4))
def test_every_entry_is_a_ratio_of_counts(seed, pseudocount):
    true = random_network(6, most_parents=2, most_states=3, random_state=seed)
    parents = {name: true.parents(name) for name in true.names}
    states = {name: true.states(name) for name in true.names}
    cases = sample(true, 200, random_state=seed)
    net = BayesNet.from_cases(cases, parents, states, pseudocount)
    assert net.names == true.names
    for name in net.names:
        table = net.node(name).table
        for at in np.ndindex(table.shape):
            fits = np.ones(200, dtype=bool)
            for parent, index in zip(parents[name], at):
                fits &= cases[parent] == states[parent][index]
            both = fits & (cases[name] == states[name][at[-1]])
            expected = (both.sum() + pseudocount) / (fits.sum() + pseudocount * len(states[name]))
            assert table[at] == pytest.approx(expected, abs=1e-15)


def test_many_cases_bring_the_network_back():
    true = asia()
    parents = {name: true.parents(name) for name in true.names}
    cases = sample(true, 400_000, random_state=0)
    net = BayesNet.from_cases(cases, parents, true.states("asia"), pseudocount=1e-9)
    for name in true.names:
        weights = np.sqrt(200)  # of the rarest combination: about 400 cases
        assert np.abs(net.node(name).table - true.node(name).table).max() < 3 / weights


def test_naive_bayes_is_a_network_without_arrows_among_the_features():
    random = np.random.default_rng(0)
    X, y = random.integers(0, 3, size=(60, 4)), random.integers(0, 2, size=60)
    cases = pd.DataFrame(X, columns=list("abcd")).assign(cause=y)
    net = BayesNet.from_cases(cases, dict.fromkeys("abcd", ("cause",)), pseudocount=1)
    peer = CategoricalNB(alpha=1).fit(X, y)
    for k, name in enumerate("abcd"):
        np.testing.assert_allclose(net.node(name).table, np.exp(peer.feature_log_prob_[k]), atol=1e-15)


def test_states_left_out_are_those_that_occur_sorted():
    net = BayesNet.from_cases({"a": [3, 1, 1], "b": np.array(["y", "x", "x"])})
    assert (net.states("a"), net.states("b")) == ((1, 3), ("x", "y"))
    np.testing.assert_allclose(net.node("a").table, [2 / 3, 1 / 3])


def test_without_pseudocount_the_tables_make_the_cases_most_probable():
    cases = {"a": list("uuv"), "b": list("xyx")}
    parents = {"b": ["a"]}
    best = BayesNet.from_cases(cases, parents)

    def log_likelihood(net):
        return sum(np.log(net.joint(dict(zip(cases, case)))) for case in zip(*cases.values()))

    for pseudocount in (0.1, 1.0):
        assert log_likelihood(best) > log_likelihood(BayesNet.from_cases(cases, parents, pseudocount=pseudocount))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"cases": {"a": [0, 1], "b": [0]}}, "cases: expected as many states of every node"),
        ({"states": {"a": (0, 1), "b": (0, 2)}}, r"cases of b: expected the states \(0, 2\), got 1 in case 1"),
        ({"states": {"a": (0, 1)}}, "states: expected those of every node, got none for 'b'"),
        ({"parents": {"b": ["c"]}}, "parents of b: expected nodes that have cases, got 'c'"),
        ({"parents": {"c": ["a"]}}, "parents: expected nodes that have a table, got 'c'"),
        ({"parents": {"a": ["b"], "b": ["a"]}}, "nodes: expected arrows without a cycle"),
        ({"pseudocount": -1}, "pseudocount: expected a finite number of at least 0"),
        ({"states": (0, 1, 2)}, "with every combination of the parents of b, got none with a = 2; a pseudocount"),
        ({"cases": {"a": [], "b": []}, "states": (0, 1)}, "the parents of a, got none; a pseudocount"),
    ],
)
def test_bad_input(change, message):
    arguments = {"cases": {"a": [0, 1], "b": [0, 1]}, "parents": {"b": ["a"]}} | change
    with pytest.raises(ValueError, match=message):
        BayesNet.from_cases(**arguments)
