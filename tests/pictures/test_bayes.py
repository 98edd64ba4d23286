from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from mlcore.bayes import three_boxes
from mlcore.datasets import recorded_tosses
from mlcore.explore.scene import Scene
from mlcore.pictures.bayes import (
    box_from_draws,
    boxes,
    coin_density,
    diagnostic_test,
    interval_probability,
    measured,
    probability_tree,
    repeated_tests,
    two_densities,
    unit_square,
)
from mlcore.pictures.bayes._boxes import read_boxes
from mlcore.pictures.bayes._coin_density import PRIORS, density_of_heads
from mlcore.pictures.bayes._diagnostic_test import screened_people
from mlcore.pictures.bayes._repeated_tests import beliefs
from mlcore.pictures.drawing.readout import probability

OF_BOXES = (boxes, probability_tree, box_from_draws)
FACTORIES = (
    *OF_BOXES,
    unit_square,
    diagnostic_test,
    repeated_tests,
    coin_density,
    interval_probability,
    two_densities,
)


def corners(picture):
    """Return the start and every combination of ends."""
    names = [control.name for control in picture.controls]
    ends = product(*((control.values[0], control.values[-1]) for control in picture.controls))
    return [picture.start, *(dict(zip(names, values)) for values in ends)]


@pytest.mark.parametrize("factory", FACTORIES)
def test_every_corner_is_drawn_and_described(factory):
    picture = factory()
    scene = Scene(picture)
    assert len(picture.page_states()) <= 120
    for state in corners(picture):
        assert "nan" not in picture.describe(**state).split()
        assert "nan" not in "".join(scene.moving(state))
    assert scene.png(picture.start).startswith(b"\x89PNG")


@pytest.mark.parametrize("factory", FACTORIES)
def test_every_control_changes_picture_and_readout(factory):
    picture = factory()
    scene = Scene(picture)
    start = picture.start | ({"n": 10} if factory is coin_density else {})
    for control in picture.controls:
        states = [start | {control.name: value} for value in control.page_values]
        assert len({picture.describe(**state) for state in states}) > 1
        assert len({tuple(scene.moving(state)) for state in states}) > 1


class TestBoxes:
    def test_the_numbers_of_the_book(self):
        text = boxes().describe(**boxes().start)
        assert "12 things in 3 boxes. p(cube) = 5/12, p(ball) = 7/12; p(solid) = 1/6, p(dashed) = 5/12" in text
        assert "p(box | cube) = 1/5 (solid), 3/5 (dashed), 1/5 (dotted)" in text
        assert "p(box | ball) = 1/7 (solid), 2/7 (dashed), 4/7 (dotted)" in text

    def test_balls_in_the_dotted_box_say_nothing_about_cubes(self):
        picture = boxes()
        texts = [picture.describe(box="dotted", first=1, second=balls) for balls in range(6)]
        assert all("p(box | cube) = 1/5 (solid), 3/5 (dashed), 1/5 (dotted)" in text for text in texts)
        assert "p(cube) = 5/8" in texts[0] and "p(dotted) = 1/8" in texts[0]
        assert "p(cube) = 5/13" in texts[5] and "p(dotted) = 6/13" in texts[5]

    def test_what_no_box_holds_gives_no_condition(self):
        picture = boxes([[0, 2], [1, 1]])
        assert "p(box | x₁) is not defined, as there is none" in picture.describe(box="y₂", first=0, second=1)

    def test_the_start_is_what_is_in_the_box(self):
        for counts in (three_boxes()[0], [[1, 9], [1, 8]], [[1, 2, 3, 4], [5, 6, 7, 8]]):
            picture = boxes(counts)
            box, first, second = picture.start.values()
            data = read_boxes(counts)
            assert np.array_equal(data.refilled(box, first, second), counts)
            assert len(picture.page_states()) <= 120

    def test_own_boxes_from_a_data_frame(self):
        frame = pd.DataFrame([[4, 1], [1, 3]], index=["red", "blue"], columns=["left", "right"])
        assert boxes(frame).describe(box="right", first=1, second=3).startswith("9 things in 2 boxes. p(red) = 5/9")

    @pytest.mark.parametrize("factory", OF_BOXES)
    @pytest.mark.parametrize(
        ("counts", "message"),
        [
            ([[1, 2, 3]], r"counts: expected shape \(2, k\)"),
            ([[1], [2]], "two to four boxes, got 1"),
            ([[1] * 5, [2] * 5], "two to four boxes, got 5"),
            ([[1, 10], [2, 2]], "whole numbers from 0 to 9"),
            ([[1, 0.5], [2, 2]], "whole numbers from 0 to 9"),
            ([[1, 0], [2, 0]], "at least two boxes that are not empty"),
            ([[1, -1], [2, 1]], "none below 0"),
            (["a"], "counts: expected numbers"),
        ],
    )
    def test_bad_boxes_are_named(self, factory, counts, message):
        with pytest.raises(ValueError, match=message):
            factory(counts)


class TestTree:
    def test_both_ways_lead_to_the_same_leaf(self):
        text = probability_tree().describe(box="dashed", first=3, second=2)
        assert "p(dashed) p(cube | dashed) = 5/12 · 3/5 = 1/4" in text
        assert "p(cube) p(dashed | cube) = 5/12 · 3/5 = 1/4" in text

    def test_impossible_branches_have_no_number(self):
        picture = probability_tree()
        assert "p(cube | dotted) is not defined" in picture.describe(box="dotted", first=0, second=0)
        nothing = probability_tree([[1, 0], [2, 2]])
        assert "nothing is a x₁" in nothing.describe(box="y₁", first=0, second=1)


class TestUnitSquare:
    def test_what_each_condition_leaves(self):
        picture = unit_square()
        assert "0.143 (solid), 0.286 (dashed), 0.571 (dotted)" in picture.describe(given="ball")
        assert "p(dotted) = 0.417" in picture.describe(given="dotted")
        assert "0.200 (cube), 0.800 (ball)" in picture.describe(given="dotted")

    def test_a_large_table_of_data_is_drawn(self):
        counts = pd.crosstab(pd.Series(list("aabbc") * 7), pd.Series(list("vwxyz") * 7))
        picture = unit_square(counts)
        assert len(picture.page_states()) == 1 + 3 + 5
        scene = Scene(picture)
        assert len({tuple(scene.moving(state)) for state in picture.page_states()}) == 9

    @pytest.mark.parametrize(
        ("counts", "names", "message"),
        [
            ([[1, 2]], {}, "rows: expected two to five, got 1"),
            ([[1] * 6, [1] * 6], {}, "columns: expected two to five, got 6"),
            ([[1, 0], [2, 0]], {}, "columns: expected a count above 0 in each, got none in y₂"),
            ([[1, 1], [2, 1]], {"rows": ("a", "b"), "columns": ("b", "c")}, "names that all differ"),
            ([[1, 1], [2, 1]], {"rows": ("nothing", "b")}, "names that all differ"),
        ],
    )
    def test_bad_tables_are_named(self, counts, names, message):
        with pytest.raises(ValueError, match=message):
            unit_square(counts, **names)


class TestBoxFromDraws:
    picture = box_from_draws()

    def test_one_cube_gives_the_conditional_of_the_table(self):
        text = self.picture.describe(first=1, second=0, prior="things")
        assert "0.200 (solid), 0.600 (dashed), 0.200 (dotted)" in text
        assert "the sum is 1.3, and need not be 1" in text

    def test_another_prior_another_posterior(self):
        text = self.picture.describe(first=1, second=0, prior="boxes")
        assert "p(draws) = 0.433" in text and "0.385 (solid), 0.462 (dashed), 0.154 (dotted)" in text

    def test_when_the_dotted_box_takes_the_lead(self):
        leaders = []
        for balls in range(9):
            text = self.picture.describe(first=3, second=balls, prior="things")
            shares = [float(part.split()[-1]) for part in text.split("posterior ")[-1].split(" (")[:3]]
            leaders.append(int(np.argmax(shares)))
        assert leaders == [1] * 5 + [2] * 4

    def test_draws_that_no_box_allows(self):
        picture = box_from_draws([[1, 0], [0, 1]])
        text = picture.describe(first=1, second=1, prior="boxes")
        assert "the posterior is not defined" in text
        assert Scene(picture).png({"first": 1, "second": 1, "prior": "boxes"}).startswith(b"\x89PNG")

    def test_an_empty_box_gives_nothing_to_draw(self):
        with pytest.raises(ValueError, match="expected no empty box, got one: y₃"):
            box_from_draws([[1, 1, 0], [1, 2, 0]])


class TestDiagnosticTest:
    def test_the_base_rate_decides(self):
        picture = diagnostic_test()
        assert "p(ill | positive) = 9 / (9 + 49.5) = 0.154" in picture.describe(**picture.start)
        for state, expected in (
            ({"sensitivity": 0.99}, "0.167"),
            ({"specificity": 0.99}, "0.476"),
            ({"prevalence": 0.5}, "0.947"),
        ):
            assert f"= {expected}; p(ill | negative)" in picture.describe(**picture.start | state)

    def test_a_coin_tells_nothing(self):
        for prevalence in (0.001, 0.2):
            table = screened_people(prevalence, 0.5, 0.5).table
            for result in table.columns:
                assert table.given_column(result)[0] == pytest.approx(prevalence)

    def test_a_thousand_people_are_a_thousand(self):
        for state in diagnostic_test().page_states():
            tested = screened_people(**state)
            assert sum(tested.counts) == 1000
            assert np.abs(np.array(tested.counts) - 1000 * tested.table.probabilities.ravel()).max() < 1

    @pytest.mark.parametrize("name", ["prevalence", "sensitivity", "specificity"])
    @pytest.mark.parametrize("value", [0, 1, -0.1, np.nan])
    def test_bad_probabilities_are_named(self, name, value):
        good = {"prevalence": 0.1, "sensitivity": 0.9, "specificity": 0.9}
        with pytest.raises(ValueError, match=f"{name}: expected a probability strictly between 0 and 1"):
            screened_people(**good | {name: value})


class TestRepeatedTests:
    def test_the_numbers_of_the_text(self):
        assert beliefs("+++", 0.01, 0.95) == pytest.approx([0.01, 0.1538, 0.7660, 0.9833], abs=1e-4)

    def test_the_order_does_not_matter_and_odds_are_multiplied(self):
        assert beliefs("+−", 0.01, 0.95)[-1] == pytest.approx(beliefs("−+", 0.01, 0.95)[-1])
        odds = [p / (1 - p) for p in beliefs("++−", 0.1, 0.8)]
        assert np.divide(odds[1:], odds[:-1]) == pytest.approx([0.9 / 0.2, 0.9 / 0.2, 0.1 / 0.8])

    def test_every_state_stays_on_the_scale(self):
        picture = repeated_tests()
        limits = Scene(picture)._figure.axes[1].get_xlim()
        for state in picture.page_states():
            path = beliefs(**state)
            assert (np.abs(np.log10(path / (1 - path))) < limits[1]).all()


class TestCoin:
    @pytest.mark.parametrize(("heads", "tails"), [(0, 0), (1, 0), (17, 12), (40, 3)])
    def test_densities_are_those_of_beta(self, heads, tails):
        for prior, (a, b) in {"flat: anything goes": (1, 1), "close to fair": (20, 20), "rather tails": (2, 8)}.items():
            q, before, after, _ = density_of_heads(heads, tails, prior)
            assert before == pytest.approx(stats.beta(a, b).pdf(q), abs=2e-3)
            assert after == pytest.approx(stats.beta(a + heads, b + tails).pdf(q), abs=2e-3)

    @pytest.mark.parametrize("prior", PRIORS)
    def test_the_area_is_one_and_zero_stays_zero(self, prior):
        q, before, after, _ = density_of_heads(3, 9, prior)
        assert before.mean() == pytest.approx(1) == after.mean()
        assert (after[before == 0] == 0).all()

    def test_the_numbers_of_the_text(self):
        picture = coin_density()
        text = picture.describe(n=29, prior="flat: anything goes")
        assert "17 heads and 12 tails. Posterior: mean 0.581" in text and "from 0.41 to 0.75" in text
        assert "reaches 4.47" in text and "likelihood: 6.42e-10" in text
        assert "mean 0.536" in picture.describe(n=29, prior="close to fair")
        assert "reaches 2.00" in picture.describe(n=1, prior="flat: anything goes")
        assert sum(recorded_tosses()) == 17 and len(recorded_tosses()) == 29

    def test_no_state_leaves_the_picture(self):
        picture = coin_density()
        highest = Scene(picture)._figure.axes[0].get_ylim()[1]
        seen = np.cumsum([0, *recorded_tosses()])
        for n, prior in product(range(30), PRIORS):
            assert density_of_heads(int(seen[n]), n - int(seen[n]), prior)[2].max() < highest

    @pytest.mark.parametrize("length", [2, 29, 30, 31, 57, 100, 3000])
    def test_own_tosses_of_any_length(self, length):
        picture = coin_density([1, 0] * (length // 2) + [1] * (length % 2))
        assert len(picture.page_states()) <= 120
        assert picture.controls[0].page_values[-1] == length
        assert "nan" not in "".join(Scene(picture).moving({"n": length, "prior": "close to fair"}))

    @pytest.mark.parametrize("tosses", [[1], [0, 2], [0.5, 1], []])
    def test_bad_tosses_are_named(self, tosses):
        with pytest.raises(ValueError, match="tosses: expected at least two, each 0 or 1"):
            coin_density(tosses)


class TestInterval:
    def test_a_density_above_one_and_no_probability_above_one(self):
        picture = interval_probability()
        assert "the density is at most 3.989" in picture.describe(spread=0.1, start=-0.2, width=0.5)
        assert "= 0.683, the green area" in picture.describe(spread=1.0, start=-1.0, width=2.0)
        text = picture.describe(spread=0.1, start=-0.2, width=0.01)
        assert "it is 0.5966" in text and "middle is 0.5959" in text


class TestTwoDensities:
    def test_the_numbers_of_the_text(self):
        picture = two_densities()
        x = picture.start["x"]
        assert "With the prior 37.3 %" in picture.describe(**picture.start)
        assert picture.describe(x=x, prior=0.373).endswith("= 0.544.")
        assert picture.describe(x=x, prior=0.01).endswith("= 0.020.")

    def test_far_away_the_posterior_is_still_a_probability(self):
        data = measured([0, 1e-3, 1000, 1000.001], ["a", "a", "b", "b"])
        assert data.classes == ("b", "a")
        assert data.posterior(np.array([0.0, 400.0, 600.0, 1000.0]), 0.5).tolist() == [0, 0, 1, 1]

    @pytest.mark.parametrize(
        ("values", "labels", "message"),
        [
            ([1, 2, 3], [0, 1], "labels: expected shape \\(3,\\), one class for each point"),
            ([1, 2, 3], [0, 1, 2], "labels: expected exactly two classes, got 3"),
            ([1, 2, 3, 3], [0, 0, 1, 1], "values: expected some that differ in class 1"),
            ([1, np.inf], [0, 1], "values: expected finite numbers"),
        ],
    )
    def test_bad_measurements_are_named(self, values, labels, message):
        with pytest.raises(ValueError, match=message):
            two_densities(values, labels)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0106, "0.011"),
        (0.00106, "0.0011"),
        (1e-9, "< 1e−6"),
        (0.99988, "0.99988"),
        (1 - 1e-13, "1"),
        (None, "undefined"),
    ],
)
def test_a_probability_keeps_two_digits(value, text):
    assert probability(value) == text
