import pytest

from mlcore.bayes import query
from mlcore.bayes._elimination_plan import layout_of, plan_query
from mlcore.datasets import asia, random_network


def plan(net, asked=(), observed=(), order="min_fill", method="elimination"):
    return plan_query(layout_of(net), tuple(asked), frozenset(observed), order, method)


def test_barren_nodes_are_left_out():
    net = asia()
    made = plan(net, ["lung"], ["tub"])
    assert [net.names[node] for node in made.nodes] == ["asia", "tub", "smoke", "lung"]
    assert [net.names[v] for v in made.order] == ["asia", "smoke"]
    assert len(plan(net, ["lung"], ["dysp"]).nodes) == 7  # all but xray
    assert len(plan(net, ["lung"], method="enumeration").nodes) == 8


def test_observed_nodes_are_in_no_scope():
    net = random_network(15, most_parents=3, random_state=1)
    observed = net.names[3:9]
    made = plan(net, ["x15"], observed)
    seen = {layout_of(net).position[name] for name in observed}
    assert not seen.intersection(v for step in made.steps for v in (*step.product, *made.order))
    assert not seen.intersection(v for scope in made.scopes for v in scope)


@pytest.mark.parametrize("rule", ["min_fill", "min_degree"])
@pytest.mark.parametrize("seed", range(8))
def test_every_factor_is_used_once_and_every_variable_summed_once(seed, rule):
    net = random_network(14, most_parents=3, most_states=3, random_state=seed)
    made = plan(net, ["x9", "x3"], ["x14", "x7"], rule)
    used = [slot for step in made.steps for slot in step.slots] + list(made.constants)
    assert sorted(used) == list(range(len(made.nodes) + len(made.steps) - 1))
    assert len(set(made.order)) == len(made.order) == len(made.steps) - 1
    for variable, step in zip(made.order, made.steps):
        assert set(step.product) == {v for scope in step.scopes for v in scope}
        assert step.result == tuple(v for v in step.product if v != variable)
        assert all(variable in scope for scope in step.scopes)
    assert made.steps[-1].result == (8, 2)


def test_a_plan_is_kept_for_all_states_of_the_evidence_and_not_for_ever():
    net = asia()
    assert plan(net, ["lung"], ["dysp", "asia"]) is plan(net, ["lung"], ["asia", "dysp"])
    assert plan(net, ["lung"], ["dysp"]) is not plan(net, ["lung"], ["dysp"], "min_degree")
    assert plan_query.cache_info().maxsize is not None


def test_a_plan_too_large_is_refused_before_any_product_is_made():
    net = random_network(60, most_parents=12, random_state=0)
    with pytest.raises(ValueError, match="query: expected products of at most 33554432 entries, got one of .* over"):
        query(net, "x60", {"x59": "s1"})
    with pytest.raises(ValueError, match=r"got one of 1.15e\+18 entries over 60 variables \(x1, x2, x3, x4, …\)"):
        query(net, "x60", method="enumeration")
    with pytest.raises(ValueError, match="over 40 variables"):
        query(random_network(40, most_parents=0), [f"x{i}" for i in range(1, 41)])


def test_logarithms_only_where_a_product_could_underflow():
    assert not plan(asia(), ["lung"], ["dysp"]).in_logarithms
    assert plan(random_network(400, most_parents=1), ["x1"], [f"x{i}" for i in range(2, 400)]).in_logarithms
