"""Nearest neighbours against scikit-learn, and under its estimator checks."""

import numpy as np
import pytest
from sklearn.datasets import load_digits, load_iris
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.neighbors import KNeighborsClassifier as PeerClassifier
from sklearn.neighbors import KNeighborsRegressor as PeerRegressor
from sklearn.neighbors import NearestNeighbors
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from mlcore.neighbors import KNeighborsClassifier, KNeighborsRegressor, k_nearest

METRICS = [("euclidean", 2), ("manhattan", 2), ("chebyshev", 2), ("minkowski", 3.5)]


@parametrize_with_checks(
    [
        KNeighborsClassifier(),
        KNeighborsClassifier(weights="distance", algorithm="kd_tree"),
        KNeighborsClassifier(weights="exponential", metric="manhattan"),
        KNeighborsRegressor(),
        KNeighborsRegressor(weights="distance", algorithm="kd_tree"),
        KNeighborsRegressor(weights="exponential", metric="minkowski", p=3),
    ]
)
def test_scikit_learn_estimator_checks(estimator, check):
    check(estimator)


def random_problem(n=400, d=3, seed=0):
    rng = np.random.default_rng(seed)
    X, queries = rng.normal(size=(n, d)), rng.normal(size=(60, d))
    return X, rng.integers(0, 4, size=n), rng.normal(size=(n, 2)), queries


@pytest.mark.parametrize("algorithm", ["brute", "kd_tree"])
@pytest.mark.parametrize(("metric", "p"), METRICS)
@pytest.mark.parametrize("d", [1, 3, 40])
def test_neighbours_equal_those_of_scikit_learn(metric, p, d, algorithm):
    X, _, _, queries = random_problem(d=d)
    distances, indices = k_nearest(X, queries, 7, metric, p=p, algorithm=algorithm)
    peer = NearestNeighbors(n_neighbors=7, metric=metric, p=p, algorithm="brute").fit(X)
    expected_distances, expected_indices = peer.kneighbors(queries)
    np.testing.assert_array_equal(indices, expected_indices)
    np.testing.assert_allclose(distances, expected_distances, rtol=1e-12, atol=1e-12)


def exponential(distances):
    return np.exp(-distances / 0.7)


@pytest.mark.parametrize("weights", ["uniform", "distance", "exponential"])
@pytest.mark.parametrize(("metric", "p"), METRICS)
@pytest.mark.parametrize("k", [1, 6, 400])
def test_predictions_equal_those_of_scikit_learn(metric, p, weights, k):
    X, y, targets, queries = random_problem()
    ours = {"k": k, "metric": metric, "p": p, "weights": weights, "width": 0.7}
    theirs = {
        "n_neighbors": k,
        "metric": metric,
        "p": p,
        "weights": exponential if weights == "exponential" else weights,
        "algorithm": "brute",
    }
    model, peer = KNeighborsClassifier(**ours).fit(X, y), PeerClassifier(**theirs).fit(X, y)
    shares = peer.predict_proba(queries)
    np.testing.assert_allclose(model.predict_proba(queries), shares, rtol=1e-9)
    top_two = np.sort(shares, axis=1)[:, -2:]
    decided = top_two[:, 1] - top_two[:, 0] > 1e-9
    assert decided.sum() >= 30
    np.testing.assert_array_equal(model.predict(queries[decided]), peer.predict(queries[decided]))

    regressor, peer = KNeighborsRegressor(**ours).fit(X, targets), PeerRegressor(**theirs).fit(X, targets)
    np.testing.assert_allclose(regressor.predict(queries), peer.predict(queries), rtol=1e-9, atol=1e-12)
    regressor, peer = (
        KNeighborsRegressor(**ours).fit(X, targets[:, 0]),
        PeerRegressor(**theirs).fit(X, targets[:, 0]),
    )
    assert regressor.predict(queries).shape == (60,)
    np.testing.assert_allclose(regressor.predict(queries), peer.predict(queries), rtol=1e-9, atol=1e-12)


def test_where_votes_tie_ours_follows_the_summed_distance_and_the_peer_the_class_order():
    X, y = [[-2.0], [-1.5], [1.0], [1.25]], [0, 0, 1, 1]
    assert KNeighborsClassifier(k=4).fit(X, y).predict([[0.0]]) == [1]
    assert PeerClassifier(n_neighbors=4).fit(X, y).predict([[0.0]]) == [0]


def test_iris_is_full_of_ties_and_no_order_of_the_columns_changes_the_answer():
    X, y = load_iris(return_X_y=True)
    model = KNeighborsClassifier(k=4).fit(X, y)
    distances, _ = model.kneighbors(X, k=5)
    assert (distances[:, 3] == distances[:, 4]).sum() >= 10  # ties at the last place
    for seed in range(5):
        columns = np.random.default_rng(seed).permutation(4)
        shuffled = KNeighborsClassifier(k=4).fit(X[:, columns], y)
        for ours, expected in zip(shuffled.kneighbors(X[:, columns]), model.kneighbors(X)):
            np.testing.assert_array_equal(ours, expected)
        np.testing.assert_array_equal(shuffled.predict_proba(X[:, columns]), model.predict_proba(X))


def test_iris_neighbours_follow_decimal_arithmetic():
    X, _ = load_iris(return_X_y=True)
    tenths = np.rint(X * 10).astype(int)
    _, indices = k_nearest(X, X, 10, "manhattan")
    exact = np.abs(tenths[:, None] - tenths).sum(axis=2)
    np.testing.assert_array_equal(indices, np.argsort(exact, axis=1, kind="stable")[:, :10])


def test_estimators_work_in_a_pipeline_grid_search_and_cross_validation():
    X, y = load_iris(return_X_y=True)
    pipeline = make_pipeline(StandardScaler(), KNeighborsClassifier())
    assert cross_val_score(pipeline, X, y).mean() > 0.93
    grid = {"kneighborsclassifier__k": [1, 5, 15], "kneighborsclassifier__weights": ["uniform", "distance"]}
    search = GridSearchCV(pipeline, grid, error_score="raise").fit(X, y)
    assert search.best_score_ > 0.94
    regression = GridSearchCV(KNeighborsRegressor(), {"k": [1, 5]}, error_score="raise").fit(X[:, :3], X[:, 3])
    assert regression.best_params_ == {"k": 5}


def test_accuracy_on_digits_equals_the_peers():
    X, y = load_digits(return_X_y=True)
    train, test = slice(0, 1200), slice(1200, None)
    ours = KNeighborsClassifier(k=1).fit(X[train], y[train]).score(X[test], y[test])
    assert ours == PeerClassifier(n_neighbors=1).fit(X[train], y[train]).score(X[test], y[test]) > 0.95
