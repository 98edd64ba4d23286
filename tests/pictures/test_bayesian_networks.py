from itertools import pairwise, product

import numpy as np
import pytest

from mlcore.bayes import BayesNet, Node, d_separated, query
from mlcore.datasets import asia, band_network, burglary_alarm, six_nodes
from mlcore.explore.scene import Scene
from mlcore.pictures.bayesian_networks import (
    burglary_switches,
    cancer_switches,
    causes_first,
    coins_switches,
    combined_roots,
    elimination,
    evidence_switches,
    flu_switches,
    inference_cost,
    network_picture,
    open_paths,
    parkinson,
    relatives,
    three_connections,
    tree_of_observations,
)
from mlcore.pictures.bayesian_networks._dependence_paths import three_networks
from mlcore.pictures.bayesian_networks._elimination import clumsy_order
from mlcore.pictures.bayesian_networks._inference_cost import operations
from mlcore.pictures.bayesian_networks._network_drawing import layered_positions, network_layout, parents_of
from mlcore.pictures.bayesian_networks._relatives import descendants_of

FACTORIES = [
    burglary_switches, coins_switches, flu_switches, cancer_switches, parkinson, elimination, inference_cost,
    three_connections, open_paths, relatives, causes_first, tree_of_observations, combined_roots,
]  # fmt: skip


@pytest.mark.parametrize("factory", FACTORIES)
def test_ends_of_all_controls_are_drawn_and_described(factory):
    picture = factory()
    scene = Scene(picture)
    ends = product(*({c.page_values[0], c.page_values[-1], c.start} for c in picture.controls))
    states = [dict(zip(picture.start, values)) for values in ends]
    drawn = {tuple(scene.moving(state)) for state in states}
    assert len(drawn) >= min(len(states), 6) / 2
    for state in states:
        text = picture.describe(**state)
        assert text
        assert "-" not in text.replace("min-", "")
        assert "nan" not in text


class TestDrawing:
    def test_arrows_point_down(self):
        for parents in (six_nodes(), parents_of(asia())):
            place = layered_positions(parents)
            assert all(place[name][1] < place[above][1] for name in parents for above in parents[name])
            assert len(set(place.values())) == len(parents)

    def test_nodes_stay_in_the_panel_and_apart(self):
        layout = network_layout(parents_of(asia()), size=(4.3, 3.9))
        for name, (x, y) in layout.centres.items():
            a, b = layout.radii[name]
            assert a < x < 4.3 - a
            assert b < y < 3.9 - b
            others = [np.abs(np.array(c) - (x, y)) / (a, b) for n, c in layout.centres.items() if n != name]
            assert all(np.hypot(*gap) > 1 for gap in others)

    def test_an_arrow_bends_around_a_node_in_its_way(self):
        straight = network_picture({"a": (), "b": ("a",), "c": ("b",)})
        bent = network_picture({"a": (), "b": ("a",), "c": ("a", "b")})
        assert "a → c" in bent.describe()
        lines = [Scene(picture).moving({})[0] for picture in (straight, bent)]
        assert len(lines[1]) > len(lines[0]) + 200

    def test_long_names_are_broken(self):
        layout = network_layout({"serum_calcium_increased": ()})
        assert layout.labels["serum_calcium_increased"] == "serum\ncalcium\nincreased"

    @pytest.mark.parametrize(
        ("call", "message"),
        [
            (lambda: layered_positions({"a": ("b",), "b": ("a",)}), "expected no cycle"),
            (lambda: layered_positions({"a": ("z",)}), "only known nodes"),
            (lambda: network_layout({"a": (), "b": ()}, {"a": (0, 0)}), "got none for b"),
            (lambda: relatives({"a": ()}), "at least two nodes"),
            (lambda: causes_first({"a": ("b",), "b": ("a",)}), "expected no cycle"),
        ],
    )
    def test_bad_graphs_are_named(self, call, message):
        with pytest.raises(ValueError, match=message):
            call()


class TestRelatives:
    def test_the_three_sets_of_the_book(self):
        describe = relatives().describe
        assert "e(E) = {B, C}" in describe(node="E")
        assert "s(B) = {D, E, F}" in describe(node="B")
        assert "r(C) = {A, B, D}" in describe(node="C")
        assert "C be independent of B and D given A" in describe(node="C")
        assert "asks nothing of A" in describe(node="A")

    def test_descendants_are_those_of_the_network(self):
        net = asia()
        for name in net.names:
            assert descendants_of(name, parents_of(net)) == set(net.descendants(name))

    @pytest.mark.parametrize("pick", [0, -1])
    def test_causes_stand_before_effects(self, pick):
        parents = parents_of(asia())
        picture = causes_first(parents)
        last = picture.describe(pick=pick, step=len(parents))
        order = last.split(": ")[1].split(". ")[0].split(", ")
        assert sorted(order) == sorted(parents)
        assert all(order.index(above) < order.index(name) for name in parents for above in parents[name])

    def test_two_orderings_of_figure_67(self):
        describe = causes_first().describe
        assert "ordering: A, B, C, D, E, F" in describe(pick=0, step=6)
        assert "ordering: A, C, B, E, F, D" in describe(pick=-1, step=6)
        assert "B and C (green) have no cause left" in describe(pick=0, step=1)


class TestEvidence:
    quiet = dict(alarm=None, earthquake=None, john=None, mary=None)

    @pytest.mark.parametrize(
        ("evidence", "told"),
        [
            ({}, "Nothing observed.\nP(burglary = yes) = 0.001;"),
            ({"alarm": "yes"}, "P(burglary = yes) = 0.374, before 0.001"),
            ({"alarm": "yes", "earthquake": "yes"}, "P(burglary = yes) = 0.00327"),
            ({"earthquake": "yes"}, "P(burglary = yes) = 0.001, before 0.001"),
            ({"john": "yes", "mary": "yes"}, "P(burglary = yes) = 0.284"),
            ({"alarm": "yes", "john": "no", "mary": "no"}, "P(burglary = yes) = 0.374"),
        ],
    )
    def test_explaining_away(self, evidence, told):
        assert told in burglary_switches().describe(**self.quiet | evidence)

    def test_the_bell(self):
        describe = coins_switches().describe
        unknown = dict(coin_1=None, coin_2=None, bell=None)
        assert "P(bell = rings) = 0.75." in describe(**unknown)
        assert "P(coin 1 = heads) = 0.667" in describe(**unknown | {"bell": "rings"})
        assert "P(coin 1 = heads) = 0.5," in describe(**unknown | {"bell": "rings", "coin_2": "heads"})
        assert "P(coin 1 = heads) = 1," in describe(**unknown | {"bell": "rings", "coin_2": "tails"})

    def test_impossible_evidence_is_said_to_be_so(self):
        picture = coins_switches()
        for impossible in (
            dict(coin_1="heads", coin_2=None, bell="silent"),
            dict(coin_1="heads", coin_2="heads", bell="silent"),
        ):
            assert "cannot happen" in picture.describe(**impossible)
            Scene(picture).moving(impossible)

    def test_fever_and_headache(self):
        describe = flu_switches().describe
        unknown = dict(flu=None, fever=None, headache=None)
        assert "P(headache = yes) = 0.522, before 0.13" in describe(**unknown | {"fever": "yes"})
        for fever in ("yes", "no"):
            assert "P(headache = yes) = 0.7," in describe(**unknown | {"flu": "yes", "fever": fever})

    def test_rivals_for_the_coma(self):
        describe = cancer_switches().describe
        coma = dict(metastasis=None, tumor=None, coma="yes")
        assert "P(tumor = yes) = 0.2," in describe(calcium=None, **coma)
        told = describe(calcium="no", **coma)
        assert "P(tumor = yes) = 0.5," in told
        assert "P(metastasis = yes) = 0.125," in told

    def test_numbers_are_those_of_queries(self):
        net = burglary_alarm()
        picture = burglary_switches()
        for state in picture.page_states()[::7]:
            known = {name: value for name, value in state.items() if value is not None}
            p = query(net, "burglary", known).factor.value(burglary="yes")
            shown = float(picture.describe(**state).split("P(burglary = yes) = ")[1].split(",")[0].split(";")[0])
            assert shown == pytest.approx(p, rel=0.02)

    def test_any_network_is_accepted(self):
        grade = Node("class", (1, 2, 3), (), [0.2, 0.5, 0.3])
        answer = Node("my answer", ("a", "b"), ("class",), [[0.9, 0.1], [0.5, 0.5], [0.2, 0.8]])
        figure = Node("figure", ("yes", "no"), ("my answer",), [[0.5, 0.5], [0.1, 0.9]])
        picture = evidence_switches(BayesNet([grade, answer, figure]))
        assert list(picture.start) == ["node_0", "node_1", "node_2"]
        assert "P(class = 3) = 0.3" in picture.describe(**picture.start)
        assert "P(figure = yes) = 0.5" in picture.describe(node_0=None, node_1="a", node_2=None)
        scene = Scene(picture)
        assert len({tuple(scene.moving(state)) for state in picture.page_states()}) == len(picture.page_states())

    def test_a_large_network_gets_as_many_switches_as_fit(self):
        picture = evidence_switches(asia())
        assert len(picture.page_states()) == 81
        few = evidence_switches(asia(), switches=["xray"], show=["lung", "tub"])
        assert few.describe(xray="yes").count("P(") == 2

    def test_everything_observed_leaves_nothing_to_say_but_its_probability(self):
        told = coins_switches().describe(coin_1="heads", coin_2="tails", bell="rings")
        assert told == "Observed: coin 1 = heads, coin 2 = tails, bell = rings; probability of that: 0.25."

    @pytest.mark.parametrize(
        "arguments", [dict(switches=["fire"]), dict(show=["fire"]), dict(positions={"alarm": (0, 0)})]
    )
    def test_unknown_names_are_refused(self, arguments):
        with pytest.raises(ValueError, match="fire|expected one for every node"):
            picture = evidence_switches(burglary_alarm(), **arguments)
            picture.describe(**picture.start)


class TestParkinson:
    @pytest.mark.parametrize(
        ("first", "second", "told"),
        [
            (0, None, "P(Parkinson | tremor) = 0.013360"),
            (0, 1, "P(Parkinson | tremor, no bent arm) = 0.004493"),
            (0, 0, "P(Parkinson | tremor, bent arm) = 0.086578"),
            (None, None, "P(Parkinson) = 0.003000"),
        ],
    )
    def test_the_numbers_of_the_chapter(self, first, second, told):
        assert told in parkinson().describe(prevalence=0.003, first=first, second=second)

    def test_the_printed_value_belongs_to_the_unrounded_prevalence(self):
        assert "= 0.004680" in parkinson().describe(prevalence=0.003125, first=0, second=1)

    def test_the_eight_joint_values(self):
        model = parkinson().draw.keywords["model"]
        expected = [0.00189, 0.00081, 0.00021, 0.00009, 0.01994, 0.17946, 0.07976, 0.71784]
        np.testing.assert_allclose(model.joint(0.003).ravel(), expected, atol=1e-12)
        assert model.joint(0.003).sum() == pytest.approx(1, abs=1e-12)

    def test_the_answer_lies_between_those_of_the_next_question(self):
        picture = parkinson()
        for prevalence in picture.controls[0].values:
            model = picture.draw.keywords["model"]
            low, middle, high = (model.posterior(prevalence, 0, second) for second in (1, None, 0))
            assert low < middle < high

    def test_a_common_disease_and_a_tremor(self):
        assert "= 0.818182" in parkinson().describe(prevalence=0.5, first=0, second=None)

    def test_own_symptoms(self):
        picture = parkinson({"cough": (0.8, 0.1), "test": (0.99, 0.01)}, "flu")
        told = picture.describe(prevalence=0.5, first=1, second=0)
        assert "P(flu | no cough, test)" in told
        Scene(picture).moving(picture.start)

    @pytest.mark.parametrize(
        ("symptoms", "message"),
        [
            ({"cough": (0.8, 0.1)}, "symptoms: expected two, got 1"),
            ({"cough": (0.8, 0.1), "test": (1, 0.5)}, "test: expected two probabilities above 0 and below 1"),
            ({"cough": 0.8, "test": (0.9, 0.5)}, r"cough: expected shape \(2,\)"),
        ],
    )
    def test_bad_symptoms_are_named(self, symptoms, message):
        with pytest.raises(ValueError, match=message):
            parkinson(symptoms)


class TestElimination:
    def test_small_tables_from_the_edge_inwards(self):
        describe = elimination().describe
        for order in ("min_fill", "min_degree"):
            assert "P(xray = yes, dysp = yes) = 0.070670. 52 multiplications, largest product 8" in describe(order, 6)
        told = describe("clumsy", 6)
        assert "320 multiplications, largest product 64 entries; enumeration takes 1792" in told
        assert "either is gone: 3 factors made a product of 64 entries" in describe("clumsy", 1)

    def test_recorded_scopes_follow_from_each_other(self):
        for run in elimination().draw.keywords["shown"].runs.values():
            for step, (before, after) in zip(run.steps, pairwise(run.scopes)):
                assert {frozenset(s) for s in step.factors} <= {frozenset(s) for s in before}
                assert not any(step.variable in scope for scope in after)
                assert step.product_size == 2 ** len(step.product_scope)

    def test_the_clumsy_order_is_one(self):
        net = asia()
        order = clumsy_order(net, ["xray", "dysp"])
        assert sorted(order) == sorted(query(net, ["xray", "dysp"]).order)
        assert order[0] == "either"

    def test_own_question_with_evidence(self):
        picture = elimination(burglary_alarm(), "burglary", {"john": "yes", "mary": "yes"})
        last = picture.page_states()[-1]
        assert "P(burglary = yes | john = yes, mary = yes) = 0.284172" in picture.describe(**last)
        Scene(picture).moving(last)

    def test_a_question_without_sums_is_refused(self):
        with pytest.raises(ValueError, match="something to sum out"):
            elimination(burglary_alarm(), "burglary")


class TestCost:
    def test_enumeration_doubles_and_elimination_adds(self):
        for count in (4, 10, 14):
            assert operations(count, 2, "enumeration") == (count - 1) * 2**count
        for parents in (1, 2, 4, 8):
            costs = [operations(count, parents) for count in (28, 32, 36, 40)]
            assert len(set(np.diff(costs))) == 1
            assert costs[-1] < 40 * 2 ** (parents + 1)

    def test_the_numbers_of_the_text(self):
        told = inference_cost().describe(parents=2)
        assert "16 nodes take 120 multiplications by elimination and 983 040 over all" in told
        assert "elimination pays 32 more" in told
        assert "18 times as dear" in told
        assert operations(8, 8) == operations(8, 8, "enumeration") == 1792
        assert operations(10, 8) < operations(10, 8, "enumeration")

    def test_both_ways_agree(self):
        net = band_network(10, 3)
        both = [query(net, "x9", {"x0": "yes"}, method=m).factor.values for m in ("elimination", "enumeration")]
        np.testing.assert_allclose(*both, atol=1e-12)


class TestPaths:
    def test_open_and_closed_agree_with_the_numbers(self):
        describe = three_connections().describe
        for connection, net in three_networks().items():
            for middle, after in product((False, True), repeat=2):
                told = describe(connection, middle, after)
                given = [name for name, seen in (("M", middle), ("D", after)) if seen]
                assert told.startswith("Closed") == d_separated(net, "A", "B", given)
                numbers = [part.split(" = ")[-1] for part in told.replace(". ", ", ").split(", P(B")[:2]]
                numbers = [text.split(",")[0].split(" ")[0] for text in numbers]
                assert (numbers[0] == numbers[1]) == told.startswith("Closed")

    def test_a_collider_is_opened_by_what_follows_it(self):
        describe = three_connections().describe
        assert "0.389" in describe("collider", middle=False, after=True)
        assert "0.605" in describe("collider", middle=False, after=True)
        assert "0.811" in describe("collider", middle=True, after=False)

    def test_paths_of_figure_67(self):
        describe = open_paths().describe
        none = dict.fromkeys(["see_0", "see_1", "see_2", "see_3"], False)
        assert "B ← A → C" in describe(pair=("B", "C"), **none)
        assert "independent given A" in describe(pair=("B", "C"), **none | {"see_0": True})
        assert "B cannot be asked about and observed" in describe(pair=("B", "C"), **none | {"see_1": True})
        told = describe(pair=("B", "C"), **none | {"see_0": True, "see_3": True})
        assert "B → E ← C (E is opened by F)" in told

    def test_own_network(self):
        picture = open_paths(asia())
        assert len(picture.page_states()) <= 120
        state = picture.start
        assert "Open" not in picture.describe(**state)
        Scene(picture).moving(state)
        one = open_paths(asia(), [("asia", "smoke"), ("tub", "lung")], ["dysp"])
        assert "either is opened by dysp" in one.describe(pair=("tub", "lung"), see_0=True)

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (dict(pairs=[("asia", "asia"), ("asia", "tub")]), "pairs: expected at least two pairs of different nodes"),
            (dict(pairs=[("asia", "tub")]), "pairs: expected at least two"),
            (dict(watch=["asia", "tub", "lung", "smoke", "xray"]), "watch: expected one to four nodes, got 5"),
            (dict(pairs=[("asia", "tub"), ("asia", "fire")]), "fire"),
        ],
    )
    def test_bad_questions_are_named(self, arguments, message):
        with pytest.raises(ValueError, match=message):
            open_paths(asia(), **arguments)


class TestTrees:
    def test_one_factor_cannot_serve_both_cases(self):
        describe = tree_of_observations().describe
        assert "The tree says 0.374, Bayes' rule 0.374. They agree." in describe("yes", None, True)
        assert "They agree." in describe("yes", "yes", True)
        assert "too low, 182 times" in describe(None, "yes", True)
        assert "too high, 114 times" in describe("yes", "yes", False)
        assert "They agree." in describe(None, "yes", False)

    def test_roots_double(self):
        describe = combined_roots().describe
        for count in range(1, 7):
            told = describe(count)
            assert f"the tree has {2**count} roots" in told
            assert f"stores {2 * count + 1} numbers" in told
