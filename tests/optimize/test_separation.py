"""Separating planes, common points of hulls, membership and corners of a hull."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlcore.optimize import LinearProgram, extreme_points, in_convex_hull, separating_plane, simplex


def assert_proven(X, y, result):
    X, y = np.asarray(X, dtype=float), np.asarray(y)
    size = 1 + np.abs(X).max()
    if result.separable:
        assert result.weights is None
        assert result.common_point is None
        assert (y * (X @ result.w + result.b)).min() == pytest.approx(1, abs=1e-6)
        # midway: the closest points of both classes are at the same height
        heights = X @ result.w + result.b
        assert heights[y > 0].min() == pytest.approx(-heights[y < 0].max(), abs=1e-6)
    else:
        assert result.w is None
        assert result.b is None
        assert (result.weights >= 0).all()
        for label in (1, -1):
            assert result.weights[y == label].sum() == pytest.approx(1)
            np.testing.assert_allclose(
                result.weights[y == label] @ X[y == label], result.common_point, atol=1e-8 * size
            )


@pytest.mark.parametrize(
    ("X", "y", "separable"),
    [
        ([[4, v] for v in (1, 2, 3, 4)] + [[5, v] for v in (1, 2, 3, 4)], [-1] * 4 + [1] * 4, True),  # ES p. 22
        ([[0, 1], [1, 2], [1, 0], [2, 1]], [1, 1, -1, -1], True),  # ES p. 32
        ([[0, 1], [1, 2], [1, 0], [2, 1], [-1, 1.5]], [1, 1, -1, -1, 1], True),  # ES p. 32, the fifth point
        ([[0, 1], [1, 2], [1, 0], [2, 1], [-1, 1.5]], [1, 1, -1, -1, -1], False),
        ([[0, 0, 0], [1, 1, 1]], [1, -1], True),
        ([[0, 0], [1, 1], [2, 2]], [1, -1, 1], False),  # three points on a line, against ES p. 53
        ([[0, 0], [1, 1], [0, 1], [1, 0]], [1, 1, -1, -1], False),  # exclusive or
        ([[0, 0], [0, 0]], [1, -1], False),
        ([[0, 0], [1, 0], [1, 0], [2, 0]], [1, 1, -1, -1], False),  # hulls that touch
        ([[3.0], [5.0]], [1, -1], True),
    ],
)
def test_known_configurations(X, y, separable):
    result = separating_plane(X, y)
    assert result.separable == separable
    assert_proven(X, y, result)


@given(st.integers(0, 10_000))
@settings(deadline=None, max_examples=80)
def test_random_classes(seed):
    rng = np.random.default_rng(seed)
    d, n = rng.integers(1, 5), rng.integers(2, 15)
    X = rng.integers(-3, 4, size=(n, d)) if seed % 2 else rng.normal(size=(n, d))
    y = np.where(rng.random(n) < 0.5, 1, -1)
    y[:2] = 1, -1
    result = separating_plane(X, y)
    assert_proven(X, y, result)
    # the program of ES p. 23 in w and b, one row a point, gives the same verdict
    rows = -y[:, None] * np.column_stack([X, np.ones(n)])
    direct = simplex(LinearProgram(np.zeros(d + 1), rows, -np.ones(n), bounds=(None, None)))
    assert (direct.status == "optimal") == result.separable


@pytest.mark.parametrize(("scale", "shift"), [(1e-8, 0), (1e6, 0), (1, 1e9), (np.array([1e-6, 1, 1e6]), 0)])
def test_units_and_origin_do_not_matter(scale, shift):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(60, 3))
    for offset in (0.3, -0.3):
        y = np.where(X[:, 0] + X[:, 1] > 0, 1, -1)
        moved = (X + np.outer(y, [offset, offset, 0])) * scale + shift
        assert separating_plane(moved, y).separable == (offset > 0)


def test_many_points_in_many_dimensions():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1500, 20))
    y = np.where(X @ rng.normal(size=20) > 0, 1, -1)
    result = separating_plane(X, y)
    assert result.separable
    assert (y * (X @ result.w + result.b)).min() == pytest.approx(1)
    y[:50] *= -1
    result = separating_plane(X, y)
    assert not result.separable
    assert_proven(X, y, result)
    assert np.count_nonzero(result.weights) <= 20 + 2  # a vertex has no more weights than the program has rows


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        ([1, 2], [1, -1], "X: expected shape (n, d), got (2,)"),
        ([[1, 2]], [1, -1], "y: expected shape (1,), got (2,)"),
        ([[1], [2]], [0, 1], "y: expected labels +1 and -1, both present, got [0. 1.]"),
        ([[1], [2]], [1, 1], "y: expected labels +1 and -1, both present, got [1.]"),
        ([[1], [np.nan]], [1, -1], "X: expected numbers, got NaN"),
        ([[1], [np.inf]], [1, -1], "X: expected finite numbers"),
    ],
)
def test_bad_input_is_named(X, y, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        separating_plane(X, y)


def test_convex_hull_membership():
    cube = np.array([[i, j, k] for i in (0, 1) for j in (0, 1) for k in (0, 1)])
    for point in ([0.5, 0.5, 0.5], [0.2, 0.9, 0.1], [1, 0.5, 0], [1, 1, 1]):
        result = in_convex_hull(point, cube)
        assert result.inside
        assert (result.weights >= 0).all()
        assert result.weights.sum() == pytest.approx(1)
        np.testing.assert_allclose(result.weights @ cube, point, atol=1e-12)
        assert result.w is None
    for point in ([1.001, 0.5, 0.5], [2, 2, 2], [-1, 0, 0]):
        result = in_convex_hull(point, cube)
        assert not result.inside
        assert result.weights is None
        assert result.w @ point + result.b == pytest.approx(1)
        assert (cube @ result.w + result.b).max() == pytest.approx(-1)


def test_hull_of_one_point():
    assert in_convex_hull([1, 2], [[1, 2]]).inside
    assert not in_convex_hull([1, 2], [[1, 3]]).inside


def test_membership_rejects_bad_input():
    with pytest.raises(ValueError, match=re.escape("X: expected shape (n, 2), got (1, 3)")):
        in_convex_hull([1, 2], [[1, 2, 3]])
    with pytest.raises(ValueError, match=re.escape("X: expected at least one point, got shape (0, 2)")):
        in_convex_hull([1, 2], np.zeros((0, 2)))
    with pytest.raises(ValueError, match=re.escape("point: expected shape (d,), got (1, 2)")):
        in_convex_hull([[1, 2]], [[1, 2]])


def test_corners_of_a_grid():
    grid = [[i, j] for i in range(4) for j in range(4)]
    np.testing.assert_array_equal(extreme_points(grid), [0, 3, 12, 15])


def test_corners_that_coincide():
    np.testing.assert_array_equal(extreme_points([[1, 1]] * 3), [2])
    np.testing.assert_array_equal(extreme_points([[0, 0], [2, 2], [1, 1], [0, 0]]), [1, 3])
    np.testing.assert_array_equal(extreme_points([[5.0, 1.0]]), [0])
    assert extreme_points(np.zeros((0, 3))).size == 0
