"""A linear program as the simplex method wants it: equations between variables that are at least 0 (ES A.1, A.3).

Every variable x of the problem becomes its distance from a bound, or the difference of two variables when it
has none (ES 2.3). Every inequality gets a slack variable; a row whose right-hand side is negative is negated,
which turns its slack into a surplus, and such rows and all equations get an artificial variable to start from.
"""

from dataclasses import dataclass

import numpy as np

# Coefficients within these sizes are left as they are, so that a textbook problem gives the textbook tableau.
_WELL_SCALED = (1e-4, 1e4)
_SCALING_PASSES = 6


@dataclass(frozen=True, eq=False)
class StandardForm:
    """Maximise ``cost @ v`` subject to ``columns @ v = constants``, ``v >= 0``, ``constants >= 0``.

    The columns are the problem's own variables, then slacks and surpluses, then artificial variables.

    Attributes
    ----------
    problem : mlcore.optimize.LinearProgram
        What was rewritten.
    columns : numpy.ndarray of shape (m, N)
        Rows in the order `A_ub`, upper bounds of variables bounded on both sides, `A_eq`.
    constants : numpy.ndarray of shape (m,)
        Right-hand sides, none of them negative.
    cost, artificial_cost : numpy.ndarray of shape (N,)
        Objectives of phase 2 and of phase 1.
    enterable : int
        Columns before this one may enter the basis; the others are artificial.
    start : numpy.ndarray of shape (m,)
        Columns of the first basis.
    scale : numpy.ndarray of shape (N,)
        Unit of each column: the value in the problem's units is ``scale * v``. Powers of 2, mostly 1.
    row_factor : numpy.ndarray of shape (m,)
        What each row of the problem was multiplied by; negative where the row was negated.
    source, sign : numpy.ndarray
        Of the k-th structural column: the variable of the problem it belongs to and with which sign.
    offset : numpy.ndarray of shape (n,)
        Value of the problem's variables where all columns are 0.
    boxed : numpy.ndarray of shape (n,)
        Which variables have an upper bound written as a row.
    """

    problem: object
    columns: np.ndarray
    constants: np.ndarray
    cost: np.ndarray
    artificial_cost: np.ndarray
    enterable: int
    start: np.ndarray
    scale: np.ndarray
    row_factor: np.ndarray
    source: np.ndarray
    sign: np.ndarray
    offset: np.ndarray
    boxed: np.ndarray

    def name(self, column):
        """Return x1, x2, … for a variable of the problem, s1, … for a slack or surplus, z1, … for an artificial one.

        Slacks and artificial variables are numbered by row. x1' is x1 measured from a bound other than 0 (or from
        its upper bound), x1+ and x1- are the parts of a variable without bounds.
        """
        structural = self.source.size
        if column >= self.enterable:
            return f"z{np.flatnonzero(self.start == column)[0] + 1}"
        if column >= structural:
            return f"s{column - structural + 1}"
        j = self.source[column]
        if np.isinf(self.problem.bounds[j]).all():
            return f"x{j + 1}+" if self.sign[column] > 0 else f"x{j + 1}-"
        return f"x{j + 1}" if self.sign[column] > 0 and self.offset[j] == 0 else f"x{j + 1}'"


def standard_form(problem):
    """Rewrite a linear program as equations between variables that are at least 0.

    Parameters
    ----------
    problem : mlcore.optimize.LinearProgram

    Returns
    -------
    StandardForm
        With a basis to start from: the slack of every row that allows it, else an artificial variable.

    Examples
    --------
    >>> from mlcore.optimize import LinearProgram
    >>> form = standard_form(LinearProgram([1, 1], [[1, 2], [-1, 1]], [4, -1]))
    >>> [form.name(column) for column in range(5)]
    ['x1', 'x2', 's1', 's2', 'z2']
    >>> form.columns
    array([[ 1.,  2.,  1.,  0.,  0.],
           [ 1., -1.,  0., -1.,  1.]])
    """
    lower, upper = problem.bounds.T
    no_lower, no_upper = np.isinf(lower), np.isinf(upper)
    free, from_above = no_lower & no_upper, no_lower & ~no_upper
    offset = np.where(free, 0.0, np.where(from_above, upper, lower))
    source = np.repeat(np.arange(lower.size), 1 + free)
    sign = np.where(from_above[source], -1.0, 1.0)
    sign[1:][source[1:] == source[:-1]] = -1.0  # the second part of a free variable

    rows, constants, boxed = rows_with_boxes(problem)
    constants = constants - rows @ offset
    structural = rows[:, source] * sign
    row_scale, column_scale = _scales(structural)
    row_factor = np.where(constants < 0, -row_scale, row_scale)

    m, inequalities = len(rows), len(rows) - len(problem.b_eq)
    needs_artificial = np.append(row_factor[:inequalities] < 0, np.ones(m - inequalities, dtype=bool)).nonzero()[0]
    enterable = source.size + inequalities
    size = enterable + needs_artificial.size
    columns = np.zeros((m, size), order="F")
    columns[:, : source.size] = structural * row_factor[:, None] * column_scale
    slack_rows = np.arange(inequalities)
    columns[slack_rows, source.size + slack_rows] = np.sign(row_factor[:inequalities])
    columns[needs_artificial, np.arange(enterable, size)] = 1.0
    start = source.size + np.arange(m)
    start[needs_artificial] = np.arange(enterable, size)

    cost = np.zeros(size)
    cost[: source.size] = (1.0 if problem.maximize else -1.0) * problem.c[source] * sign * column_scale
    return StandardForm(
        problem=problem,
        columns=columns,
        constants=constants * row_factor,
        cost=cost,
        artificial_cost=np.repeat([0.0, -1.0], [enterable, size - enterable]),
        enterable=enterable,
        start=start,
        scale=np.concatenate([column_scale, 1 / row_scale[:inequalities], 1 / row_scale[needs_artificial]]),
        row_factor=row_factor,
        source=source,
        sign=sign,
        offset=offset,
        boxed=boxed,
    )


def rows_with_boxes(problem):
    """Return all rows of a problem, the upper bounds of variables bounded on both sides among them.

    Parameters
    ----------
    problem : mlcore.optimize.LinearProgram

    Returns
    -------
    rows, constants : numpy.ndarray of shapes (m, n) and (m,)
        In the order `A_ub`, upper bounds, `A_eq`.
    boxed : numpy.ndarray of shape (n,)
        Whether a variable has both bounds.
    """
    boxed = np.isfinite(problem.bounds).all(axis=1)
    if not boxed.any():
        return problem.rows, problem.constants, boxed
    rows = np.concatenate([problem.A_ub, np.eye(boxed.size)[boxed], problem.A_eq])
    return rows, np.concatenate([problem.b_ub, problem.upper[boxed], problem.b_eq]), boxed


def _scales(matrix):
    """Return powers of 2 for rows and columns that bring their largest entries near 1, or ones if they are already.

    Powers of 2 change no digit: the steps, in the problem's units, stay those of the unscaled tableau. Small
    entries do not count, because they may be rounding errors that must not be blown up.
    """
    rows, columns = np.ones(matrix.shape[0]), np.ones(matrix.shape[1])
    sizes = np.abs(matrix)
    extremes = np.concatenate([sizes.max(axis=0, initial=0.0), sizes.max(axis=1, initial=0.0)])
    smallest, largest = _WELL_SCALED
    if ((extremes == 0) | (extremes >= smallest) & (extremes <= largest)).all():
        return rows, columns
    for _ in range(_SCALING_PASSES):
        rows *= _root_of_inverse(sizes.max(axis=1, initial=0.0))
        columns *= _root_of_inverse(sizes.max(axis=0, initial=0.0))
        sizes = np.abs(matrix) * rows[:, None] * columns
    return rows, columns


def _root_of_inverse(sizes):
    """Return the powers of 2 next to ``1 / sqrt(sizes)``, 1 for a size of 0."""
    return np.exp2(-np.round(np.log2(np.where(sizes > 0, sizes, 1.0)) / 2))
