from itertools import combinations

import numpy as np
import pytest

from mlcore.bayes import d_separated, query
from mlcore.datasets import (
    asia,
    burglary_alarm,
    flu_fever_headache,
    metastatic_cancer,
    parkinson,
    random_network,
    two_coins_and_bell,
)


@pytest.mark.parametrize(
    "make, parents",
    [
        (burglary_alarm, {"alarm": ("burglary", "earthquake"), "john": ("alarm",), "mary": ("alarm",)}),
        (two_coins_and_bell, {"bell": ("coin_1", "coin_2")}),
        (flu_fever_headache, {"fever": ("flu",), "headache": ("flu",)}),
        (
            metastatic_cancer,
            {"calcium": ("metastasis",), "tumor": ("metastasis",), "coma": ("calcium", "tumor")},
        ),
        (parkinson, {"tremor": ("parkinson",), "bent_arm": ("parkinson",)}),
    ],
)
def test_graphs(make, parents):
    net = make()
    assert {name: net.parents(name) for name in net.names if net.parents(name)} == parents
    assert net.joint_table().values.sum() == pytest.approx(1, abs=1e-14)


def test_the_bell_rings_three_times_in_four():
    """ES p. 129–130: the joint distribution, and that the coins are independent until the bell is heard."""
    net = two_coins_and_bell()
    assert query(net, "bell").factor.value(bell="rings") == 0.75
    assert net.joint_table().values.ravel().tolist() == [0.25, 0, 0.25, 0, 0.25, 0, 0, 0.25]
    assert query(net, "coin_1", {"coin_2": "tails"}).factor.values.tolist() == [0.5, 0.5]
    rings = query(net, "coin_1", {"bell": "rings"}).factor.value(coin_1="heads")
    both = query(net, "coin_1", {"bell": "rings", "coin_2": "heads"}).factor.value(coin_1="heads")
    assert rings == pytest.approx(2 / 3) and both == pytest.approx(1 / 2)


def test_symptoms_of_the_flu_are_dependent_until_it_is_known():
    net = flu_fever_headache()
    alone = query(net, "headache").factor.value(headache="yes")
    feverish = query(net, "headache", {"fever": "yes"}).factor.value(headache="yes")
    known = query(net, "headache", {"fever": "yes", "flu": "yes"}).factor.value(headache="yes")
    assert feverish > 3 * alone
    assert known == pytest.approx(query(net, "headache", {"flu": "yes"}).factor.value(headache="yes"), rel=1e-14)


def test_metastasis_by_hand():
    net = metastatic_cancer()
    coma = 0.2 * (0.8 * 0.8 + 0.2 * (0.2 * 0.8 + 0.8 * 0.05)) + 0.8 * (0.2 * 0.8 + 0.8 * (0.05 * 0.8 + 0.95 * 0.05))
    assert query(net, "coma").factor.value(coma="yes") == pytest.approx(coma, rel=1e-14)


def test_parkinson_by_prevalence_and_symptoms():
    for prevalence in (0.0, 0.003, 0.5, 1.0):
        net = parkinson(prevalence, tremor=(0.6, 0.3))
        posterior = query(net, "parkinson", {"tremor": "yes"}).factor.value(parkinson="yes")
        assert posterior == pytest.approx(0.6 * prevalence / (0.6 * prevalence + 0.3 * (1 - prevalence)))
    with pytest.raises(ValueError, match="table of parkinson: expected probabilities"):
        parkinson(-0.1)


def test_a_random_network_is_repeatable_and_as_asked_for():
    net = random_network(30, most_parents=3, most_states=4, random_state=7)
    again = random_network(30, most_parents=3, most_states=4, random_state=np.random.default_rng(7))
    assert all((net.factor(name).values == again.factor(name).values).all() for name in net.names)
    assert {len(net.parents(name)) for name in net.names} == {0, 1, 2, 3}
    assert {len(net.states(name)) for name in net.names} == {2, 3, 4}
    assert random_network(0).names == ()
    assert all(d_separated(random_network(5, 0), a, b) for a, b in combinations(random_network(5, 0).names, 2))
    for arguments in [(-1,), (2, -1), (2, 1, 1), (2.5,)]:
        with pytest.raises(ValueError, match="expected a whole number of at least"):
            random_network(*arguments)


def test_asia_has_the_facts_of_lauritzen_and_spiegelhalter():
    net = asia()
    assert query(net, "dysp").factor.value(dysp="yes") == pytest.approx(0.4359706, abs=1e-12)
    assert len(net.names) == 8
