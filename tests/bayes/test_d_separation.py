from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlcore.bayes import BayesNet, active_path, d_separated
from mlcore.datasets import asia, burglary_alarm, flu_fever_headache, random_network

NEVER_BY_ACCIDENT = 1e-9  # dependences of the random networks below are larger, rounding errors smaller


def graph(**parents):
    """A network with this graph and numbers that do not matter."""
    return BayesNet.from_tables({name: np.full((2,) * len(above), 0.5) for name, above in parents.items()}, parents)


def dependence(net, x, y, given):
    """Largest difference between P(x, y, given) P(given) and P(x, given) P(y, given)."""
    table = net.joint_table()
    table = table.sum_out(*(name for name in net.names if name not in {*x, *y, *given})).arrange((*x, *y, *given))
    sizes = [int(np.prod([len(net.states(name)) for name in names])) for names in (x, y, given)]
    joint = table.values.reshape(sizes)
    joint = joint / joint.sum(axis=(0, 1))
    return np.abs(joint - joint.sum(axis=1, keepdims=True) * joint.sum(axis=0, keepdims=True)).max()


@st.composite
def questions(draw, most=7):
    net = random_network(draw(st.integers(2, most)), draw(st.integers(1, 3)), 3, draw(st.integers(0, 10**6)))
    names = draw(st.permutations(net.names))
    first = draw(st.integers(1, min(2, len(names) - 1)))
    second = draw(st.integers(first + 1, min(first + 2, len(names))))
    third = draw(st.integers(second, len(names)))
    return net, names[:first], names[first:second], names[second:third]


@settings(deadline=None, max_examples=150)
@given(questions())
def test_separated_exactly_when_independent(question):
    net, x, y, given = question
    assert d_separated(net, x, y, given) == (dependence(net, x, y, given) < NEVER_BY_ACCIDENT)


@settings(deadline=None, max_examples=150)
@given(questions(most=12))
def test_a_witness_is_open_at_every_inner_node(question):
    net, x, y, given = question
    path = active_path(net, x, y, given)
    assert d_separated(net, x, y, given) == (path is None) == d_separated(net, y, x, given)
    if path is None:
        return
    assert path[0] in x and path[-1] in y
    assert len(set(path)) == len(path)
    for before, after in zip(path, path[1:]):
        assert before in net.parents(after) or after in net.parents(before)
    for before, here, after in zip(path, path[1:], path[2:]):
        if before in net.parents(here) and after in net.parents(here):
            assert {here, *net.descendants(here)}.intersection(given)
        else:
            assert here not in given


@settings(deadline=None, max_examples=40)
@given(questions())
def test_every_node_is_independent_of_its_non_descendants_given_its_parents(question):
    """The definition of ES p. 126, with rest(A) as it has to be."""
    net = question[0]
    for name in net.names:
        rest = set(net.names) - {name, *net.descendants(name), *net.parents(name)}
        if rest:
            assert d_separated(net, name, rest, net.parents(name))


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 10**6))
def test_an_added_arrow_takes_independences_away_and_brings_none(seed):
    """ES p. 130."""
    net = random_network(5, most_parents=2, random_state=seed)
    missing = [(a, b) for a, b in combinations(net.names, 2) if a not in net.parents(b)]
    if not missing:
        return
    a, b = missing[seed % len(missing)]
    more = graph(**{name: [*net.parents(name), *([a] if name == b else [])] for name in net.names})
    for x, y in combinations(net.names, 2):
        others = [name for name in net.names if name not in (x, y)]
        for count in range(len(others) + 1):
            for observed in combinations(others, count):
                assert not d_separated(more, x, y, observed) or d_separated(net, x, y, observed)
    assert not d_separated(more, a, b)


def test_chain_fork_and_collider():
    chain, fork = graph(a=[], m=["a"], b=["m"]), graph(m=[], a=["m"], b=["m"])
    for net in (chain, fork):
        assert active_path(net, "a", "b") == ("a", "m", "b")
        assert d_separated(net, "a", "b", "m")
    collider = graph(a=[], b=[], m=["a", "b"], child=["m"], grandchild=["child"])
    assert d_separated(collider, "a", "b")
    for observed in ("m", "child", "grandchild"):
        assert active_path(collider, "a", "b", observed) == ("a", "m", "b")


def test_networks_of_the_book():
    assert d_separated(flu_fever_headache(), "fever", "headache", "flu")
    assert not d_separated(flu_fever_headache(), "fever", "headache")
    assert active_path(burglary_alarm(), "burglary", "earthquake", "mary") == ("burglary", "alarm", "earthquake")
    net = asia()
    assert d_separated(net, ["asia", "tub"], ["smoke", "lung", "bronc"])
    assert active_path(net, "tub", "lung", "xray") == ("tub", "either", "lung")
    assert active_path(net, "tub", "bronc", "dysp") == ("tub", "either", "dysp", "bronc")
    assert not d_separated(net, "xray", "dysp", "bronc")
    assert d_separated(net, "xray", "dysp", "either")


def test_a_shortest_path_is_the_witness():
    net = graph(a=[], m1=["a"], m2=["m1"], b=["m2", "a"])
    assert active_path(net, "a", "b") == ("a", "b")


def test_any_iterable_of_names_will_do():
    net = asia()
    for x in ("xray", ["xray"], ("xray",), {"xray"}, iter(["xray"]), {"xray": 0}.keys()):
        assert d_separated(net, x, {"dysp"}, frozenset(["either", "bronc"]))
    assert d_separated(net, [], ["dysp"])
    assert d_separated(net, "asia", "smoke", given=())


def test_overlapping_and_unknown_nodes_are_rejected():
    net = asia()
    for arguments, message in [
        (("tub", "tub"), "y: expected nodes that are not in x, got 'tub'"),
        (("tub", "lung", ["dysp", "tub"]), "given: expected nodes that are not in x, got 'tub'"),
        (("tub", ["dysp", "lung"], "lung"), "given: expected nodes that are not in y, got 'lung'"),
        ((["tub", "tub"], "lung"), "x: expected each name once"),
        (("fire", "lung"), "x: expected nodes of the network .*, got 'fire'"),
        (("tub", "lung", "fire"), "given: expected nodes of the network .*, got 'fire'"),
        (("tub", 3), "y: expected names, got 3"),
    ]:
        for function in (d_separated, active_path):
            with pytest.raises(ValueError, match=message):
                function(net, *arguments)


def test_a_long_chain_is_searched_without_recursion():
    count = 3000
    net = BayesNet.from_tables(
        {f"x{i}": [0.3, 0.6] if i else 0.5 for i in range(count)}, {f"x{i}": [f"x{i - 1}"] for i in range(1, count)}
    )
    assert len(active_path(net, "x0", f"x{count - 1}")) == count
    assert d_separated(net, "x0", f"x{count - 1}", "x1500")
