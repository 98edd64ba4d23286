import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlcore.bayes._elimination_order import elimination_order, positions


def by_the_definition(scopes, hidden, rule):
    """The same order from a graph, every cost computed anew at each step."""
    near = {variable: set() for variable in range(12)}
    for members in map(positions, scopes):
        for variable in members:
            near[variable].update(set(members) - {variable})
    left, order = list(hidden), []

    def cost(variable):
        ring = near[variable]
        if rule == "min_degree":
            return len(ring)
        return sum(b not in near[a] for a in ring for b in ring if a < b)

    while left:
        chosen = min(left, key=cost)  # the first of equals
        ring = near.pop(chosen)
        for variable in ring:
            near[variable] = (near[variable] | ring) - {variable, chosen}
        left.remove(chosen)
        order.append(chosen)
    return order


@settings(deadline=None, max_examples=150)
@given(
    st.lists(st.sets(st.integers(0, 11), min_size=1, max_size=4), max_size=20),
    st.lists(st.integers(0, 11), unique=True),
    st.sampled_from(["min_fill", "min_degree"]),
)
def test_each_choice_is_the_cheapest_by_definition(scopes, hidden, rule):
    scopes = [sum(1 << v for v in scope) for scope in scopes]
    assert elimination_order(scopes, hidden, rule) == by_the_definition(scopes, hidden, rule)


def test_the_rules_differ():
    """A variable with three neighbours that all know each other costs min_fill nothing, and min_degree three."""
    clique, path = [0b1111], [0b110000, 0b11000000, 0b1010000, 0b10100000]
    assert elimination_order(clique + path, [4, 0], "min_fill") == [0, 4]
    assert elimination_order(clique + path, [4, 0], "min_degree") == [4, 0]


def test_a_long_chain_keeps_no_fill():
    count = 200
    scopes = [3 << v for v in range(count - 1)]
    order = elimination_order(scopes, np.random.default_rng(0).permutation(count - 1).tolist(), "min_fill")
    assert order[0] == 0 and sorted(order) == list(range(count - 1))


def test_an_unknown_rule():
    with pytest.raises(ValueError, match="order: expected 'min_fill', 'min_degree' or names, got 'best'"):
        elimination_order([1], [0], "best")


def test_positions():
    assert positions(0) == []
    assert positions(1 << 100 | 1 << 64 | 1) == [0, 64, 100]
