"""Maximum likelihood from several starts, on functions whose maxima are known."""

import math
from dataclasses import replace

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from mlcore.gaussian_process._hyperparameters import best_parameters, best_run, maximize, search_space


def hill(parameters):
    """Highest at height = 2, offset = −1: −log²(height/2) − (offset + 1)²."""
    a, b = math.log(parameters["height"] / 2), parameters["offset"] + 1
    return -(a**2) - b**2, {"height": -2 * a / parameters["height"], "offset": -2 * b}


def two_hills(parameters):
    """Maxima near log x = −2 (height 1) and log x = 2 (height 2)."""
    u = math.log(parameters["x"])
    low, high = math.exp(-((u + 2) ** 2)), 2 * math.exp(-((u - 2) ** 2))
    return low + high, {"x": (-2 * (u + 2) * low - 2 * (u - 2) * high) / parameters["x"]}


START = {"height": 0.3, "offset": 4.0}


def test_positive_parameters_by_logarithm_and_others_as_they_are():
    space = search_space(START, True, (1e-3, 1e3), unbounded=["offset"])
    assert space.names == ("height", "offset")
    np.testing.assert_allclose(space.encode(START), [math.log(0.3), 4])
    assert space.decode(space.encode(START)) == pytest.approx(START)
    np.testing.assert_allclose(space.lower, [math.log(1e-3), -np.inf])
    (run,) = maximize(hill, space, START)
    assert run.parameters == pytest.approx({"height": 2, "offset": -1}, abs=1e-4)
    assert run.log_marginal_likelihood == pytest.approx(0, abs=1e-8)
    assert run.start == pytest.approx(START)
    assert (run.success, run.status, run.at_bound) == (True, 0, ())
    assert run.slope < 1e-3


def test_bound_that_stops_the_climb_is_named_and_its_slope_left_out():
    space = search_space(START, True, {"height": (0.1, 1.0)}, unbounded=["offset"])
    (run,) = maximize(hill, space, START)
    assert run.parameters["height"] == pytest.approx(1)
    assert run.at_bound == ("height",)
    assert run.slope < 1e-3


def test_restarts_find_the_higher_hill_and_stay_within_bounds_and_a_factor_of_a_hundred():
    start = {"x": math.exp(-2.5)}
    space = search_space(start, True, (1e-3, 1e3))
    runs = maximize(two_hills, space, start, restarts=10, random_state=0)
    assert len(runs) == 11
    assert runs[0].log_marginal_likelihood == pytest.approx(1, abs=1e-3)
    assert best_run(runs).log_marginal_likelihood == pytest.approx(2, abs=1e-3)
    assert math.log(best_parameters(runs)["x"]) == pytest.approx(2, abs=1e-2)
    starts = [run.start["x"] for run in runs[1:]]
    assert all(max(1e-3, start["x"] / 100) <= x <= 100 * start["x"] for x in starts)
    assert len(set(starts)) == 10
    again = maximize(two_hills, space, start, restarts=10, random_state=0)
    assert [vars(run) for run in runs] == [vars(run) for run in again]


def test_first_of_equals_is_best():
    space = search_space({"x": 1.0}, True, (0.5, 2.0))
    runs = maximize(lambda parameters: (0.0, {"x": 0.0}), space, {"x": 1.0}, restarts=3, random_state=0)
    assert best_run(runs) is runs[0]


def test_nothing_to_learn():
    space = search_space(START, False, (1e-3, 1e3))
    assert maximize(hill, space, START, restarts=3) == ()
    assert best_parameters(()) == {}


def test_a_run_that_is_cut_short_warns():
    space = search_space(START, True, (1e-3, 1e3), unbounded=["offset"])
    runs = maximize(hill, space, START, max_iter=1)
    assert not runs[0].success
    assert not runs[0].at_maximum
    with pytest.warns(ConvergenceWarning, match="1 iterations"):
        best_parameters(runs)


def test_a_line_search_that_rounding_stops_at_the_top_is_no_reason_to_warn():
    space = search_space(START, True, (1e-3, 1e3), unbounded=["offset"])
    (run,) = maximize(hill, space, START)
    abnormal = replace(run, success=False, message="ABNORMAL")
    assert abnormal.slope < 1e-3
    assert best_parameters((abnormal,)) == run.parameters  # warnings are errors here
    assert not replace(abnormal, slope=0.1).at_maximum


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"optimize": ["depth"]}, r"optimize: expected names among \['height', 'offset'\], got \['depth'\]"),
        ({"optimize": "offset", "start": {"offset": -1.0}}, "optimize: expected parameters above 0, got 'offset'"),
        ({"bounds": {"height": 3.0}}, "bounds: expected two numbers above 0 for 'height'"),
        ({"bounds": {"height": (1.0, 0.1)}}, "bounds: expected the lower one first for 'height'"),
        ({"bounds": (1.0, np.inf)}, "bounds: expected two numbers above 0"),
        ({"bounds": (1.0, 2.0, 3.0)}, "bounds: expected two numbers above 0"),
        ({"bounds": (1.0, 2.0)}, "bounds: expected those of 'height' to hold its start 0.3"),
    ],
)
def test_bad_arguments(arguments, message):
    with pytest.raises(ValueError, match=message):
        search_space(**{"start": START, "optimize": True, "bounds": (0.1, 10.0)} | arguments)
