import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.exceptions import NotFittedError

from mlcore.neighbors import KNeighborsClassifier, KNeighborsRegressor, k_nearest
from mlcore.neighbors import _neighbors as neighbors

METRICS = [("euclidean", 2), ("manhattan", 2), ("chebyshev", 2), ("minkowski", 3), ("minkowski", np.inf)]
SQUARE = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]]  # four points at distance 1 from the origin

quick = settings(deadline=None, max_examples=40)


@st.composite
def lattice_problems(draw):
    """Points and queries with small whole coordinates: duplicates and ties in plenty."""
    n, d = draw(st.integers(1, 25)), draw(st.integers(1, 4))
    coordinates = st.integers(-2, 2)
    X = draw(arrays(int, (n, d), elements=coordinates))
    queries = draw(arrays(int, (3, d), elements=coordinates))
    return X, queries, draw(st.integers(1, n))


@st.composite
def labelled_problems(draw, n_classes=3):
    X, queries, k = draw(lattice_problems())
    y = draw(arrays(int, len(X), elements=st.integers(0, n_classes - 1)))
    return X, y, queries, k


def exact_power_of_distance(x, z, metric, p):
    """In whole numbers, so without rounding; a monotone function of the distance."""
    sizes = [abs(int(a) - int(b)) for a, b in zip(x, z)]
    if metric == "chebyshev" or np.isinf(p):
        return max(sizes)
    order = {"euclidean": 2, "manhattan": 1, "minkowski": p}[metric]
    return sum(size**order for size in sizes)


class TestKNearest:
    @pytest.mark.parametrize("algorithm", ["brute", "kd_tree"])
    @pytest.mark.parametrize("scale", [1.0, 2.0**-538, 2.0**600])  # squares are exact, or vanish, or overflow
    @pytest.mark.parametrize(("metric", "p"), METRICS)
    @given(problem=lattice_problems())
    @quick
    def test_neighbours_come_in_the_exact_order_of_distance_then_index(self, problem, metric, p, scale, algorithm):
        X, queries, k = problem
        _, indices = k_nearest(X * scale, queries * scale, k, metric, p=p, algorithm=algorithm)
        for query, found in zip(queries, indices):
            keys = [(exact_power_of_distance(x, query, metric, p), row) for row, x in enumerate(X)]
            assert [row for _, row in sorted(keys)[:k]] == found.tolist()

    @pytest.mark.parametrize(
        ("metric", "p", "expected"),
        [
            ("euclidean", 2, 5.0),
            ("manhattan", 2, 7.0),
            ("chebyshev", 2, 4.0),
            ("minkowski", 1, 7.0),
            ("minkowski", 2, 5.0),
            ("minkowski", 3, 91 ** (1 / 3)),
            ("minkowski", 1.5, (3**1.5 + 4**1.5) ** (2 / 3)),
            ("minkowski", 5000, 4.0),
            ("minkowski", np.inf, 4.0),
        ],
    )
    @pytest.mark.parametrize("algorithm", ["brute", "kd_tree"])
    def test_distance_follows_the_formula(self, metric, p, expected, algorithm):
        distances, _ = k_nearest([[3, -4]], [[0, 0]], 1, metric, p=p, algorithm=algorithm)
        assert distances[0, 0] == pytest.approx(expected, rel=1e-12, abs=0)

    @pytest.mark.parametrize("k", [1, 2, 3, 4])
    def test_a_tie_for_the_last_place_goes_to_the_lower_index(self, k):
        for order in itertools.permutations(SQUARE):
            distances, indices = k_nearest(order, [[0, 0]], k)
            assert indices.tolist() == [list(range(k))]
            assert (distances == 1).all()

    @pytest.mark.parametrize(("metric", "p"), [*METRICS, ("minkowski", 1.7), ("minkowski", 300)])
    @pytest.mark.parametrize("scale", [1.0, 1e-170, 1e160])
    @given(data=st.data())
    @settings(deadline=None, max_examples=15)
    def test_tree_and_scan_agree_to_the_last_digit(self, metric, p, scale, data):
        X, queries, k = data.draw(lattice_problems())
        X = X * (0.1 * scale)  # tenths are no floats: differences carry rounding
        queries = queries * (0.1 * scale)
        brute = k_nearest(X, queries, k, metric, p=p, algorithm="brute")
        for algorithm in ("kd_tree", "auto"):
            for ours, expected in zip(k_nearest(X, queries, k, metric, p=p, algorithm=algorithm), brute):
                np.testing.assert_array_equal(ours, expected)

    @pytest.mark.parametrize("d", [1, 2, 5, 6])
    def test_tree_and_scan_agree_on_large_data_with_ties_and_duplicates(self, d):
        rng = np.random.default_rng(d)
        X = np.concatenate([rng.integers(0, 9, size=(1500, d)) / 10, rng.normal(size=(500, d))])
        queries = np.concatenate([X[:40], rng.normal(size=(40, d)), X[-40:]])
        brute, tree = (k_nearest(X, queries, 12, algorithm=algorithm) for algorithm in ("brute", "kd_tree"))
        assert (brute[0][:, -1] == brute[0][:, -2]).any()
        for ours, expected in zip(tree, brute):
            np.testing.assert_array_equal(ours, expected)

    @pytest.mark.parametrize("algorithm", ["brute", "kd_tree"])
    @pytest.mark.parametrize("block", [1, 7, 200])
    def test_the_size_of_the_blocks_changes_nothing(self, monkeypatch, block, algorithm):
        rng = np.random.default_rng(0)
        X, queries = rng.integers(0, 4, size=(50, 3)) / 3, rng.normal(size=(30, 3))
        whole = k_nearest(X, queries, 5, algorithm=algorithm)
        monkeypatch.setattr(neighbors, "_BLOCK", block)
        for ours, expected in zip(k_nearest(X, queries, 5, algorithm=algorithm), whole):
            np.testing.assert_array_equal(ours, expected)

    @pytest.mark.parametrize("algorithm", ["brute", "kd_tree"])
    @pytest.mark.parametrize(("metric", "p"), METRICS)
    @given(data=st.data())
    @quick
    def test_the_order_of_the_columns_changes_nothing(self, metric, p, algorithm, data):
        d = data.draw(st.integers(2, 12))
        values = st.floats(-1e3, 1e3, allow_subnormal=False)
        X, queries = (
            data.draw(arrays(float, (8, d), elements=values)),
            data.draw(arrays(float, (2, d), elements=values)),
        )
        columns = data.draw(st.permutations(range(d)))
        expected = k_nearest(X, queries, 8, metric, p=p, algorithm=algorithm)
        permuted = k_nearest(X[:, columns], queries[:, columns], 8, metric, p=p, algorithm=algorithm)
        for ours, theirs in zip(permuted, expected):
            np.testing.assert_array_equal(ours, theirs)

    def test_no_distance_of_many_is_rounded_apart_by_another_order_of_the_columns(self):
        """Rounding alone would part a few: those whose two sums lie on both sides of a rounding boundary."""
        rng = np.random.default_rng(0)
        X, queries = rng.normal(size=(20_000, 30)), rng.normal(size=(1, 30))
        distances, indices = k_nearest(X, queries, 20_000)
        for columns in (rng.permutation(30), np.arange(30)[::-1]):
            permuted = k_nearest(X[:, columns], queries[:, columns], 20_000)
            np.testing.assert_array_equal(permuted[0], distances)
            np.testing.assert_array_equal(permuted[1], indices)

    @pytest.mark.parametrize("algorithm", ["brute", "kd_tree"])
    def test_points_lost_by_underflow_of_their_squares_are_found(self, algorithm):
        X = np.array([[2.0, 0, 0, 0], [1, 1, 1, 1]]) * 2.0**-538  # both at distance 2, but 1² counts as 0
        distances, indices = k_nearest(X, np.zeros((1, 4)), 1, algorithm=algorithm)
        assert (distances.item(), indices.item()) == (2.0**-537, 0)

    def test_rows_that_are_permutations_of_each_other_tie_exactly(self):
        rng = np.random.default_rng(5)
        row = rng.lognormal(sigma=3, size=30)
        X = np.array([rng.permutation(row) for _ in range(200)])
        assert len({float(np.sum(x**2)) for x in X}) > 1  # summed from left to right they would not
        for algorithm in ("brute", "kd_tree"):
            distances, indices = k_nearest(X, np.zeros((1, 30)), 200, algorithm=algorithm)
            assert len(set(distances[0])) == 1
            assert indices[0].tolist() == list(range(200))

    def test_distances_equal_in_decimals_tie_though_their_floats_differ(self):
        assert abs(0.1 - 0.2) != abs(0.3 - 0.2)
        for X in ([[0.1], [0.3]], [[0.3], [0.1]]):
            distances, indices = k_nearest(X, [[0.2]], 2)
            assert indices.tolist() == [[0, 1]]
            assert distances[0, 0] == distances[0, 1] == pytest.approx(0.1, rel=1e-12)

    def test_distances_that_differ_beyond_rounding_stay_apart(self):
        _, indices = k_nearest([[1 + 1e-11], [-1.0]], [[0.0]], 1)
        assert indices.tolist() == [[1]]

    @pytest.mark.parametrize("algorithm", ["brute", "kd_tree"])
    def test_duplicates_are_all_at_distance_zero(self, algorithm):
        distances, indices = k_nearest(np.full((3000, 2), 0.1), [[0.1, 0.1]], 3000, algorithm=algorithm)
        assert (distances == 0).all()
        assert indices[0].tolist() == list(range(3000))

    @pytest.mark.parametrize("algorithm", ["brute", "kd_tree"])
    @pytest.mark.parametrize("scale", [5e-324, 1e-200, 1e200, 1e307])
    def test_neither_squares_that_overflow_nor_squares_that_vanish_spoil_the_order(self, scale, algorithm):
        X = np.array([[9.0, 12.0], [3.0, 4.0], [0.0, 6.0], [0.0, 0.0]]) * scale
        distances, indices = k_nearest(X, [[0.0, 0.0]], 4, algorithm=algorithm)
        assert indices.tolist() == [[3, 1, 2, 0]]
        np.testing.assert_allclose(distances, np.array([[0.0, 5.0, 6.0, 15.0]]) * scale, rtol=1e-12)

    def test_a_distance_beyond_the_floats_raises(self):
        for algorithm in ("brute", "kd_tree"):
            distances, _ = k_nearest([[1e308], [-1e308]], [[1e308]], 1, algorithm=algorithm)
            assert distances.tolist() == [[0.0]]
            with pytest.raises(ValueError, match=r"X, queries: expected distances below 1.8e308"):
                k_nearest([[1e308], [-1e308]], [[1e308]], 2, algorithm=algorithm)

    def test_inputs_are_left_alone_and_no_query_is_no_problem(self):
        X, queries = np.eye(3), np.zeros((0, 3))
        distances, indices = k_nearest(X, queries, 2)
        assert distances.shape == indices.shape == (0, 2)
        np.testing.assert_array_equal(X, np.eye(3))

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ({"X": []}, r"X: expected shape \(n, d\), got \(0,\)"),
            ({"X": np.empty((0, 2))}, r"X: expected at least one row and one column, got shape \(0, 2\)"),
            ({"X": np.empty((2, 0))}, r"X: expected at least one row and one column, got shape \(2, 0\)"),
            ({"X": [1.0, 2.0]}, r"X: expected shape \(n, d\), got \(2,\)"),
            ({"X": [[np.nan, 0.0]]}, r"X: expected numbers, got NaN at position \(0, 0\)"),
            ({"X": [[np.inf, 0.0]]}, r"X: expected finite numbers"),
            ({"queries": [[0.0, np.nan]]}, r"queries: expected numbers, got NaN at position \(0, 1\)"),
            ({"queries": [[0.0]]}, r"queries: expected shape \(q, 2\), got \(1, 1\)"),
            ({"queries": [0.0, 0.0]}, r"queries: expected shape \(q, 2\), got \(2,\)"),
            ({"k": 0}, r"k: expected a whole number of at least 1, got 0"),
            ({"k": 1.5}, r"k: expected a whole number of at least 1, got 1.5"),
            ({"k": 5}, r"k: expected at most the number of points \(n_samples=4\), got 5"),
            ({"metric": "cosine"}, r"metric: expected one of .*'minkowski', got 'cosine'"),
            ({"metric": None}, r"metric: expected one of .*, got None"),
            ({"metric": "minkowski", "p": 0.5}, r"p: expected a number of at least 1, got 0.5"),
            ({"metric": "minkowski", "p": np.nan}, r"p: expected a number above 0 .*, got nan"),
            (
                {"algorithm": "ball_tree"},
                r"algorithm: expected one of 'auto', 'kd_tree', 'brute', got 'ball_tree'",
            ),
        ],
    )
    def test_bad_input_is_named(self, arguments, message):
        with pytest.raises(ValueError, match=message):
            k_nearest(**({"X": SQUARE, "queries": [[0.0, 0.0]], "k": 2} | arguments))


class TestClassifier:
    @pytest.mark.parametrize("others", list(itertools.product("+-", repeat=4)))
    def test_the_nearest_of_the_five_published_distances_decides(self, others):
        """ES p. 13 prints the distances, not the points: any points at these distances will do."""
        lengths = np.array([3.12, 1.77, 4.94, 4.06, 3.43])
        angles = np.array([0.3, 1.2, 2.5, 4.0, 5.5])
        X = lengths[:, None] * np.column_stack([np.cos(angles), np.sin(angles)])
        y = [others[0], "+", *others[1:]]
        model = KNeighborsClassifier(k=1).fit(X, y)
        distances, indices = model.kneighbors([[0, 0]], k=5)
        assert distances.round(2).tolist() == [[1.77, 3.12, 3.43, 4.06, 4.94]]
        assert indices.tolist() == [[1, 0, 4, 3, 2]]
        assert model.predict([[0, 0]]) == ["+"]

    def test_rule_one_most_votes(self):
        model = KNeighborsClassifier(k=3).fit([[0.1], [2], [3]], ["near", "far", "far"])
        assert model.predict([[0]]) == ["far"]

    def test_rule_two_smaller_summed_distance(self):
        X = [[-3], [1], [2], [2.5]]
        assert KNeighborsClassifier(k=4).fit(X, ["a", "a", "b", "b"]).predict([[0]]) == ["a"]  # 4 against 4.5
        assert KNeighborsClassifier(k=4).fit(X, ["b", "b", "a", "a"]).predict([[0]]) == ["b"]

    def test_rule_three_order_of_the_classes(self):
        for labels in (["b", "a"], ["a", "b"]):
            assert KNeighborsClassifier(k=2).fit([[-1], [1]], labels).predict([[0]]) == ["a"]

    def test_sums_that_are_equal_but_for_rounding_tie(self):
        assert 0.1 + 0.7 != 0.3 + 0.5
        X, y = [[0.1], [0.7], [-0.3], [-0.5]], ["b", "b", "a", "a"]
        assert KNeighborsClassifier(k=4).fit(X, y).predict([[0]]) == ["a"]
        # 1/6 six times against 1/3 three times, and 36 against 9
        X, y = [[6], [6], [6], [-6], [-6], [-6], [3], [-3], [3]], ["a"] * 6 + ["b"] * 3
        inverse = KNeighborsClassifier(k=9, weights="distance").fit(X, y)
        np.testing.assert_allclose(inverse.predict_proba([[0]]), [[0.5, 0.5]], rtol=1e-12)
        assert inverse.predict([[0]]) == ["b"]

    def test_weights_by_inverse_distance(self):
        model = KNeighborsClassifier(k=3, weights="distance").fit([[1], [-4], [4]], ["near", "far", "far"])
        np.testing.assert_allclose(model.predict_proba([[0]]), [[1 / 3, 2 / 3]])  # 1/4 + 1/4 against 1
        assert model.predict([[0]]) == ["near"]

    def test_an_exact_match_takes_all_under_inverse_distance(self):
        X, y = [[0], [1e-9], [1e-9], [0], [0]], ["a", "b", "b", "a", "c"]
        model = KNeighborsClassifier(k=5, weights="distance").fit(X, y)
        np.testing.assert_allclose(model.predict_proba([[0]]), [[2 / 3, 0, 1 / 3]])
        assert model.predict([[0]]) == ["a"]

    def test_exponential_weights_sum_signed_similarities(self):
        """MW eq. (5.1): class 1 if the sum of K(x, x_n) (2 y_n - 1) is positive, here with K = exp(-d / width)."""
        rng = np.random.default_rng(2)
        X, y, queries = rng.normal(size=(40, 2)), rng.integers(0, 2, size=40), rng.normal(size=(50, 2))
        model = KNeighborsClassifier(k=10, weights="exponential", width=0.3).fit(X, y)
        distances, indices = model.kneighbors(queries)
        signed = (np.exp(-distances / 0.3) * (2 * y[indices] - 1)).sum(axis=1)
        np.testing.assert_array_equal(model.predict(queries), (signed > 0).astype(int))
        assert (model.predict(queries) != KNeighborsClassifier(k=10).fit(X, y).predict(queries)).any()

    @pytest.mark.parametrize("weights", ["distance", "exponential"])
    @pytest.mark.parametrize("scale", [1e-300, 1.0, 1e300])
    def test_weights_of_far_or_near_points_neither_vanish_nor_overflow(self, weights, scale):
        model = KNeighborsClassifier(k=3, weights=weights, width=scale)
        X = np.array([[1000.0], [1000.5], [1001.0]]) * scale
        shares = model.fit(X, ["a", "b", "b"]).predict_proba([[0.0]])
        factors = np.exp([0, -0.5, -1]) if weights == "exponential" else 1 / np.array([1000, 1000.5, 1001])
        np.testing.assert_allclose(shares, [[factors[0], factors[1:].sum()] / factors.sum()], rtol=1e-9)

    @given(problem=labelled_problems(n_classes=2))
    @quick
    def test_an_odd_k_always_decides_between_two_classes(self, problem):
        X, y, queries, k = problem
        y[0], k = 0, k - 1 + k % 2
        shares = KNeighborsClassifier(k=k).fit(X, y).predict_proba(queries)
        assert (np.abs(shares - 0.5) >= 0.5 / k - 1e-12).all()

    @pytest.mark.parametrize("weights", ["uniform", "distance", "exponential"])
    @given(problem=labelled_problems())
    @quick
    def test_predict_has_the_largest_share_and_shares_sum_to_one(self, weights, problem):
        X, y, queries, k = problem
        model = KNeighborsClassifier(k=k, weights=weights).fit(X, y)
        shares = model.predict_proba(queries)
        np.testing.assert_array_equal(model.predict(queries), model.classes_[shares.argmax(axis=1)])
        assert (shares.max(axis=1) > 0).all()
        np.testing.assert_allclose(shares.sum(axis=1), 1)

    @given(problem=labelled_problems())
    @quick
    def test_uniform_votes_follow_the_stated_rule(self, problem):
        X, y, queries, k = problem
        model = KNeighborsClassifier(k=k, metric="manhattan").fit(X, y)
        for query, label in zip(queries, model.predict(queries)):
            keys = sorted((exact_power_of_distance(x, query, "manhattan", 1), row) for row, x in enumerate(X))[:k]
            standing = [
                (-sum(y[row] == c for _, row in keys), sum(size for size, row in keys if y[row] == c), c)
                for c in set(y)
            ]
            assert label == min(standing)[2]

    @pytest.mark.parametrize("weights", ["uniform", "distance", "exponential"])
    @given(problem=labelled_problems(), data=st.data())
    @quick
    def test_the_order_of_the_rows_changes_no_class_unless_the_last_place_is_tied(self, weights, problem, data):
        X, y, queries, k = problem
        if k < len(X):
            distances, _ = k_nearest(X, queries, k + 1)
            queries = queries[distances[:, k - 1] < distances[:, k]]
        if len(queries):
            rows = data.draw(st.permutations(range(len(X))))
            model = KNeighborsClassifier(k=k, weights=weights)
            expected = model.fit(X, y).predict_proba(queries)
            np.testing.assert_array_equal(model.fit(X[rows], y[rows]).predict_proba(queries), expected)

    def test_a_tied_last_place_goes_to_the_first_row(self):
        assert KNeighborsClassifier(k=1).fit([[-1], [1]], ["a", "b"]).predict([[0]]) == ["a"]
        assert KNeighborsClassifier(k=1).fit([[1], [-1]], ["b", "a"]).predict([[0]]) == ["b"]

    @pytest.mark.parametrize("weights", ["uniform", "distance", "exponential"])
    @given(problem=labelled_problems(), data=st.data())
    @quick
    def test_the_order_of_the_columns_changes_nothing(self, weights, problem, data):
        X, y, queries, k = problem
        X, queries = X / 7, queries / 7
        columns = data.draw(st.permutations(range(X.shape[1])))
        model = KNeighborsClassifier(k=k, weights=weights)
        expected = model.fit(X, y).predict_proba(queries)
        permuted = model.fit(X[:, columns], y).predict_proba(queries[:, columns])
        np.testing.assert_array_equal(permuted, expected)

    @pytest.mark.parametrize("estimator", [KNeighborsClassifier, KNeighborsRegressor])
    @pytest.mark.parametrize(
        ("parameters", "message"),
        [
            ({"k": 0}, "k: expected a whole number of at least 1"),
            ({"k": 5}, r"k: expected at most the number of points \(n_samples=4\), got 5"),
            ({"k": 1, "weights": "gaussian"}, "weights: expected one of 'uniform', 'distance', 'exponential'"),
            ({"k": 1, "width": 0}, "width: expected a number above 0, got 0"),
            ({"k": 1, "metric": "cosine"}, "metric: expected one of"),
            ({"k": 1, "metric": "minkowski", "p": 0.5}, "p: expected a number of at least 1"),
            ({"k": 1, "algorithm": "ball_tree"}, "algorithm: expected one of"),
        ],
    )
    def test_bad_parameters_are_named_at_fit(self, estimator, parameters, message):
        with pytest.raises(ValueError, match=message):
            estimator(**parameters).fit(SQUARE, [0, 1, 0, 1])

    @pytest.mark.parametrize("estimator", [KNeighborsClassifier, KNeighborsRegressor])
    def test_bad_data_are_named_and_an_unfitted_estimator_says_so(self, estimator):
        with pytest.raises(NotFittedError):
            estimator().predict(SQUARE)
        with pytest.raises(NotFittedError):
            estimator().kneighbors(SQUARE)
        with pytest.raises(ValueError, match="X contains NaN"):
            estimator(k=1).fit([[np.nan], [0]], [0, 1])
        model = estimator(k=1).fit(SQUARE, [0, 1, 0, 1])
        with pytest.raises(ValueError, match="3 features"):
            model.predict([[0, 0, 0]])
        with pytest.raises(ValueError, match=r"k: expected at most .*got 5"):
            model.kneighbors([[0, 0]], k=5)

    @pytest.mark.parametrize("algorithm", ["brute", "kd_tree"])
    def test_training_data_are_copied(self, algorithm):
        X, y = np.array(SQUARE), np.array([0.0, 1.0, 2.0, 3.0])
        model = KNeighborsRegressor(k=1, algorithm=algorithm).fit(X, y)
        X[:], y[:] = 9, 9
        assert model.predict(SQUARE).tolist() == [0, 1, 2, 3]


class TestRegressor:
    X = ((0.0,), (1.0,), (3.0,), (10.0,))
    y = (0.0, 10.0, 20.0, -5.0)

    def test_uniform_weights_give_the_mean(self):
        model = KNeighborsRegressor(k=3).fit(self.X, self.y)
        np.testing.assert_allclose(model.predict([[1], [9]]), [10, 25 / 3])

    def test_inverse_distance_gives_the_weighted_mean_and_an_exact_match_takes_all(self):
        model = KNeighborsRegressor(k=2, weights="distance").fit(self.X, self.y)
        np.testing.assert_allclose(model.predict([[0.25], [1]]), [2.5, 10], rtol=1e-12)
        twice = KNeighborsRegressor(k=3, weights="distance").fit([[0], [0], [1]], [1, 2, 100])
        np.testing.assert_allclose(twice.predict([[0]]), [1.5])

    def test_exponential_weights(self):
        model = KNeighborsRegressor(k=2, weights="exponential", width=2).fit(self.X, self.y)
        near, far = np.exp(-0.75 / 2), np.exp(-1.25 / 2)
        np.testing.assert_allclose(model.predict([[1.75]]), [(10 * near + 20 * far) / (near + far)])

    @pytest.mark.parametrize("weights", ["uniform", "distance", "exponential"])
    def test_several_outputs_are_predicted_as_each_alone(self, weights):
        rng = np.random.default_rng(1)
        X, Y, queries = rng.normal(size=(30, 2)), rng.normal(size=(30, 3)), rng.normal(size=(10, 2))
        model = KNeighborsRegressor(k=4, weights=weights)
        together = model.fit(X, Y).predict(queries)
        assert together.shape == (10, 3)
        for column in range(3):
            np.testing.assert_allclose(together[:, column], model.fit(X, Y[:, column]).predict(queries), rtol=1e-12)

    @given(problem=lattice_problems(), data=st.data())
    @quick
    def test_predictions_stay_within_the_targets_and_ignore_the_order_of_the_columns(self, problem, data):
        X, queries, k = problem
        y = data.draw(arrays(float, len(X), elements=st.floats(-100, 100)))
        columns = data.draw(st.permutations(range(X.shape[1])))
        model = KNeighborsRegressor(k=k, weights="distance")
        expected = model.fit(X / 7, y).predict(queries / 7)
        assert (expected >= y.min() - 1e-9).all()
        assert (expected <= y.max() + 1e-9).all()
        permuted = model.fit(X[:, columns] / 7, y).predict(queries[:, columns] / 7)
        np.testing.assert_array_equal(permuted, expected)
