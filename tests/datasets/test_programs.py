import pytest

from mlcore.datasets import beale, four_inequalities, klee_minty, random_resources
from mlcore.optimize import Status, enumerate_vertices, simplex


def test_four_inequalities_end_where_the_book_says():
    result = simplex(four_inequalities(), trace=True)
    assert [step.objective for step in result.steps] == pytest.approx([0, 31500, 37500])
    assert result.x == pytest.approx([40, 70])


@pytest.mark.parametrize(("rounder", "value"), [(False, -1 / 20), (True, -5 / 4)])
def test_beale_cycles_under_dantzig_alone(rounder, value):
    problem = beale(rounder)
    assert simplex(problem).bland_from == 6
    for rule in ("bland", "largest_increase"):
        result = simplex(problem, rule)
        assert not result.cycled
        assert result.value == pytest.approx(value)


@pytest.mark.parametrize("n", range(1, 6))
def test_the_bent_cube_has_as_many_vertices_as_a_cube_and_dantzig_visits_them_all(n):
    problem = klee_minty(n)
    assert len(enumerate_vertices(problem).vertices) == 2**n
    result = simplex(problem)
    assert result.iterations == 2**n - 1
    assert result.value == pytest.approx(100.0 ** (n - 1))


def test_bland_takes_five_pivots_on_the_cube():
    assert simplex(klee_minty(3), "bland").iterations == 5


@pytest.mark.parametrize("seed", range(5))
def test_random_resources_have_an_optimum(seed):
    problem = random_resources(7, 4, seed)
    assert problem.A_ub.shape == (7, 4)
    assert (problem.b_ub >= 2).all()
    assert simplex(problem).status is Status.OPTIMAL


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: klee_minty(0), "n: expected a whole number of at least 1"),
        (lambda: random_resources(0, 1), "m: expected"),
        (lambda: random_resources(1, 1.5), "n: expected"),
        (lambda: random_resources(1, 1, -1), "seed: expected"),
    ],
)
def test_bad_sizes_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
