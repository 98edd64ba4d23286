import gc
import pickle
import weakref

import numpy as np
import pytest

from mlcore.bayes import BayesNet, Node, d_separated, query, sample
from mlcore.datasets import asia, burglary_alarm, parkinson, random_network

BINARY = ("yes", "no")


def chain(*links):
    """A network of two-state nodes, a link being "child<parent"."""
    parents = {}
    for link in links:
        child, *above = link.split("<")
        parents[child] = above
    return [Node(name, BINARY, above, np.full((2,) * (len(above) + 1), 0.5)) for name, above in parents.items()]


def test_the_joint_is_the_product_of_the_tables():
    net = random_network(6, most_parents=3, most_states=3, random_state=0)
    table = net.joint_table()
    assert table.variables == net.names
    assert table.values.sum() == pytest.approx(1, abs=1e-12)
    rng = np.random.default_rng(0)
    for _ in range(50):
        states = {name: net.states(name)[rng.integers(len(net.states(name)))] for name in net.names}
        product = 1.0
        for name in net.names:
            product *= net.factor(name).value({other: states[other] for other in (*net.parents(name), name)})
        assert net.joint(states) == pytest.approx(product, rel=1e-13)
        assert table.value(states) == pytest.approx(product, rel=1e-13)


def test_relations_in_the_example_of_es_p126():
    net = BayesNet(chain("A", "B<A", "C<A", "E<B<C", "F<E", "D<B"))
    assert net.parents("E") == ("B", "C")
    assert net.descendants("B") == ("E", "F", "D")
    assert net.ancestors("F") == ("A", "B", "C", "E")
    assert net.children("A") == ("B", "C")
    assert net.children("F") == net.descendants("F") == net.ancestors("A") == ()


@pytest.mark.parametrize("seed", range(10))
def test_a_predecessor_ordering_has_parents_first_and_ties_as_given(seed):
    net = random_network(12, most_parents=3, random_state=seed)
    shuffled = BayesNet([net.node(name) for name in np.random.default_rng(seed).permutation(net.names)])
    ordering = shuffled.predecessor_ordering()
    assert sorted(ordering) == sorted(net.names)
    for name in ordering:
        assert all(ordering.index(parent) < ordering.index(name) for parent in net.parents(name))
    for at, name in enumerate(ordering):  # of the nodes that could have come, the first given came
        free = [n for n in shuffled.names if n in ordering[at:] and set(net.parents(n)) <= set(ordering[:at])]
        assert name == free[0]


def test_cycles_are_rejected_by_naming_one():
    with pytest.raises(ValueError, match="without a cycle, got B → C → D → B$"):
        BayesNet(chain("A", "B<A<D", "C<B", "D<C", "E<D"))
    with pytest.raises(ValueError, match="got A → A$"):
        BayesNet(chain("A<A"))


def test_the_cycle_named_runs_along_arrows():
    nodes = chain("A<B", "B<C", "C<A", "D<A", "E")
    with pytest.raises(ValueError) as raised:
        BayesNet(nodes)
    names = str(raised.value).split("got ")[1].split(" → ")
    parents = {node.name: node.parents for node in nodes}
    assert names[0] == names[-1] and len(names) == 4
    assert all(before in parents[after] for before, after in zip(names, names[1:]))


@pytest.mark.parametrize(
    "arguments, message",
    [
        (("x", BINARY, (), [0.4, 0.7]), r"table of x: expected probabilities that sum to 1, got the sum 1.1$"),
        (
            ("x", BINARY, ("p", "q"), [[[1, 0], [0, 1]], [[0.5, 0.5], [0.3, 0.3]]]),
            "got the sum 0.6, p in state 1, q in state 1",
        ),
        (("x", BINARY, (), [1.2, -0.2]), "table of x: expected probabilities, got -0.2"),
        (("x", BINARY, (), [1.0, 0.00001]), "sum to 1, got the sum 1.00001"),
        (("x", BINARY, (), [1, 0, 0]), r"table of x: expected shape \(2,\), got \(3,\)"),
        (("x", BINARY, ("p",), [1, 0]), r"expected shape \(states of p, 2\), got \(2,\)"),
        (("x", BINARY, ("p", "p"), np.ones((2, 2, 2)) / 2), "parents of x: expected each name once"),
        (("x", (1, 1), (), [1, 0]), "states of x: expected each name once"),
        (("x", (), (), []), "states of x: expected at least one"),
        (("x", BINARY, (), [np.nan, 1]), "got NaN"),
    ],
)
def test_bad_nodes(arguments, message):
    with pytest.raises(ValueError, match=message):
        Node(*arguments)


def test_rounded_numbers_are_scaled_to_sum_to_one():
    node = Node("x", (1, 2, 3), (), [0.3333333, 0.3333333, 0.3333333])
    assert node.table.sum() == pytest.approx(1, abs=1e-15)
    assert not node.table.flags.writeable


def test_bad_networks():
    with pytest.raises(ValueError, match="names of the nodes: expected each name once"):
        BayesNet(chain("A") * 2)
    with pytest.raises(ValueError, match="parents of B: expected nodes of the network, got 'A'"):
        BayesNet(chain("B<A"))
    three = Node("A", (1, 2, 3), (), [0.2, 0.3, 0.5])
    with pytest.raises(ValueError, match=r"table of B: expected shape \(3, 2\), got \(2, 2\)"):
        BayesNet([three, *chain("B<A")])


def test_unknown_names_and_states_are_told():
    net = burglary_alarm()
    with pytest.raises(ValueError, match=r"nodes of the network \(burglary, earthquake, .*\), got 'fire'"):
        net.states("fire")
    for method in (net.parents, net.children, net.descendants, net.ancestors, net.factor):
        with pytest.raises(ValueError, match="got 'fire'"):
            method("fire")
    with pytest.raises(ValueError, match="got none for mary"):
        net.joint(burglary="yes", earthquake="yes", alarm="no", john="no")
    with pytest.raises(ValueError, match="alarm: expected one of the states"):
        net.joint(alarm="loud")
    with pytest.raises(ValueError, match="joint_table: expected at most"):
        random_network(26).joint_table()


def test_from_tables():
    net = BayesNet.from_tables(
        {"a": [0.2, 0.3, 0.5], "b": 0.25, "c": np.full((3, 2), 0.75)},
        parents={"c": ("a", "b")},
        states={"a": (1, 2, 3), "b": BINARY, "c": BINARY},
    )
    assert net.factor("c").variables == ("a", "b", "c")
    assert net.factor("c").value(a=2, b="no", c="no") == 0.25
    assert net.factor("b").value(b="no") == 0.75
    for arguments, message in [
        (({"a": 0.1}, {"b": ["a"]}), "parents: expected nodes that have a table, got 'b'"),
        (({"a": 1.1},), "table of a: expected probabilities, got -0.1"),
        (({"a": 0.1}, None, {}), "states: expected those of every node, got none for 'a'"),
        (({"a": [[1], [1, 2]]},), "table of a: expected numbers in an array"),
        (({"a": "often"},), "table of a: expected numbers in an array"),
    ]:
        with pytest.raises(ValueError, match=message):
            BayesNet.from_tables(*arguments)


def test_an_empty_network():
    net = BayesNet([])
    assert net.names == net.predecessor_ordering() == ()
    assert net.joint() == net.joint_table().value() == 1
    assert query(net, ()).probability == 1


def test_state_names_never_depend_on_the_order_of_definition():
    net = asia()
    for seed in range(5):
        rng = np.random.default_rng(seed)
        other = BayesNet([net.node(name) for name in rng.permutation(net.names)])
        for name in net.names:
            assert other.states(name) == net.states(name)
            answer = query(other, name, {"dysp": "yes"} if name != "dysp" else {})
            expected = query(net, name, {"dysp": "yes"} if name != "dysp" else {})
            for state in net.states(name):
                assert answer.factor.value({name: state}) == pytest.approx(
                    expected.factor.value({name: state}), abs=1e-14
                )


def test_states_in_another_order_give_the_same_answers():
    net = asia()
    turned = BayesNet(
        [
            Node(node.name, node.states[::-1], node.parents, np.flip(node.table))
            for node in (net.node(name) for name in net.names)
        ]
    )
    for name in net.names[:-1]:
        answer, expected = (query(which, name, {"dysp": "no"}).factor for which in (turned, net))
        assert answer.states[name] == expected.states[name][::-1]
        for state in net.states(name):
            assert answer.value({name: state}) == pytest.approx(expected.value({name: state}), abs=1e-14)


def test_sampling_frequencies():
    net = random_network(6, most_parents=2, most_states=3, random_state=3)
    count = 40_000
    draws = sample(net, count, random_state=0)
    assert tuple(draws) == net.names
    for name in net.names:
        scope = (*net.parents(name), name)
        joint = query(net, scope).factor
        for states in np.ndindex(joint.values.shape):
            p = joint.values[states]
            drawn = np.all([draws[n] == net.states(n)[s] for n, s in zip(scope, states)], axis=0).mean()
            assert abs(drawn - p) < 4.5 * np.sqrt(p * (1 - p) / count) + 1e-12


def test_sampling_is_repeatable_and_keeps_the_states():
    net = BayesNet([Node("x", (True, 2, "three", None), (), [0.25, 0, 0.25, 0.5])])
    draws = sample(net, 200, random_state=1)["x"]
    assert {type(state) for state in draws} == {bool, str, type(None)}
    assert not np.any(draws == 2)
    assert (draws == sample(net, 200, random_state=np.random.default_rng(1))["x"]).all()
    assert sample(net, 0)["x"].shape == (0,)
    with pytest.raises(ValueError, match="count: expected a whole number of at least 0, got -1"):
        sample(net, -1)


def test_what_was_prepared_for_a_network_goes_with_it():
    net = parkinson()
    query(net, "parkinson")
    copy = pickle.loads(pickle.dumps(net))
    assert query(copy, "parkinson").factor.value(parkinson="yes") == 0.003
    gone = weakref.ref(net)
    del net
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize("backwards", [False, True])
def test_a_long_chain(backwards):
    """Time grows with the number of nodes, so this is a matter of moments (of minutes, were it with its square)."""
    names = [f"x{i}" for i in range(20_000)]
    tables = {name: [0.3, 0.6] if i else 0.5 for i, name in enumerate(names)}
    parents = {name: [above] for above, name in zip(names, names[1:])}
    net = BayesNet.from_tables(dict(reversed(tables.items())) if backwards else tables, parents)
    assert net.predecessor_ordering() == tuple(names)
    found = query(net, names[-1], {names[-2]: "no"})
    assert found.factor.value({names[-1]: "yes"}) == pytest.approx(0.6)
    assert found.probability == pytest.approx(1 - 0.6 / 1.3)  # the chain has forgotten where it began
    assert d_separated(net, names[0], names[-1], names[1:-1:2])
    assert not d_separated(net, names[0], names[-1])


@pytest.mark.parametrize("seed", range(5))
def test_ties_of_the_ordering_go_by_the_order_of_the_names(seed):
    net = random_network(12, most_parents=2, random_state=seed)
    left, expected = list(net.names), []
    while left:
        expected.append(next(name for name in left if not set(net.parents(name)) & set(left)))
        left.remove(expected[-1])
    assert net.predecessor_ordering() == tuple(expected)


WORDS = [["f0"], "f0", [("f", "0")], {"f"}, 3]


@pytest.mark.parametrize("words", WORDS, ids=str)
def test_what_is_no_mapping_is_refused_by_its_name(words):
    net = BayesNet.from_tables({"f": 0.5, "g": 0.5}, states=("0", "1"))
    for argument, call in {
        "evidence": [lambda: query(net, "g", words), lambda: net.factor("f").reduce(words)],
        "assignment": [lambda: net.joint(words), lambda: net.factor("f").value(words)],
        "tables": [lambda: BayesNet.from_tables(words)],
        "parents": [lambda: BayesNet.from_tables({"f": 0.5}, words), lambda: BayesNet.from_cases({"f": [0]}, words)],
        "cases": [lambda: BayesNet.from_cases(words)],
    }.items():
        for refused in call:
            with pytest.raises(ValueError, match=f"^{argument}: expected a mapping"):
                refused()
