import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from mlcore.neighbors import build_cells, k_nearest, search_cells

quick = settings(deadline=None, max_examples=60)


@st.composite
def searches(draw):
    """Points with small whole coordinates, so duplicates and ties in plenty, a query, k and a leaf size."""
    n, d = draw(st.integers(1, 30)), draw(st.integers(1, 4))
    coordinates = st.integers(-3, 3)
    X, query = draw(arrays(int, (n, d), elements=coordinates)), draw(arrays(int, d, elements=coordinates))
    return X, query, draw(st.integers(1, n)), draw(st.integers(1, 4))


def leaves(cell):
    return [leaf for half in cell.halves for leaf in leaves(half)] if cell.halves else [cell]


@quick
@given(searches())
def test_a_search_finds_what_a_scan_finds(search):
    X, query, k, leaf_size = search
    found = search_cells(X, build_cells(X, leaf_size), query, k)
    distances, indices = k_nearest(X, [query], k, algorithm="brute")
    assert found.indices.tolist() == indices[0].tolist()
    np.testing.assert_allclose(found.distances, distances[0], rtol=1e-11)


@pytest.mark.parametrize("d", [1, 2, 5, 12])
def test_a_search_finds_what_a_scan_finds_among_many_points(d):
    rng = np.random.default_rng(d)
    X, queries = rng.normal(size=(400, d)), rng.normal(size=(10, d))
    space = build_cells(X, leaf_size=3)
    _, indices = k_nearest(X, queries, 4, algorithm="brute")
    assert [search_cells(X, space, query, 4).indices.tolist() for query in queries] == indices.tolist()


@quick
@given(searches())
def test_every_point_is_in_one_leaf_and_inside_its_box(search):
    X, _, _, leaf_size = search
    cells = leaves(build_cells(X, leaf_size))
    assert sorted(np.concatenate([cell.rows for cell in cells]).tolist()) == list(range(len(X)))
    for cell in cells:
        assert (X[cell.rows] >= cell.low).all() and (X[cell.rows] <= cell.high).all()
        assert len(cell.rows) <= leaf_size or np.ptp(X[cell.rows], axis=0).max() == 0


@quick
@given(searches())
def test_the_steps_tell_what_was_done(search):
    X, query, k, leaf_size = search
    result = search_cells(X, build_cells(X, leaf_size), query, k, record=True)
    seen = np.concatenate([step.cell.rows for step in result.steps])
    assert sorted(seen.tolist()) == list(range(len(X)))  # every point is looked at or spared, once
    assert sum(len(step.cell.rows) for step in result.steps if step.opened) == result.n_distances
    radii = [step.radius for step in result.steps]
    assert radii == sorted(radii, reverse=True) and radii[-1] == result.distances[-1]
    before = np.inf
    for step in result.steps:
        assert step.opened == (step.distance <= before)
        if not step.opened:
            away = np.sqrt(((X[step.cell.rows] - query) ** 2).sum(axis=1))
            assert away.min() > before  # nothing that matters was spared
        before = step.radius


def test_without_a_record_there_are_no_steps():
    X = np.arange(8.0)[:, None]
    assert search_cells(X, build_cells(X), [3.2]).steps == ()


def test_few_dimensions_save_nearly_all_distances_and_many_save_none():
    rng = np.random.default_rng(0)
    saved = {}
    for d in (2, 20):
        X, queries = rng.normal(size=(1024, d)), rng.normal(size=(10, d))
        space = build_cells(X, leaf_size=4)
        saved[d] = 1 - np.mean([search_cells(X, space, query).n_distances for query in queries]) / 1024
    assert saved[2] > 0.98
    assert saved[20] < 0.05


def test_nothing_is_changed():
    X, query = np.random.default_rng(0).normal(size=(20, 3)), np.zeros(3)
    copies = X.copy(), query.copy()
    search_cells(X, build_cells(X), query)
    np.testing.assert_array_equal(X, copies[0])
    np.testing.assert_array_equal(query, copies[1])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (dict(X=[[0.0]], query=[0.0], k=2), "k: expected at most the number of points, 1, got 2"),
        (dict(X=[[0.0]], query=[0.0], k=0), "k: expected a whole number"),
        (dict(X=[[0.0]], query=[0.0, 1.0]), r"query: expected shape \(1,\)"),
        (dict(X=[[0.0]], query=[np.nan]), "query: expected numbers, got NaN"),
        (dict(X=[[0.0], [1.0]], query=[0.0]), r"space: expected the cells of X, shape \(2, 1\), got those of 1 points"),
    ],
)
def test_bad_searches_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        search_cells(space=build_cells([[0.0]]), **arguments)


@pytest.mark.parametrize(
    ("X", "leaf_size", "message"),
    [
        (np.empty((0, 2)), 1, "X: expected at least one row"),
        ([[np.inf]], 1, "X: expected finite numbers"),
        ([1.0, 2.0], 1, r"X: expected shape \(n, d\)"),
        ([[1.0]], 0, "leaf_size: expected a whole number"),
    ],
)
def test_bad_points_are_named(X, leaf_size, message):
    with pytest.raises(ValueError, match=message):
        build_cells(X, leaf_size)


@pytest.mark.parametrize("size", [1e-310, 1e-170, 1e-30, 1e160, 1e300, 1e307])
@pytest.mark.parametrize("d", [1, 2, 5])
def test_the_unit_of_length_does_not_matter(size, d):
    rng = np.random.default_rng(d)
    X, query = rng.normal(size=(60, d)), rng.normal(size=d)
    one = search_cells(X, build_cells(X), query, k=4)
    other = search_cells(size * X, build_cells(size * X), size * query, k=4)
    assert np.array_equal(other.indices, one.indices)
    digits = 1e-9 if size > 1e-300 else 1e-3  # the smallest floats have few digits
    np.testing.assert_allclose(other.distances / size, one.distances, rtol=digits)
    assert (other.n_distances, other.n_boxes) == (one.n_distances, one.n_boxes)


def test_points_in_many_sizes_at_once():
    X = np.array([[0.0, 0.0], [1e-200, 0.0], [3e-200, 4e-200], [1.0, 0.0], [1e300, 1e300]])
    found = search_cells(X, build_cells(X), [0.0, 0.0], k=5)
    np.testing.assert_allclose(found.distances, [0, 1e-200, 5e-200, 1, np.sqrt(2) * 1e300])
    assert found.indices.tolist() == [0, 1, 2, 3, 4]


def test_distances_beyond_floats_are_refused():
    X = [[1.5e308], [-1.5e308]]
    with pytest.raises(ValueError, match="X, query: expected distances below"):
        search_cells(X, build_cells(X), [1.5e308], k=2)
    assert search_cells(X, build_cells(X), [1.5e308], k=1).distances == 0
