"""The naive method: every choice of n constraints."""

from math import comb

import numpy as np
import pytest

from mlcore.datasets import klee_minty
from mlcore.optimize import LinearProgram, enumerate_vertices


def as_set(points):
    return {tuple(np.round(point, 9) + 0.0) for point in points}


def test_graphical_exercise():
    problem = LinearProgram([3, 2], [[2, 1], [2, 3], [3, 1]], [18, 42, 24], maximize=True)  # ES p. 24
    result = enumerate_vertices(problem)
    assert result.systems == comb(5, 2) == len(result.crossings)
    assert as_set(result.vertices) == {(0, 0), (8, 0), (6, 6), (3, 12), (0, 14)}
    assert result.values.max() == pytest.approx(33)
    np.testing.assert_allclose(result.vertices[result.values.argmax()], [3, 12])
    assert result.feasible.sum() == 5


@pytest.mark.parametrize(("last", "vertices"), [(-4, {(6, 4), (5, 5), (5, 4)}), (-6, set())])
def test_systems_of_chapter_2(last, vertices):  # ES p. 16, 17
    result = enumerate_vertices(LinearProgram([0, 0], [[1, 1], [-1, 0], [0, -1]], [10, -5, last], bounds=(None, None)))
    assert result.systems == 3
    assert as_set(result.vertices) == vertices


def test_cube_and_simplex_in_several_dimensions():
    for n in range(1, 6):
        cube = enumerate_vertices(LinearProgram(np.ones(n), bounds=(0, 1)))
        assert cube.systems == comb(2 * n, n)
        assert as_set(cube.vertices) == {tuple(map(int, f"{i:0{n}b}")) for i in range(2**n)}
        simplex = enumerate_vertices(LinearProgram(np.ones(n), A_eq=np.ones((1, n)), b_eq=[1]))
        assert simplex.systems == comb(n, n - 1)
        assert as_set(simplex.vertices) == as_set(np.eye(n))


def test_a_degenerate_vertex_is_found_often_and_listed_once():
    result = enumerate_vertices(LinearProgram([1, 1], [[1, 1], [1, 0], [0, 1], [0, 0]], [2, 1, 1, 0], maximize=True))
    at_corner = np.abs(result.crossings - 1).max(axis=1) < 1e-12
    assert at_corner.sum() == 3
    assert as_set(result.vertices) == {(0, 0), (1, 0), (0, 1), (1, 1)}


def test_redundant_equations_do_not_hide_vertices():
    result = enumerate_vertices(LinearProgram([1, 1, 1], A_eq=[[1, 1, 0], [2, 2, 0]], b_eq=[1, 2], bounds=(0, 1)))
    assert result.systems == comb(6, 2)
    assert as_set(result.vertices) == {(1, 0, 0), (0, 1, 0), (1, 0, 1), (0, 1, 1)}
    contradictory = enumerate_vertices(LinearProgram([1, 1], A_eq=[[1, 1], [2, 2]], b_eq=[1, 3]))
    assert len(contradictory.vertices) == 0


def test_equations_alone():
    result = enumerate_vertices(LinearProgram([1, 1], A_eq=[[1, 1], [1, -1]], b_eq=[2, 0], bounds=(None, None)))
    assert result.systems == 1
    assert as_set(result.vertices) == {(1, 1)}


def test_a_region_without_vertices():
    result = enumerate_vertices(LinearProgram([1, 1], [[1, 1]], [2], bounds=(None, None)))
    assert result.systems == 0
    assert result.vertices.shape == (0, 2)
    assert result.values.shape == (0,)


@pytest.mark.parametrize("unit", [1e-12, 1e12])
def test_units_do_not_matter(unit):
    result = enumerate_vertices(LinearProgram([3, 2], np.array([[2, 1], [2, 3], [3, 1]]) * unit, [18, 42, 24]))
    assert as_set(result.vertices * unit) == {(0, 0), (8, 0), (6, 6), (3, 12), (0, 14)}


def test_too_many_systems():
    problem = LinearProgram(np.ones(20), bounds=(0, 1))
    with pytest.raises(ValueError, match="max_systems = 200000 choices of 20 among 40 constraints, got 137846528820"):
        enumerate_vertices(problem)
    with pytest.raises(ValueError, match="max_systems: expected a whole number"):
        enumerate_vertices(problem, max_systems=0)


@pytest.mark.parametrize("n", range(1, 8))
def test_a_cube_has_two_to_the_n_vertices_however_skewed(n):
    """The coordinates of a Klee-Minty cube differ by a factor of 100 each: no tolerance of one fits another."""
    assert len(enumerate_vertices(klee_minty(n)).vertices) == 2**n
