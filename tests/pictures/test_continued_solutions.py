"""A picture is a function of its state: what was solved before must not show, wherever the slider came from."""

import numpy as np
import pytest

from mlcore.datasets import moons_in_standard_deviations, noisy_wave
from mlcore.explore.explorable import Explorable
from mlcore.kernels import Gaussian, Linear
from mlcore.optimize import Status
from mlcore.pictures.drawing import continued_solutions as continued_solutions
from mlcore.pictures.drawing.continued_solutions import continued_machine, continued_tube
from mlcore.pictures.duals import multipliers
from mlcore.pictures.kernels import gaussian_machine
from mlcore.pictures.regression import _fitted_tube as fitted_tube
from mlcore.pictures.regression import curve_and_tube
from mlcore.svm import solve_dual, solve_svr_dual


def forget():
    continued_solutions._last.clear()
    continued_machine.cache_clear()
    fitted_tube.fit_tube.cache_clear()


@pytest.fixture
def starts(monkeypatch):
    """Return the list of what each run of the two solvers of pair updates was given to start from."""
    forget()
    given = []
    for name, start in (("solve_smo", "alpha"), ("solve_svr_smo", "beta")):
        solve = getattr(continued_solutions, name)

        def noted(*arguments, _solve=solve, _start=start, **options):
            given.append(options[_start])
            return _solve(*arguments, **options)

        monkeypatch.setattr(continued_solutions, name, noted)
    return given


def moons():
    X, y = moons_in_standard_deviations()
    return tuple(map(tuple, X)), tuple(y)


@pytest.mark.parametrize(
    "explorable", [gaussian_machine(), multipliers(), curve_and_tube()], ids=lambda e: e.title[:20]
)
def test_readouts_do_not_depend_on_where_the_slider_came_from(explorable: Explorable):
    states = explorable.page_states()
    forget()
    forwards = [explorable.describe(**state) for state in states]
    forget()
    backwards = [explorable.describe(**state) for state in reversed(states)][::-1]
    order = np.random.default_rng(0).permutation(len(states))
    forget()
    mixed = {i: explorable.describe(**states[i]) for i in order}
    assert forwards == backwards == [mixed[i] for i in range(len(states))]


def test_a_machine_continues_from_the_last_multipliers_and_ends_at_the_optimum(starts):
    X, y = moons()
    last = None
    for C in (0.1, 0.2, 0.5, 1, 2):
        kernel = Gaussian(0.8)
        solution = continued_machine(X, y, kernel, C)
        assert starts[-1] is last
        last = solution.alpha
        alone = solve_dual(kernel(X), y, C)
        assert solution.status is Status.OPTIMAL
        assert max(solution.certificate.gap, solution.certificate.residual) < 1e-6
        np.testing.assert_allclose(solution.alpha, alone.alpha, atol=1e-6 * C)
    assert len(starts) == 5


def test_a_tube_continues_from_the_last_coefficients_and_ends_at_the_optimum(starts):
    X, y = noisy_wave(n=30, noise=0.2, seed=0)
    last, x = None, tuple(X[:, 0])
    for epsilon in (0.05, 0.1, 0.2):
        kernel = Gaussian(1.0)
        solution = continued_tube(x, kernel, kernel(X), y, 2.0, epsilon, "l1")
        assert starts[-1] is last
        last = solution.coefficients
        alone = solve_svr_dual(kernel(X), y, 2.0, epsilon)
        assert solution.status is Status.OPTIMAL
        np.testing.assert_allclose(solution.coefficients, alone.coefficients, atol=2e-6)
    assert len(starts) == 3


def test_where_multipliers_are_not_unique_the_quadratic_program_decides(starts):
    X, y = moons()
    continued_machine(X, y, Linear(), 1.0)
    continued_machine((*X, X[0]), (*y, y[0]), Gaussian(1.0), 1.0)
    assert starts == []


def test_a_run_that_takes_long_goes_to_the_quadratic_program(starts, monkeypatch):
    monkeypatch.setattr(continued_solutions, "_PATIENCE", 3)
    X, y = moons()
    solution = continued_machine(X, y, Gaussian(0.8), 10.0)
    assert len(starts) == 1
    assert max(solution.certificate.gap, solution.certificate.residual) < 1e-6


def test_only_the_last_problems_are_remembered():
    forget()
    for shift in range(40):
        X = tuple((float(i), float(i + shift)) for i in range(3))
        continued_machine(X, (1.0, -1.0, 1.0), Gaussian(1.0), 1.0)
    assert len(continued_solutions._last) == continued_solutions._KEPT
