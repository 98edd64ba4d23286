from itertools import product
from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mlcore.bayes._elimination_plan
from mlcore.bayes import BayesNet, Node, query
from mlcore.datasets import asia, burglary_alarm, metastatic_cancer, parkinson, random_network
from mlcore.errors import ZeroProbabilityEvidence

BINARY = ("yes", "no")


def from_the_joint(net, names, evidence):
    """The definition: conditional probability out of the table of the joint distribution."""
    table = net.joint_table().reduce(evidence)
    kept = table.sum_out(*(name for name in table.variables if name not in names)).arrange(names)
    return kept.normalise().values, kept.values.sum()


@st.composite
def questions(draw):
    net = random_network(
        draw(st.integers(1, 8)), draw(st.integers(0, 4)), draw(st.integers(2, 4)), draw(st.integers(0, 10**6))
    )
    names = draw(st.permutations(net.names))
    asked = draw(st.integers(0, min(3, len(names))))
    seen = draw(st.integers(0, len(names) - asked))
    evidence = {name: draw(st.sampled_from(net.states(name))) for name in names[asked : asked + seen]}
    return net, tuple(names[:asked]), evidence


@settings(deadline=None, max_examples=80)
@given(questions(), st.randoms(use_true_random=False))
def test_elimination_enumeration_and_the_joint_table_agree(question, random):
    net, names, evidence = question
    expected, probability = from_the_joint(net, names, evidence)
    hidden = [name for name in net.names if name not in names and name not in evidence]
    random.shuffle(hidden)
    for choice in ({"order": "min_fill"}, {"order": "min_degree"}, {"order": hidden}, {"method": "enumeration"}):
        result = query(net, names, evidence, **choice)
        assert result.factor.variables == names
        np.testing.assert_allclose(result.factor.values, expected, rtol=1e-10, atol=1e-14)
        assert result.probability == pytest.approx(probability, rel=1e-11)
        assert result.log_probability == pytest.approx(log(probability), abs=1e-11)
        assert result.factor.values.sum() == pytest.approx(1, abs=1e-13)


@settings(deadline=None, max_examples=30)
@given(questions())
def test_logarithms_give_the_same(question):
    net, names, evidence = question
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mlcore.bayes._elimination_plan, "SAFE_LOGARITHM", -1.0)
        in_logarithms = query(net, names, evidence, trace=True)
    plain = query(BayesNet([net.node(name) for name in net.names]), names, evidence, trace=True)
    np.testing.assert_allclose(in_logarithms.factor.values, plain.factor.values, rtol=1e-11)
    assert in_logarithms.probability == pytest.approx(plain.probability, rel=1e-11)
    for one, other in zip(in_logarithms.trace, plain.trace, strict=True):
        np.testing.assert_allclose(one.result.values, other.result.values, rtol=1e-11)


@settings(deadline=None, max_examples=40)
@given(questions(), st.sampled_from(["min_fill", "min_degree"]))
def test_every_step_of_the_trace_keeps_the_answer(question, rule):
    """After each step the product of the remaining factors, summed over the rest, is P(variables, evidence)."""
    net, names, evidence = question
    result = query(net, names, evidence, order=rule, trace=True)
    assert tuple(step.variable for step in result.trace) == result.order
    relevant = {*names, *evidence}.union(*(net.ancestors(name) for name in (*names, *evidence)))
    factors = [net.factor(name).reduce(evidence) for name in net.names if name in relevant]
    for step in result.trace:
        mine = [factor for factor in factors if step.variable in factor.variables]
        assert sorted(sorted(scope) for scope in step.factors) == sorted(sorted(f.variables) for f in mine)
        multiplied = mine[0].product(*mine[1:])
        assert set(step.product_scope) == set(multiplied.variables)
        assert step.product_size == multiplied.size
        assert step.operations == (len(mine) - 1) * multiplied.size
        summed = multiplied.sum_out(step.variable)
        assert set(step.result_scope) == set(summed.variables)
        np.testing.assert_allclose(step.result.arrange(summed.variables).values, summed.values, rtol=1e-12)
        factors = [factor for factor in factors if factor not in mine] + [summed]
        assert sorted(sorted(scope) for scope in step.remaining) == sorted(sorted(f.variables) for f in factors)
    last = factors[0].product(*factors[1:]).arrange(names) if factors else None
    if last is not None:
        np.testing.assert_allclose(last.values, result.factor.values * result.probability, rtol=1e-11, atol=1e-15)


def test_numbers_of_parkinson():
    """ES p. 136–137, where the sums are wrong in print."""
    net = parkinson()
    joint = [net.joint(parkinson=a, tremor=b, bent_arm=c) for a, b, c in product(BINARY, repeat=3)]
    # a b c, a b ¬c, a ¬b c, a ¬b ¬c, ¬a b c, ¬a b ¬c, ¬a ¬b c, ¬a ¬b ¬c
    printed = [0.00189, 0.00081, 0.00021, 0.00009, 0.01994, 0.17946, 0.07976, 0.71784]
    assert joint == pytest.approx(printed, abs=1e-12)
    assert sum(joint) == pytest.approx(1, abs=1e-15)

    def disease(**symptoms):
        return query(net, "parkinson", symptoms).factor.value(parkinson="yes")

    assert disease(tremor="yes") == pytest.approx(0.013360, abs=5e-7)
    assert disease(tremor="yes", bent_arm="no") == pytest.approx(0.004493, abs=5e-7)
    assert disease(tremor="yes", bent_arm="yes") == pytest.approx(0.086578, abs=5e-7)
    assert disease(tremor="yes") / disease(tremor="yes", bent_arm="no") == pytest.approx(2.97, abs=0.005)
    assert disease(tremor="yes", bent_arm="yes") / disease(tremor="yes", bent_arm="no") == pytest.approx(19.3, abs=0.05)
    given_b = query(net, "bent_arm", {"tremor": "yes"}).factor
    total = sum(disease(tremor="yes", bent_arm=c) * given_b.value(bent_arm=c) for c in BINARY)
    assert total == pytest.approx(disease(tremor="yes"), rel=1e-14)


def test_facts_of_asia():
    net = asia()
    facts = {"tub": 0.0104, "lung": 0.055, "either": 0.064828, "xray": 0.11029004, "dysp": 0.4359706}
    for name, probability in facts.items():
        assert query(net, name).factor.value({name: "yes"}) == pytest.approx(probability, abs=1e-12)
    seen = query(net, "lung", {"dysp": "yes", "asia": "yes"})
    assert seen.factor.value(lung="yes") == pytest.approx(0.09952515, abs=5e-9)


def test_an_earthquake_explains_the_alarm_away():
    net = burglary_alarm()

    def burglary(**evidence):
        return query(net, "burglary", evidence).factor.value(burglary="yes")

    assert burglary(alarm="yes") > 100 * burglary()
    assert burglary(alarm="yes", earthquake="yes") < 0.01 < burglary(alarm="yes")
    assert burglary(earthquake="yes") == pytest.approx(burglary(), rel=1e-12)  # without an alarm it says nothing
    assert burglary(john="yes", mary="yes") == pytest.approx(0.284171835, abs=1e-9)


def test_a_joint_of_several_variables_in_the_order_asked_for():
    net = metastatic_cancer()
    one = query(net, ["coma", "metastasis"], {"tumor": "yes"}).factor
    other = query(net, ["metastasis", "coma"], {"tumor": "yes"}).factor
    assert one.variables == ("coma", "metastasis")
    np.testing.assert_allclose(one.values, other.values.T, rtol=1e-14)


def test_any_iterable_of_names_will_do():
    net = asia()
    expected = query(net, ("lung",), {"dysp": "yes"}).factor.values
    for names in ("lung", ["lung"], {"lung"}, iter(["lung"]), {"lung": 1}.keys()):
        assert (query(net, names, {"dysp": "yes"}).factor.values == expected).all()


def test_without_evidence_and_without_variables():
    net = asia()
    assert query(net, "dysp").probability == 1
    result = query(net, [], {"tub": "yes", "xray": "no"})
    assert result.factor.value() == 1
    assert result.probability == pytest.approx(0.0104 * 0.02, rel=1e-12)
    assert query(net, []).probability == query(net, [], method="enumeration").probability == 1


def test_factors_wholly_covered_by_evidence_are_kept():
    net = asia()
    everything = dict.fromkeys(net.names, "yes")
    result = query(net, (), everything)
    assert result.probability == pytest.approx(net.joint(everything), rel=1e-14)
    assert result.order == ()
    cut_off = query(net, "asia", {"smoke": "no", "bronc": "yes"})  # the evidence says nothing about asia
    assert cut_off.probability == pytest.approx(0.5 * 0.3, rel=1e-14)
    assert cut_off.factor.value(asia="yes") == pytest.approx(0.01, rel=1e-14)


@pytest.mark.parametrize("method", ["elimination", "enumeration"])
@pytest.mark.parametrize("asked", [(), ("bronc",), ("asia", "smoke")])
@pytest.mark.parametrize("limit", [700.0, -1.0])  # with -1 in logarithms
def test_evidence_of_probability_zero(monkeypatch, method, asked, limit):
    monkeypatch.setattr(mlcore.bayes._elimination_plan, "SAFE_LOGARITHM", limit)
    with pytest.raises(ZeroProbabilityEvidence, match="evidence: expected states that can occur together"):
        query(asia(), asked, {"lung": "yes", "either": "no", "dysp": "yes"}, method=method)
    with pytest.raises(ZeroProbabilityEvidence):
        query(asia(), asked, {"lung": "no", "tub": "no", "either": "yes"}, method=method)


def test_bad_queries():
    net = asia()
    for arguments, message in [
        (("fire",), r"variables: expected nodes of the network \(asia, .*\), got 'fire'"),
        ((["lung", "lung"],), "variables: expected each name once"),
        (("lung", {"fire": "yes"}), "evidence: expected nodes of the network .*, got 'fire'"),
        (("lung", {"tub": "maybe"}), r"tub: expected one of the states \('yes', 'no'\), got 'maybe'"),
        (("lung", {"lung": "yes"}), "variables: expected nodes without evidence, got 'lung'"),
        (("lung", "tub"), "evidence: expected a mapping"),
        (("lung", {}, "best"), "order: expected 'min_fill', 'min_degree' or names, got 'best'"),
        (("lung", {}, ["smoke", "fire"]), "order: expected nodes that are neither asked for nor observed, got 'fire'"),
        (("lung", {}, ["lung"]), "neither asked for nor observed, got 'lung'"),
        (
            ("dysp", {}, ["smoke", "tub"]),
            "order: expected every node that has to be summed out, got none of asia, lung",
        ),
        (("lung", {}, ["smoke", "smoke"]), "order: expected each name once"),
        (("lung", {}, "min_fill", "guessing"), "method: expected 'elimination' or 'enumeration', got 'guessing'"),
    ]:
        with pytest.raises(ValueError, match=message):
            query(net, *arguments)


def test_an_order_may_hold_nodes_that_do_not_matter():
    result = query(asia(), "lung", order=["xray", "dysp", "smoke", "either", "tub", "bronc", "asia"])
    assert result.order == ("smoke",)
    assert query(asia(), "smoke", order=["xray"]).order == ()


def test_the_order_never_depends_on_chance():
    net = random_network(30, most_parents=3, random_state=5)
    again = BayesNet([net.node(name) for name in net.names])
    for rule in ("min_fill", "min_degree"):
        assert (
            query(net, "x30", {"x2": "s1", "x9": "s2"}, rule).order
            == query(again, "x30", {"x9": "s1", "x2": "s2"}, rule).order
        )


def test_enumeration_is_exponential_and_elimination_is_not():
    def operations(count, method):
        links = {f"x{i}": [f"x{i - 1}"] for i in range(1, count)}
        net = BayesNet.from_tables({f"x{i}": [0.3, 0.6] if i else 0.5 for i in range(count)}, links)
        return query(net, f"x{count - 1}", method=method).operations

    for count in (2, 5, 10, 15):
        assert operations(count, "enumeration") == (count - 1) * 2**count
        assert operations(count, "elimination") == (count - 1) * 4
    assert operations(400, "elimination") == 399 * 4


def test_a_thousand_observations_of_one_cause():
    """The products are far below the smallest float, and more factors meet in one step than Einstein's sum takes."""
    count = 1000
    tables = {"cause": 0.5} | {f"e{i}": [0.2, 0.1] for i in range(count)}
    net = BayesNet.from_tables(tables, {f"e{i}": ["cause"] for i in range(count)})
    evidence = {f"e{i}": "yes" if i < 300 else "no" for i in range(count)}
    result = query(net, "cause", evidence)
    logs = [log(0.5) + 300 * log(p) + 700 * log(1 - p) for p in (0.2, 0.1)]
    assert result.log_probability == pytest.approx(np.logaddexp(*logs), rel=1e-12)
    assert result.factor.value(cause="no") == pytest.approx(np.exp(logs[1] - np.logaddexp(*logs)), rel=1e-9)
    few = {name: evidence[name] for name in list(evidence)[:60]}
    assert query(net, "cause", few).probability == pytest.approx(0.5 * (0.2**60 + 0.1**60), rel=1e-12)
    assert query(net, "cause", dict.fromkeys(evidence, "yes")).probability == 0.0  # too small, but not impossible


def test_underflow_is_no_zero():
    """Entry by entry the products underflow; scaling each factor would answer with the wrong one of both states."""
    tiny = 1e-200
    tables = {"x": 0.5} | {f"a{i}": [tiny, 1] for i in range(2)} | {f"b{i}": [1, 1e-160] for i in range(2)}
    net = BayesNet.from_tables(tables, {name: ["x"] for name in tables if name != "x"})
    result = query(net, "x", {name: "yes" for name in tables if name != "x"})
    assert result.log_probability == pytest.approx(log(0.5) + 2 * log(1e-160), rel=1e-12)
    assert result.factor.value(x="no") == 1
    assert result.factor.value(x="yes") == pytest.approx(1e-80, rel=1e-9)


def test_variables_with_a_single_state():
    net = BayesNet(
        [
            Node("fixed", ("only",), (), [1]),
            Node("x", BINARY, ("fixed",), [[0.3, 0.7]]),
            Node("also", ("only",), ("x",), [[1], [1]]),
        ]
    )
    result = query(net, ["also", "x"], {})
    assert result.factor.values.tolist() == [[0.3, 0.7]]
    assert query(net, "x", {"also": "only", "fixed": "only"}).factor.values.tolist() == [0.3, 0.7]


def test_nothing_is_changed_by_asking():
    net = asia()
    tables = {name: net.factor(name).values.copy() for name in net.names}
    evidence = {"dysp": "yes"}
    query(net, ["lung"], evidence, trace=True)
    query(net, ["lung"], evidence, method="enumeration")
    assert evidence == {"dysp": "yes"}
    assert all((net.factor(name).values == table).all() for name, table in tables.items())
    with pytest.raises(AttributeError):
        query(net, ["lung"]).probability = 2
