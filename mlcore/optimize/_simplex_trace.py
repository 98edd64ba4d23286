"""What one step of the simplex method looks like, and the three invariants it must keep (ES A.1, A.2)."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np


@dataclass(frozen=True, eq=False)
class SimplexStep:
    """A tableau and the pivot made on it.

    Attributes
    ----------
    phase : int
        1 while a first feasible vertex is sought, 2 afterwards.
    tableau : numpy.ndarray of shape (m + 1, N + 1)
        As ES p. 147: one equation a row, its right-hand side in the last column; the last row holds the
        coefficients of the objective, written as a maximisation, and its value. Phase 1 maximises minus the
        sum of the artificial variables; a minimisation of c @ x is run as the maximisation of -c @ x.
    column_names : tuple of str
        x for the problem's variables, s for slacks and surpluses, z for artificial variables, and "b".
    basis : tuple of str
        The variable each equation is solved for (the "non-null" variables of ES).
    entering, leaving : str or None
        Variables that change places in this step; None at an end. With an entering and no leaving variable the
        objective is unbounded.
    ratios : numpy.ndarray of shape (m,)
        The ratio test: how far the entering variable may grow before each basic one is 0; NaN where it does not
        fall. All NaN when nothing enters, or when a pivot only removes an artificial variable that is 0.
    vertex : numpy.ndarray of shape (n,)
        The point, in the problem's variables; it satisfies the constraints from the start of phase 2.
    objective : float
        The problem's objective there, in its own sense.
    """

    phase: int
    tableau: np.ndarray
    column_names: tuple[str, ...]
    basis: tuple[str, ...]
    entering: str | None
    leaving: str | None
    ratios: np.ndarray
    vertex: np.ndarray
    objective: float

    @property
    def row_names(self):
        """The tableau's row names, which are the basic variables and, last, "objective"."""
        return (*self.basis, "objective")


class Invariants(NamedTuple):
    """Which of the three invariants of ES A.1 hold on a step."""

    one_basic_variable_per_equation: bool
    objective_without_basic_variables: bool
    right_hand_sides_not_negative: bool


def invariants(step, *, tolerance=1e-9):
    """Check the three invariants of ES A.1 on a recorded step.

    Parameters
    ----------
    step : SimplexStep
    tolerance : float
        Largest rounding error allowed, relative to the largest entry of the rows concerned.

    Returns
    -------
    Invariants
        Each equation contains exactly one basic variable, with coefficient 1; the objective contains none of
        them; no right-hand side is negative.

    Examples
    --------
    >>> from mlcore.optimize import LinearProgram, simplex
    >>> steps = simplex(LinearProgram([1, 0], [[1, 1]], [7], maximize=True), trace=True).steps  # ES p. 140
    >>> all(all(invariants(step)) for step in steps)
    True
    """
    basic = [step.column_names.index(name) for name in step.basis]
    equations, objective = step.tableau[:-1], step.tableau[-1]
    one_each = np.abs(equations[:, basic] - np.eye(len(basic))).max(initial=0.0)
    in_objective = np.abs(objective[basic]).max(initial=0.0)
    constants = equations[:, -1]
    return Invariants(
        bool(one_each <= tolerance * np.abs(equations[:, :-1]).max(initial=1.0)),
        bool(in_objective <= tolerance * np.abs(objective[:-1]).max(initial=1.0)),
        bool(constants.min(initial=0.0) >= -tolerance * constants.max(initial=1.0)),
    )
