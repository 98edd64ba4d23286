"""Recorded steps and the check of their invariants; the steps of whole runs are checked in test_simplex.py."""

from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest

from mlcore.optimize import LinearProgram, invariants, simplex

PROBLEM = LinearProgram([150, 450], [[1, 0], [0, 1], [1, 1], [1, 2]], [120, 70, 140, 180], maximize=True)  # ES p. 144
STEP = simplex(PROBLEM, trace=True).steps[1]


def changed(row, column, value, **options):
    tableau = STEP.tableau.copy()
    tableau[row, column] = value
    return invariants(replace(STEP, tableau=tableau), **options)


def test_invariants_notice_what_is_changed():
    assert changed(0, 1, 1.0) == (False, True, True)  # x2 in two equations
    assert changed(1, 1, 2.0) == (False, True, True)  # or with a coefficient other than 1
    assert changed(-1, 1, 5.0) == (True, False, True)
    assert changed(2, -1, -1.0) == (True, True, False)


def test_rounding_errors_do_not_count():
    assert changed(0, 1, 1e-12) == (True, True, True)
    assert changed(-1, 1, 1e-9) == (True, True, True)
    assert changed(2, -1, -1e-9) == (True, True, True)
    assert changed(2, -1, -1e-9, tolerance=1e-12) == (True, True, False)


def test_the_results_have_names():
    result = changed(2, -1, -1.0)
    assert result.one_basic_variable_per_equation
    assert result.objective_without_basic_variables
    assert not result.right_hand_sides_not_negative


def test_a_step_cannot_be_changed_and_shares_no_tableau():
    with pytest.raises(FrozenInstanceError):
        STEP.phase = 1
    first, second, _ = simplex(PROBLEM, trace=True).steps
    assert not np.shares_memory(first.tableau, second.tableau)
    assert STEP.row_names == (*STEP.basis, "objective")
