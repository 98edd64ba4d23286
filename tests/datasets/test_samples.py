"""Facts printed in the sources, determinism under the seed, and refusal of bad arguments."""

import inspect

import numpy as np
import pytest
from scipy.optimize import linprog
from sklearn.datasets import load_iris

from mlcore import datasets
from mlcore.datasets import (
    _classification,
    _point_sets,
    _regression,
    circle_data,
    five_points,
    four_corners,
    four_points,
    iris_pair,
    metal_and_wood,
    mislabelled_points,
    moons,
    nine_on_a_line,
    noisy_line,
    noisy_wave,
    shape_bitmaps,
    two_clouds,
    two_columns,
    two_points,
    two_points_3d,
)

OTHERS = {"digit_split", "true_wave", "ten_observations"}  # ten classes, a function, and inputs in a row
REGRESSION = [getattr(datasets, name) for name in _regression.__all__ if name not in OTHERS]
CLASSES = [getattr(datasets, name) for m in (_classification, _point_sets) for name in m.__all__ if name not in OTHERS]
EVERY = CLASSES + REGRESSION
SEEDED = [data for data in EVERY if "seed" in inspect.signature(data).parameters]


def separable(X, y):
    """Whether a plane has all points on their side, by linear programming."""
    rows = -y[:, None] * np.column_stack([X, np.ones(len(X))])
    result = linprog(np.zeros(rows.shape[1]), A_ub=rows, b_ub=-np.ones(len(X)), bounds=(None, None))
    assert result.status in (0, 2)
    return result.status == 0


@pytest.mark.parametrize("data", EVERY, ids=lambda data: data.__name__)
def test_every_data_set_has_matching_finite_arrays_and_both_classes(data):
    X, y, *_ = data()
    assert X.ndim == 2
    assert y.shape == (len(X),)
    assert X.dtype == y.dtype == float
    assert np.isfinite(X).all()
    if data not in REGRESSION:
        assert set(y) == {1.0, -1.0}


@pytest.mark.parametrize("data", EVERY, ids=lambda data: data.__name__)
def test_a_caller_may_write_into_what_it_got(data):
    first, again = data(), data()
    first[0][:] = 0
    first[1][:] = 0
    assert np.array_equal(data()[0], again[0])
    assert np.array_equal(data()[1], again[1])


@pytest.mark.parametrize("data", SEEDED, ids=lambda data: data.__name__)
def test_the_seed_fixes_the_draw(data):
    def drawn(seed):
        X, y = data(n=30, seed=seed)
        return np.column_stack([X, y])

    assert np.array_equal(drawn(5), drawn(5))
    assert not np.array_equal(drawn(5), drawn(6))
    assert len(drawn(5)) == 30


@pytest.mark.parametrize("data", SEEDED, ids=lambda data: data.__name__)
@pytest.mark.parametrize(
    "wrong", [{"n": 0}, {"n": 2.5}, {"n": -3}, {"n": "ten"}, {"seed": -1}, {"seed": 0.5}, {"seed": None}]
)
def test_bad_counts_and_seeds_raise(data, wrong):
    (name,) = wrong
    with pytest.raises(ValueError, match=f"^{name}: expected a whole number"):
        data(**wrong)


@pytest.mark.parametrize("data", [data for data in SEEDED if "noise" in inspect.signature(data).parameters])
@pytest.mark.parametrize("noise", [-0.1, np.nan, np.inf, "loud"])
def test_bad_noise_raises(data, noise):
    with pytest.raises(ValueError, match="^noise: "):
        data(noise=noise)


def test_neighbours_of_the_unknown_object():
    X, y, unknown = metal_and_wood()
    distances = np.linalg.norm(X - unknown, axis=1)
    np.testing.assert_allclose(distances, [3.12, 1.77, 4.94, 4.06, 3.43], rtol=1e-12)
    nearest = np.argsort(distances)
    assert [np.sign(y[nearest[:k]].sum()) for k in (1, 3, 5)] == [1, -1, 1]
    assert (X > 0).all()


def test_two_columns():
    X, y = two_columns()
    assert sorted(map(tuple, X[y < 0])) == [(4, 1), (4, 2), (4, 3), (4, 4)]
    assert sorted(map(tuple, X[y > 0])) == [(5, 1), (5, 2), (5, 3), (5, 4)]


def test_margins_of_the_small_sets():
    # Every support vector at distance 1 in units of w, and no point closer: with w = Σ α y x this proves w, b.
    for (X, y), w, b in [
        (two_points(), [0.5, 0.5], -1),
        (two_points_3d(), [2 / 3, 2 / 3, 2 / 3], -1),
        (four_points(), [-1, 1], 0),
    ]:
        np.testing.assert_allclose(y * (X @ w + b), 1, rtol=1e-12)
    X, y = mislabelled_points(changed=0)
    margins = y * (X @ [0, 1] - 3)
    assert margins.min() == 1
    assert np.flatnonzero(margins == 1).tolist() == [0, 1, 6]


def test_which_sets_a_line_separates():
    assert separable(*five_points(label=1))
    assert not separable(*five_points(label=-1))
    assert five_points(label=-1)[0][4].tolist() == [-1, 1.5]
    assert not separable(*four_corners())
    assert [separable(*mislabelled_points(changed)) for changed in (0, 1, 2)] == [True, False, False]
    X, y = nine_on_a_line()
    assert not separable(X, y)
    assert separable(np.column_stack([X, X**2]), y)


def test_circle_data():
    X, y = circle_data(n=400, seed=1)
    assert np.abs(X).max() <= 1.5
    assert ((np.hypot(*X.T) < 1) == (y > 0)).all()
    assert not separable(X, y)
    assert separable(np.column_stack([X**2, np.sqrt(2) * X[:, 0] * X[:, 1]]), y)


def test_two_clouds_keep_their_form_while_they_move():
    near, y = two_clouds(n=31, distance=1.0, seed=4)
    far, _ = two_clouds(n=31, distance=5.0, seed=4)
    step = np.where(y[:, None] > 0, 1, -1) * np.sqrt(2)
    np.testing.assert_allclose(far - near, np.broadcast_to(step, far.shape))
    assert (y > 0).sum() == 16
    centred, y = two_clouds(n=20000, distance=4.0)
    np.testing.assert_allclose(centred[y > 0].mean(axis=0), np.sqrt(2), atol=0.05)
    np.testing.assert_allclose(centred[y > 0].std(axis=0), 1, atol=0.05)
    with pytest.raises(ValueError, match="^distance: "):
        two_clouds(distance=-1)


def test_moons():
    X, y = moons(n=200, noise=0.0)
    np.testing.assert_allclose(np.hypot(*X[y < 0].T), 1, rtol=1e-12)
    np.testing.assert_allclose(np.hypot(*(X[y > 0] - [1, 0.5]).T), 1, rtol=1e-12)
    a, b = (moons(noise=noise)[0] for noise in (0.1, 0.2))
    np.testing.assert_allclose(b - a, a - moons(noise=0.0)[0], atol=1e-12)


def test_iris_pair():
    X, y, names = iris_pair()
    iris = load_iris()
    assert np.array_equal(X, iris.data[:100])
    assert y.tolist() == [-1.0] * 50 + [1.0] * 50
    assert names == ("sepal length", "sepal width", "petal length", "petal width")
    X, y, names = iris_pair(names=("virginica", "setosa"), features=("petal width", "sepal length"))
    assert np.array_equal(X, np.vstack([iris.data[100:], iris.data[:50]])[:, [3, 0]])
    assert names == ("petal width", "sepal length")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"names": ("setosa",)}, "^names: expected 2 different names among .*, got .'setosa',"),
        ({"names": ("setosa", "setosa")}, "^names: "),
        ({"names": ("setosa", "rose")}, "^names: "),
        ({"names": ("setosa", "versicolor", "virginica")}, "^names: "),
        ({"features": ()}, "^features: "),
        ({"features": ("petal length", "petal length")}, "^features: "),
        ({"features": ("petal lenght",)}, "^features: "),
        ({"features": "petal"}, "^features: "),
    ],
)
def test_bad_iris_names_raise(arguments, message):
    with pytest.raises(ValueError, match=message):
        iris_pair(**arguments)


@pytest.mark.parametrize("label", [0, 2, "+", None, np.nan])
def test_bad_label_raises(label):
    with pytest.raises(ValueError, match="^label: expected 1 or -1, got"):
        five_points(label=label)


@pytest.mark.parametrize("changed", [-1, 3, 1.0, None])
def test_bad_number_of_changed_labels_raises(changed):
    with pytest.raises(ValueError, match="^changed: "):
        mislabelled_points(changed)


def test_regression_data():
    X, y = noisy_line(n=30, slope=-2.0, noise=0.0)
    np.testing.assert_allclose(y, 1 - 2 * X[:, 0])
    X, y = noisy_wave(n=30, noise=0.0)
    np.testing.assert_allclose(y, np.sin(X[:, 0]), atol=1e-15)
    assert noisy_line(n=5000, slope=0.0, noise=0.5)[1].std() == pytest.approx(0.5, rel=0.05)
    for slope in (np.nan, np.inf, "steep"):
        with pytest.raises(ValueError, match="^slope: "):
            noisy_line(slope=slope)


def test_bitmaps():
    X, y = shape_bitmaps(n=40, noise=0.0)
    assert set(np.unique(X)) == {0.0, 1.0}
    assert len(np.unique(X, axis=0)) == 2
    for picture in X[:2].reshape(2, 16, 16):
        assert np.array_equal(picture, picture[::-1, ::-1])
        assert not picture[8, 8]
    flipped = np.abs(shape_bitmaps(n=40, noise=0.25)[0] - X)
    assert flipped.mean() == pytest.approx(0.25, abs=0.02)
    with pytest.raises(ValueError, match="^noise: expected a probability"):
        shape_bitmaps(noise=1.5)
