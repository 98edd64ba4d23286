import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlcore.datasets import digit_split, metal_and_wood, moons, twelve_objects, two_clouds
from mlcore.explore.scene import Scene
from mlcore.neighbors import KNeighborsClassifier, KNeighborsRegressor
from mlcore.pictures.nearest_neighbours import (
    choice_of_k,
    digit_neighbours,
    distance_balls,
    five_distances,
    growing_k,
    known_objects,
    nearest_neighbours,
    neighbour_regression,
    noise_features,
    query_cost,
    tree_search,
    units_of_measure,
    weighted_votes,
)
from mlcore.pictures.nearest_neighbours._choice_of_k import cross_validated_accuracy
from mlcore.pictures.nearest_neighbours._distance_balls import ball
from mlcore.pictures.nearest_neighbours._growing_k import accuracy_by_k
from mlcore.pictures.nearest_neighbours._neighbour_regions import vote_lead, weighted_lead
from mlcore.pictures.nearest_neighbours._neighbour_regression import running_means
from mlcore.pictures.nearest_neighbours._units_of_measure import left_out_accuracy

quick = settings(deadline=None, max_examples=60)
CLOUDS = two_clouds(n=60, distance=3, seed=2)
TABLE = pd.DataFrame(CLOUDS[0], columns=["length", "width"])
KINDS = np.where(CLOUDS[1] > 0, "spam", "ham")
START = {"metric": "euclidean", "x1": 6.0, "x2": 6.0}


@st.composite
def votes(draw, odd=None):
    n = draw(st.integers(2, 25))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    y = rng.choice([1.0, -1.0], size=n)
    y[:2] = 1, -1
    k = draw(st.integers(1, n).filter(lambda k: odd is None or k % 2 == odd))
    return rng.normal(size=(n, 2)), y, rng.normal(size=(20, 2)), k


class TestRegions:
    @quick
    @given(votes(), st.sampled_from(["euclidean", "manhattan", "chebyshev"]))
    def test_the_race_for_m_votes_is_the_vote(self, vote, metric):
        X, y, queries, k = vote
        lead = vote_lead(X, y, queries, k, metric)
        assert np.isfinite(lead).all()
        assert np.sign(lead).tolist() == KNeighborsClassifier(k=k, metric=metric).fit(X, y).predict(queries).tolist()

    @quick
    @given(votes())
    def test_the_lead_has_no_jumps(self, vote):
        """It changes by at most k times as much as two nearby places are apart."""
        X, y, queries, k = vote
        step = 1e-6
        change = np.abs(vote_lead(X, y, queries + [step, 0], k) - vote_lead(X, y, queries, k))
        assert change.max() <= 2 * max(k, 2) * step * (1 + 1e-6)

    @quick
    @given(votes(), st.floats(0.05, 50))
    def test_weighted_lead_is_the_weighted_vote(self, vote, width):
        X, y, queries, k = vote
        model = KNeighborsClassifier(k=k, weights="exponential", width=width).fit(X, y)
        shares = model.predict_proba(queries)
        np.testing.assert_allclose(weighted_lead(X, y, queries, k, width), shares[:, 1] - shares[:, 0], atol=1e-9)

    @quick
    @given(votes())
    def test_two_voters_never_disagree_with_one(self, vote):
        X, y, queries, _ = vote
        assert (np.sign(vote_lead(X, y, queries, 1)) == np.sign(vote_lead(X, y, queries, 2))).all()


class TestObjects:
    def test_the_five_of_the_source_are_the_nearest(self):
        X, _, unknown = twelve_objects()
        distances = np.linalg.norm(X - unknown, axis=1)
        assert distances[:5].round(2).tolist() == [3.12, 1.77, 4.94, 4.06, 3.43]
        assert distances[5:].min() > distances[:5].max()
        assert (X[:5] == metal_and_wood()[0]).all()

    def test_six_of_either_kind_and_weight_alone_separates_them(self):
        X, y, _ = twelve_objects()
        assert (y > 0).sum() == (y < 0).sum() == 6
        assert X[y > 0, 1].min() > 6 > X[y < 0, 1].max()
        assert known_objects().describe().startswith("6 of metal, 6 of wood.")

    def test_the_printed_distances_lead_to_plus(self):
        text = five_distances().describe()
        assert "d1 = 3.12 (−), d2 = 1.77 (+), d3 = 4.94 (+), d4 = 4.06 (+), d5 = 3.43 (−)" in text
        assert text.endswith("The smallest is d2: the unknown object gets the class +.")


class TestNearestNeighbours:
    @pytest.mark.parametrize(("k", "winner"), [(1, "metal"), (2, "metal"), (3, "wood"), (4, "metal"), (5, "metal")])
    def test_the_verdict_by_k(self, k, winner):
        text = nearest_neighbours().describe(k=k, **START)
        assert text.endswith(f"{winner}.")
        assert ("A tie" in text) == (k % 2 == 0)

    def test_the_readout_counts_the_votes(self):
        text = nearest_neighbours().describe(k=5, **START)
        assert "1.77 (metal), 3.12 (wood), 3.43 (wood), 4.06 (metal), 4.94 (metal)" in text
        assert "Votes: metal 3, wood 2." in text

    def test_every_state_says_what_the_classifier_says(self):
        picture, (X, y, _) = nearest_neighbours(), twelve_objects()
        for state in picture.page_states():
            model = KNeighborsClassifier(k=state["k"], metric=state["metric"]).fit(X, y)
            winner = "metal" if model.predict([[state["x1"], state["x2"]]])[0] > 0 else "wood"
            assert picture.describe(**state).endswith(f"{winner}.")

    def test_the_kernel_offers_more_than_the_page(self):
        k, metric, *_ = nearest_neighbours().controls
        assert k.values == tuple(range(1, 8)) and k.page_values == (1, 2, 3, 5)
        assert len(metric.values) == 3 and len(metric.page_values) == 2

    def test_own_data(self):
        picture = nearest_neighbours(TABLE, KINDS, unknown=(0.5, 0.2))
        figure = Scene(picture)._figure
        assert (figure.axes[0].get_xlabel(), figure.axes[0].get_ylabel()) == ("length", "width")
        assert [control.label for control in picture.controls[2:]] == ["its length", "its width"]
        assert len(picture.page_states()) <= 120
        assert re.search(r"(spam|ham)\.$", picture.describe(**picture.start))

    def test_two_points_in_a_column(self):
        picture = nearest_neighbours([[1, 0], [1, 5]], ["a", "b"])
        scene = Scene(picture)
        for state in picture.page_states()[:: len(picture.page_states()) - 1]:
            assert "".join(scene.moving(state)) and picture.describe(**state)

    def test_units_that_differ_much_do_not_leave_a_strip(self):
        wide = nearest_neighbours(CLOUDS[0] * [1000, 1], CLOUDS[1])
        assert Scene(wide)._figure.axes[0].get_aspect() == "auto"
        assert Scene(nearest_neighbours())._figure.axes[0].get_aspect() == 1

    def test_a_place_that_is_none_is_named(self):
        with pytest.raises(ValueError, match=r"unknown: expected shape \(2,\)"):
            nearest_neighbours(*CLOUDS, unknown=[1, 2, 3])


class TestDistanceBalls:
    @pytest.mark.parametrize("p", [1.0, 1.5, 2.0, 6.0, np.inf])
    def test_all_of_the_edge_is_equally_far(self, p):
        np.testing.assert_allclose(np.linalg.norm(ball(p, 2.5), ord=p, axis=1), 2.5)

    def test_one_neighbour_and_three_change_in_opposite_directions(self):
        picture = distance_balls()
        verdicts = {
            (p, k): picture.describe(p=p, k=k).split()[-1].rstrip(".")
            for p in picture.controls[0].values
            for k in (1, 3)
        }
        assert [verdicts[p, 1] for p in (1.0, 1.5, 2.0, np.inf)] == ["wood", "wood", "metal", "metal"]
        assert [verdicts[p, 3] for p in (1.0, 1.5, 2.0, np.inf)] == ["metal", "wood", "wood", "wood"]

    def test_a_larger_order_never_lengthens_a_distance(self):
        picture = distance_balls()
        radii = [
            float(re.search(r"radius ([\d.]+)", picture.describe(p=p, k=3))[1]) for p in picture.controls[0].values
        ]
        assert radii == sorted(radii, reverse=True)

    def test_own_data(self):
        assert "class spam" in distance_balls(TABLE, KINDS, unknown=(3, 3)).describe(p=2.0, k=3)


class TestGrowingK:
    def test_one_neighbour_makes_no_training_error_but_is_not_best(self):
        text = growing_k().describe(k=1)
        assert "100.0 % of the 120 training points are right (0 crossed), and 80.2 % of 2000 fresh points" in text
        assert "k = 15 best, with 87.8 %" in text
        assert "77.2 % of 2000" in growing_k().describe(k=99)

    def test_accuracy_is_that_of_the_classifier(self):
        (X, y), (fresh_X, fresh_y) = moons(60, 0.3, 0), moons(50, 0.3, 1)
        ks = [1, 5, 21]
        expected = [KNeighborsClassifier(k=k).fit(X, y).score(fresh_X, fresh_y) for k in ks]
        np.testing.assert_allclose(accuracy_by_k(X, y, fresh_X, fresh_y, ks), expected)

    def test_own_data_are_cut_in_two(self):
        text = growing_k(TABLE, KINDS).describe(k=3)
        assert "of the 30 training points" in text and "of 30 fresh points" in text

    @pytest.mark.parametrize("y", [[1, 1, 1, -1, -1], [1, 1, 1, 1, 1, 1, 1, -1]])
    def test_too_few_points_are_named(self, y):
        with pytest.raises(ValueError, match="y: expected at least 6 points and two of each class"):
            growing_k(np.arange(2.0 * len(y)).reshape(-1, 2), y)


class TestWeightedVotes:
    def test_the_width_turns_three_votes(self):
        describe = weighted_votes().describe
        assert "= −0.9080 < 0: wood" in describe(k=3, width=50.0)
        assert "= +0.0956 > 0: metal" in describe(k=3, width=1.26)

    def test_all_twelve_say_metal_at_every_width(self):
        picture = weighted_votes()
        assert all("metal" in picture.describe(k=12, width=width) for width in picture.controls[1].values)

    def test_equal_votes_are_called_a_tie(self):
        picture = weighted_votes([[0, 0], [2, 0]], ["a", "b"], unknown=(1, 0))
        assert "+0.0000. A tie; the smaller sum of distances decides" in picture.describe(k=2, width=50.0)

    def test_own_data(self):
        assert "spam" in weighted_votes(TABLE, KINDS, unknown=(3, 3)).describe(k=7, width=0.5)


class TestUnits:
    def test_millimetres_make_other_neighbours(self):
        picture = units_of_measure()
        units = {picture.controls[0].text(value): value for value in picture.controls[0].values}
        place = {name: picture.start[name] for name in ("x1", "x2")}
        texts = {name: picture.describe(unit=unit, **place) for name, unit in units.items()}
        assert "class virginica; 15 of its 15" in texts["cm"] and "93 % of 100" in texts["cm"]
        assert "class versicolor; 7 of its 15" in texts["mm"] and "74 % of 100" in texts["mm"]
        assert "makes 98.5 %" in texts["mm"] and "makes 0.0 %" in texts["m"] and "makes 50.0 %" in texts["both in SD"]

    def test_left_out_accuracy_is_that_of_a_classifier_without_the_point(self):
        X, y = CLOUDS
        hits = [
            KNeighborsClassifier(k=5).fit(np.delete(X, i, 0), np.delete(y, i)).predict(X[[i]])[0] == y[i]
            for i in range(len(y))
        ]
        assert left_out_accuracy(X, y, 5) == pytest.approx(np.mean(hits))

    def test_twins_do_not_count_themselves(self):
        X, y = np.zeros((6, 1)), np.array([1.0, 1, 1, -1, -1, -1])
        assert 0 <= left_out_accuracy(X, y, 3) <= 1

    def test_own_data(self):
        picture = units_of_measure(TABLE, KINDS, k=5)
        assert "Numbers of length: as given." in picture.describe(**picture.start)
        assert len({picture.describe(**state) for state in picture.page_states()}) > 5

    @pytest.mark.parametrize(
        ("X", "k", "message"),
        [
            (CLOUDS[0], 4, "k: expected an odd number below that of the points, 60, got 4"),
            (CLOUDS[0], 61, "k: expected an odd number below"),
            (CLOUDS[0] * [0, 1], 5, "X: expected two features that vary"),
        ],
    )
    def test_bad_data_is_named(self, X, k, message):
        with pytest.raises(ValueError, match=message):
            units_of_measure(X, CLOUDS[1], k=k)


class TestChoiceOfK:
    def test_folds_are_classified_by_the_others(self):
        X, y = CLOUDS
        accuracy = cross_validated_accuracy(X, y, [1, 7])
        fold = np.arange(len(y)) % 5
        for f in range(5):
            model = KNeighborsClassifier(k=7).fit(X[fold != f], y[fold != f])
            assert accuracy[f, 1] == pytest.approx(model.score(X[fold == f], y[fold == f]))

    def test_the_figures_of_the_chapter(self):
        describe = choice_of_k().describe
        best = [re.search(r"best would be k = (\d+)", describe(turned=t, n=400))[1] for t in (0.0, 10.0, 20.0)]
        assert best == ["19", "37", "83"]
        lottery = describe(turned=40.0, n=50)
        assert "chooses k = 1, with 68.0 %" in lottery and "right for 52.3 %" in lottery

    def test_the_chosen_k_has_the_best_mean(self):
        for state in choice_of_k().page_states():
            text = choice_of_k().describe(**state)
            chosen, single = (float(figure) for figure in re.findall(r"(?:with|has) ([\d.]+) %", text)[:2])
            assert chosen >= single

    def test_own_data_have_no_truth(self):
        picture = choice_of_k(TABLE, KINDS)
        assert "fresh" not in picture.describe(**picture.start)
        assert [state["n"] for state in picture.page_states()][:2] == [30, 60]

    def test_too_few_points_are_named(self):
        with pytest.raises(ValueError, match="X: expected at least 40 points"):
            choice_of_k(CLOUDS[0][20:40], CLOUDS[1][20:40])


class TestNoiseFeatures:
    def test_the_figures_of_the_chapter(self):
        describe = noise_features().describe
        assert "99.7 % of 1000 fresh points" in describe(count=0, k=5) and "ratio of 0.14" in describe(count=0, k=5)
        assert "67.0 % of 1000 fresh points" in describe(count=98, k=5) and "ratio of 0.73" in describe(count=98, k=5)
        assert "73.1 % of 1000" in describe(count=98, k=25)
        right = {count: float(re.search(r"([\d.]+) % of", describe(count=count, k=5))[1]) for count in (4, 6)}
        assert right[4] > 90 > right[6]

    def test_without_noise_the_neighbours_are_the_truly_nearest(self):
        near = re.search(r"are ([\d.]+) away on average; .* are ([\d.]+) away", noise_features().describe(count=0, k=5))
        assert near[1] == near[2]

    def test_own_data(self):
        picture = noise_features(TABLE, KINDS)
        assert "of 30 fresh points" in picture.describe(count=16, k=25)

    def test_bad_data_is_named(self):
        with pytest.raises(ValueError, match="X: expected at least ten points"):
            noise_features(CLOUDS[0][28:33], CLOUDS[1][28:33])
        with pytest.raises(ValueError, match="X: expected two features that vary"):
            noise_features(CLOUDS[0] * [1, 0], CLOUDS[1])


class TestTreeSearch:
    def test_ten_distances_are_enough(self):
        picture = tree_search()
        last = picture.controls[0].values[-1]
        assert "certain after 10 of 64 distances" in picture.describe(step=last)
        assert "10 of 64 distances computed, 54 points spared" in picture.describe(step=last)
        assert picture.describe(step=last).startswith("A cell with 32 points, 1.58 away, stays closed")

    def test_the_counts_grow_and_the_best_distance_falls(self):
        picture = tree_search()
        texts = [picture.describe(step=step) for step in picture.controls[0].values[1:]]
        computed = [int(re.search(r"So far (\d+)", text)[1]) for text in texts]
        best = [float(re.search(r"Best distance (\d+\.\d+)", text)[1]) for text in texts]
        assert computed == sorted(computed) and best == sorted(best, reverse=True) and best[0] > best[-1]

    def test_own_points(self):
        picture = tree_search(CLOUDS[0], query=(0, 0), names=("a", "b"))
        assert "of 60 distances" in picture.describe(step=picture.controls[0].values[-1])
        assert tree_search([[0, 0]]).describe(step=1).startswith("A cell with 1 point,")

    def test_no_points_are_named(self):
        with pytest.raises(ValueError, match="X: expected at least one point"):
            tree_search(np.empty((0, 2)), query=(0, 0))

    def test_the_tree_helps_in_the_plane_and_not_in_twenty_dimensions(self):
        describe = query_cost().describe
        assert "8 of 1024" in describe(d=2)
        assert "133 of 1024" in describe(d=6)
        assert "1010 of 1024" in describe(d=20)


class TestRegression:
    def test_running_means_are_those_of_the_regressor(self):
        rng = np.random.default_rng(0)
        X, y, queries = rng.normal(size=(12, 1)), rng.normal(size=12), np.vstack([[0.3], [1.0]])
        queries[1] = X[4]  # a twin: its weight is infinite
        for weights in ("uniform", "distance"):
            for k in (1, 4, 12):
                model = KNeighborsRegressor(k=k, weights=weights).fit(X, y)
                distances, rows = model.kneighbors(queries, 12)
                np.testing.assert_allclose(running_means(distances, y[rows], weights)[:, k - 1], model.predict(queries))

    def test_the_figures_of_the_chapter(self):
        describe = neighbour_regression().describe
        assert describe(k=1, weights="uniform").startswith("k = 1: root mean squared error 0.000")
        assert "k = 6 does best, with 0.278" in describe(k=39, weights="uniform")
        for k in (1, 5, 39):
            assert "error 0.000 on the training points" in describe(k=k, weights="distance")

    def test_own_data_in_any_order(self):
        x, y = np.array([3.0, 1.0, 2.1, 2.5]), np.array([9.0, 1.0, 4.0, 5.0])
        turned = neighbour_regression(x[::-1], y[::-1])
        assert neighbour_regression(x, y).describe(k=2, weights="uniform") == turned.describe(k=2, weights="uniform")

    @pytest.mark.parametrize(
        ("x", "y", "message"),
        [
            ([1, 2], [1, 2], "x, y: expected at least three inputs"),
            ([1, 2, 3], [1, 2], "x, y: expected at least three inputs and as many targets, got 3 and 2"),
            ([1, 1, 1], [1, 2, 3], "x: expected values that differ"),
            ([1, 2, np.inf], [1, 2, 3], "x: expected finite numbers"),
        ],
    )
    def test_bad_data_is_named(self, x, y, message):
        with pytest.raises(ValueError, match=message):
            neighbour_regression(x, y)


class TestDigits:
    def test_close_calls(self):
        describe = digit_neighbours().describe
        verdicts = {
            (e, k): re.search(r"Verdict (\d).* it is (\d)", describe(example=e, k=k)) for e in (4, 9) for k in (1, 3, 5)
        }
        right = {key: found[1] == found[2] for key, found in verdicts.items()}
        assert [right[4, k] for k in (1, 3, 5)] == [True, False, False]
        assert [right[9, k] for k in (1, 3, 5)] == [False, True, False]

    def test_three_digits_tie_with_three_votes(self):
        assert "Asked: 3 at 34.5, 7 at 35.3, 2 at 35.6. Verdict 3 after a tie" in digit_neighbours().describe(
            example=5, k=3
        )

    def test_the_accuracy_is_that_of_the_classifier(self):
        X, y, fresh_X, fresh_y = digit_split()
        accuracy = KNeighborsClassifier(k=1).fit(X, y).score(fresh_X, fresh_y)
        assert f"797 fresh digits {100 * accuracy:.1f} % are right" in digit_neighbours().describe(example=0, k=1)


@pytest.mark.parametrize(
    "picture",
    [nearest_neighbours, distance_balls, growing_k, weighted_votes, units_of_measure, choice_of_k, noise_features],
)
@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        ([[1, 2, 3]], [1], r"X: expected shape \(n, 2\), got \(1, 3\)"),
        ([[1, 2], [3, 4]], [1, 1], "y: expected exactly two classes, got 1"),
        ([[1, 2], [3, 4]], [1], r"y: expected shape \(2,\)"),
        ([[1, np.nan], [3, 4]], [1, -1], "X: expected numbers, got NaN"),
    ],
)
def test_bad_data_is_named(picture, X, y, message):
    with pytest.raises(ValueError, match=message):
        picture(X, y)
