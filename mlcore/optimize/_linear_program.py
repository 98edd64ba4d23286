"""Linear programs: the problem, its dual, and the test whether any point satisfies the constraints.

    minimise (or maximise)  c @ x   subject to   A_ub @ x <= b_ub,   A_eq @ x == b_eq,   lower <= x <= upper

Dual variables are shadow prices throughout: the derivative of the optimal value with respect to the right-hand
side of a row or to a bound.
"""

from dataclasses import dataclass

import numpy as np

from mlcore.optimize._constraints import as_constraints
from mlcore.validation import as_array


@dataclass(frozen=True, eq=False)
class LinearProgram:
    """A linear objective over the points that satisfy linear constraints (ES 2.3).

    Parameters
    ----------
    c : array_like of shape (n,)
        Coefficients of the objective. There may be none: the dual of a problem without constraints needs that.
    A_ub, b_ub : array_like (or sparse) of shapes (m, n) and (m,), optional
        Rows ``A_ub @ x <= b_ub``. A row with >= is written with both sides negated; see `from_rows`.
    A_eq, b_eq : array_like (or sparse) of shapes (k, n) and (k,), optional
        Rows ``A_eq @ x == b_eq``.
    bounds : pair or sequence of n pairs
        ``(lower, upper)`` for all variables or for each; None or infinity where there is none. As in
        `scipy.optimize.linprog` the default is ``x >= 0``, the implicit constraints of ES.
        A lower bound above the upper one is allowed: it makes the problem infeasible.
    maximize : bool
        Whether the objective is to be large rather than small.

    Attributes
    ----------
    bounds : numpy.ndarray of shape (n, 2)
        With infinities where there is no bound. All arrays are read-only copies.
    rows, constants : numpy.ndarray of shapes (m + k, n) and (m + k,)
        `A_ub` above `A_eq`, and their right-hand sides.

    Raises
    ------
    ValueError
        Shapes that do not fit, NaN or infinite coefficients, a matrix without its right-hand side.

    Examples
    --------
    >>> from mlcore.optimize import simplex
    >>> problem = LinearProgram([3, 2], [[2, 1], [2, 3], [3, 1]], [18, 42, 24], maximize=True)  # ES p. 24
    >>> result = simplex(problem)
    >>> print(result.status, result.x, result.value)
    optimal [ 3. 12.] 33.0
    """

    c: np.ndarray
    A_ub: np.ndarray | None = None
    b_ub: np.ndarray | None = None
    A_eq: np.ndarray | None = None
    b_eq: np.ndarray | None = None
    bounds: np.ndarray = (0.0, np.inf)
    maximize: bool = False

    def __post_init__(self):
        c = as_array("c", self.c, ("n",))
        A_ub, b_ub = as_constraints(("A_ub", self.A_ub), ("b_ub", self.b_ub), c.size)
        A_eq, b_eq = as_constraints(("A_eq", self.A_eq), ("b_eq", self.b_eq), c.size)
        if not isinstance(self.maximize, bool | np.bool_):
            raise ValueError(f"maximize: expected True or False, got {self.maximize!r}")
        bounds, m = _bounds(self.bounds, c.size), len(b_ub)
        rows, constants = np.concatenate([A_ub, A_eq]), np.concatenate([b_ub, b_eq])
        for array in (c, rows, constants, bounds):
            array.flags.writeable = False
        # One copy holds all rows; its parts are views.
        parts = {"c": c, "A_ub": rows[:m], "b_ub": constants[:m], "A_eq": rows[m:], "b_eq": constants[m:]}
        for name, array in (parts | {"bounds": bounds, "rows": rows, "constants": constants}).items():
            object.__setattr__(self, name, array)

    @classmethod
    def from_rows(cls, c, A, senses, b, *, bounds=(0.0, np.inf), maximize=False):
        """Return the linear program whose rows are written with "<=", ">=" or "=" as in ES A.3.

        Parameters
        ----------
        c : array_like of shape (n,)
            Coefficients of the objective.
        A, b : array_like of shapes (m, n) and (m,)
            Left- and right-hand sides.
        senses : sequence of m strings
            "<=", ">=" or "=" for each row.
        bounds, maximize
            As for the class.

        Returns
        -------
        LinearProgram
            Rows with "<=" and (negated) ">=" keep their order in `A_ub`, rows with "=" in `A_eq`.

        Raises
        ------
        ValueError
            As for the class, and for an unknown sense or a wrong number of them.

        Examples
        --------
        >>> LinearProgram.from_rows([0, 1], [[1, 1], [1, 0]], ["<=", ">="], [2, 1], maximize=True).A_ub
        array([[ 1.,  1.],
               [-1.,  0.]])
        """
        A = as_array("A", A, ("m", as_array("c", c, ("n",)).size))
        b = as_array("b", b, (len(A),))
        senses = list(senses)
        unknown = [sense for sense in senses if sense not in ("<=", ">=", "=")]
        if unknown:
            raise ValueError(f'senses: expected "<=", ">=" or "=", got {unknown[0]!r}')
        if len(senses) != len(A):
            raise ValueError(f"senses: expected {len(A)} of them, one for each row of A, got {len(senses)}")
        equal = np.array([sense == "=" for sense in senses], dtype=bool)
        sign = np.array([-1.0 if sense == ">=" else 1.0 for sense in senses])[~equal]
        return cls(c, A[~equal] * sign[:, None] + 0.0, b[~equal] * sign + 0.0, A[equal], b[equal], bounds, maximize)

    @property
    def lower(self):
        """Lower bounds of the variables, shape (n,)."""
        return self.bounds[:, 0]

    @property
    def upper(self):
        """Upper bounds of the variables, shape (n,)."""
        return self.bounds[:, 1]

    def inequalities(self):
        """Return G and h of all inequalities Gx ≤ h: `A_ub`, then the finite lower bounds, then the upper ones."""
        unit, below, above = np.eye(self.c.size), np.isfinite(self.lower), np.isfinite(self.upper)
        G = np.concatenate([self.A_ub, -unit[below], unit[above]])
        return G, np.concatenate([self.b_ub, -self.lower[below], self.upper[above]])


@dataclass(frozen=True, eq=False)
class DualProgram:
    """The dual of a linear program, written as a linear program, and where its parts come from.

    Attributes
    ----------
    program : LinearProgram
        Its optimal value is that of the primal. All its variables are at least 0 or free.
    variables : tuple of str
        The constraint of the primal each variable belongs to: "A_ub[i]", "A_eq[i]", "lower[j]" or "upper[j]".
    signs : numpy.ndarray
        Shadow price of that constraint = sign times variable. In a maximisation the rows keep their sign,
        in a minimisation a larger `b_ub` can only lower the value: its shadow price is minus the variable.
    constraints : tuple of str
        The primal variable each row belongs to, "x1" being the first: rows of `A_ub`, then rows of `A_eq`.
    """

    program: LinearProgram
    variables: tuple[str, ...]
    signs: np.ndarray
    constraints: tuple[str, ...]


def dual_program(problem):
    """Return the dual of a linear program (ES 4.1, generalised to equations and bounds).

    The shadow prices y of rows and bounds satisfy ``A_ub.T @ y_ub + A_eq.T @ y_eq + y_lower + y_upper = c`` and
    the dual's objective is the sum of every right-hand side and bound times its price. The price of a bound
    that is 0 costs nothing, so it is left out and its row becomes an inequality: the dual of
    ``max c @ x, A x <= b, x >= 0`` is ``min b @ y, A.T y >= c, y >= 0``, and the dual of that is the primal.

    Parameters
    ----------
    problem : LinearProgram
        The primal, of any form.

    Returns
    -------
    DualProgram
        The dual with names for its variables and rows.

    Examples
    --------
    >>> from mlcore.optimize import simplex
    >>> primal = LinearProgram([0, 1], [[1, 1], [-1, 0]], [2, -1], maximize=True)  # ES p. 41
    >>> dual = dual_program(primal)
    >>> result = simplex(dual.program)
    >>> print(dual.variables, result.x, result.value)
    ('A_ub[0]', 'A_ub[1]') [1. 1.] 1.0
    """
    n, m_ub, m_eq = problem.c.size, len(problem.b_ub), len(problem.b_eq)
    sense = 1.0 if problem.maximize else -1.0
    # One bound of value 0 can serve as the slack of its dual row; every other finite bound gets a variable.
    slack_below = problem.lower == 0
    slack_above = (problem.upper == 0) & ~slack_below
    below = np.flatnonzero(np.isfinite(problem.lower) & ~slack_below)
    above = np.flatnonzero(np.isfinite(problem.upper) & ~slack_above)
    signs = np.repeat([sense, 1.0, -sense, sense], [m_ub, m_eq, below.size, above.size])
    constants = np.concatenate([problem.b_ub, problem.b_eq, problem.lower[below], problem.upper[above]])
    unit = np.eye(n)
    matrix = np.hstack([problem.A_ub.T, problem.A_eq.T, unit[:, below], unit[:, above]]) * signs
    # prices without the slack one: >= c for a maximisation with lower bound 0, and the reverse for each change.
    negate = -sense * np.where(slack_below, 1.0, -1.0)[:, None]
    unequal = slack_below | slack_above
    free = np.repeat([False, True, False], [m_ub, m_eq, below.size + above.size])
    program = LinearProgram(
        constants * signs,
        (matrix * negate)[unequal],
        (problem.c * negate[:, 0])[unequal],
        matrix[~unequal],
        problem.c[~unequal],
        bounds=np.column_stack([np.where(free, -np.inf, 0.0), np.full(free.size, np.inf)]),
        maximize=not problem.maximize,
    )
    names = [f"A_ub[{i}]" for i in range(m_ub)] + [f"A_eq[{i}]" for i in range(m_eq)]
    names += [f"lower[{j}]" for j in below] + [f"upper[{j}]" for j in above]
    rows = tuple(f"x{j + 1}" for j in np.concatenate([np.flatnonzero(unequal), np.flatnonzero(~unequal)]))
    return DualProgram(program, tuple(names), signs, rows)


def _bounds(bounds, n):
    """Return bounds as an array of shape (n, 2), infinite where None was given."""
    if not isinstance(bounds, np.ndarray):
        given = (None, None) if bounds is None else bounds
        try:
            bounds = np.array(given, dtype=object)
        except ValueError:  # pairs of different lengths
            bounds = np.zeros(0)
        if bounds.shape[-1:] != (2,):
            raise ValueError(f"bounds: expected (lower, upper) or one such pair a variable, got {given!r}")
        if None in bounds:
            bounds = np.where(np.equal(bounds, None), [-np.inf, np.inf], bounds)
    array = np.empty((n, 2))
    array[:] = as_array("bounds", bounds, (2,) if bounds.ndim == 1 else (n, 2), allow_infinite=True)
    if (array[:, 0] == np.inf).any() or (array[:, 1] == -np.inf).any():
        raise ValueError("bounds: expected lower bounds below infinity and upper bounds above -infinity")
    return array
