"""The simplex method on a dense tableau, in two phases (ES appendix A).

Conventions: the tableau holds the equations ``columns @ v = constants`` solved for the basic variables. Its last
row holds what a unit of each variable would add to the objective, which is always maximised; its last entry is
minus the objective. ES p. 148 prints ``+ s'`` for the surplus of a >= row: it is ``- s'``, and the artificial
variable that starts the row is ``+ z``.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from scipy.linalg.blas import dgemm

from mlcore.optimize._basic_solution import farkas_weights, read_tableau, solve_tight_rows, vertex
from mlcore.optimize._certificate import Certificate, Status
from mlcore.optimize._linear_certificates import TOLERANCE, DualSolution, infeasibility, optimality, unboundedness
from mlcore.optimize._pivot_rules import PIVOT_TOLERANCE, RULES, bland, leaving_row
from mlcore.optimize._simplex_trace import SimplexStep
from mlcore.optimize._standard_form import StandardForm, standard_form
from mlcore.validation import as_whole_number

__all__ = ["SimplexResult", "SimplexStep", "simplex"]

_PRICE = 1e-11  # An objective coefficient must exceed this fraction of the largest cost to be an improvement.


@dataclass(frozen=True, eq=False)
class SimplexResult:
    """How the simplex method ended.

    Attributes
    ----------
    status : mlcore.optimize.Status
        OPTIMAL, INFEASIBLE and UNBOUNDED only with a certificate that was checked on the problem's own data;
        ITERATION_LIMIT; NOT_CONVERGED when rounding errors spoilt the proof.
    x : numpy.ndarray of shape (n,) or None
        The last feasible vertex, None when phase 1 has not found one.
    value : float
        Objective at `x`; plus or minus infinity if unbounded, NaN without a point.
    dual : mlcore.optimize.DualSolution or None
        Shadow prices of rows and bounds, read from the last tableau; None unless phase 2 ended at a vertex.
    reduced_costs : numpy.ndarray of shape (n,) or None
        ``c - A_ub.T @ dual.ub - A_eq.T @ dual.eq``: the change of the value by a variable at its bound.
    basis : tuple of str
        Basic variables of the last tableau, named as in `SimplexStep`.
    certificate : mlcore.optimize.Certificate or None
        The proof (the ray of `mlcore.optimize` for INFEASIBLE and UNBOUNDED); the measured gap and
        residual if the method was stopped in phase 2, None if it was stopped in phase 1.
    iterations : int
        Pivots of both phases.
    bland_from : int or None
        Number of pivots after which a basis came back and Bland's rule took over.
    steps : tuple of SimplexStep
        One for every tableau, if asked for.
    """

    status: Status
    x: np.ndarray | None
    value: float
    dual: DualSolution | None
    reduced_costs: np.ndarray | None
    basis: tuple[str, ...]
    certificate: Certificate | None
    iterations: int
    bland_from: int | None
    steps: tuple[SimplexStep, ...]

    @property
    def cycled(self):
        """Whether a basis came back."""
        return self.bland_from is not None


def simplex(problem, rule="dantzig", *, trace=False, max_iter=10_000):
    """Solve a linear program by the simplex method.

    Parameters
    ----------
    problem : mlcore.optimize.LinearProgram
    rule : {"dantzig", "bland", "largest_increase"}
        Which variable enters: the one with the largest coefficient in the objective, the first one that
        improves (never cycles), or the one whose pivot improves the objective most. Ties in the ratio test go
        to artificial variables first, then to the lowest index. If a basis comes back, Bland's rule takes over.
    trace : bool
        Whether to record every tableau.
    max_iter : int
        Largest number of pivots; those that remove artificial variables at 0 between the phases are always made.

    Returns
    -------
    SimplexResult
        With a certificate for every claim.

    Raises
    ------
    ValueError
        Unknown rule or `max_iter` below 1.

    Examples
    --------
    >>> from mlcore.optimize import LinearProgram
    >>> rows, constants = [[1, 0], [0, 1], [1, 1], [1, 2]], [120, 70, 140, 180]
    >>> result = simplex(LinearProgram([150, 450], rows, constants, maximize=True))  # ES p. 144
    >>> print(result.x, result.value, result.dual.ub)
    [40. 70.] 37500.0 [  0. 150.   0. 150.]
    """
    if not isinstance(rule, str) or rule not in RULES:
        raise ValueError(f"rule: expected one of {', '.join(RULES)}, got {rule!r}")
    max_iter = as_whole_number("max_iter", max_iter)
    with np.errstate(over="ignore", invalid="ignore"):  # what overflows does not pass the check at the end
        form = standard_form(problem)
        return _two_phases(_Run(problem, form, RULES[rule], max_iter, [] if trace else None))


def _two_phases(run):
    form = run.form
    if form.enterable < form.scale.size:
        run.phase = 1
        status, _ = _improve(run, form.artificial_cost)
        if status is Status.ITERATION_LIMIT:
            return _result(run, status)
        if run.tableau[:-1, -1][run.basis >= form.enterable].any():
            proof = infeasibility(run.problem, farkas_weights(form, run.tableau[-1, :-1]))
            if proof.residual <= TOLERANCE:
                return _result(run, Status.INFEASIBLE, proof)
        # What is left in the artificial variables is a rounding error.
        _expel_artificials(run)
        run.phase = 2
    status, entering = _improve(run, form.cost)
    return _conclude(run, status, entering)


@dataclass
class _Run:
    """The moving parts of one call."""

    problem: object
    form: StandardForm
    choose: Callable
    max_iter: int
    steps: list | None
    phase: int = 2
    iterations: int = 0
    bland_from: int | None = None
    tableau: np.ndarray = field(init=False)
    basis: np.ndarray = field(init=False)
    redundant: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=int))

    def __post_init__(self):
        m, size = self.form.columns.shape
        self.tableau = np.zeros((m + 1, size + 1), order="F")  # column-major, as BLAS wants it
        self.tableau[:m, :size] = self.form.columns
        self.tableau[:m, -1] = self.form.constants
        self.basis = self.form.start.copy()


def _improve(run, cost):
    """Pivot until no variable improves the objective; return the status and the variable that has no limit."""
    form, tableau, basis = run.form, run.tableau, run.basis
    m = basis.size
    tableau[m, :-1] = cost
    tableau[m, -1] = 0.0
    tableau[m] -= cost[basis] @ tableau[:m]
    equations, constants, prices = tableau[:m, : form.enterable], tableau[:m, -1], tableau[m, : form.enterable]
    unit = None if (form.scale == 1).all() else form.scale[: form.enterable]
    tolerance = _PRICE * np.abs(cost).max(initial=0.0)
    members = sum(1 << column for column in basis.tolist())  # the basis as a set of bits
    visited = {members}
    while True:
        entering = run.choose(prices, tolerance, unit, equations, constants) if prices.size else None
        if entering is None:
            _record(run)
            return Status.OPTIMAL, None
        if run.iterations >= run.max_iter:
            _record(run)
            return Status.ITERATION_LIMIT, None
        row, tied, ratio = leaving_row(equations[:, entering], constants, basis, form.enterable)
        if row is None:
            _record(run, entering)
            return Status.UNBOUNDED, entering
        leaving = int(basis[row])
        _record(run, entering, row)
        _pivot(run, row, entering)
        if tied.size > 1:
            constants[tied] = 0.0  # what subtraction leaves there is rounding error: keep degeneracy exact
            constants[row] = ratio
        members ^= (1 << entering) | (1 << leaving)
        if members in visited and run.bland_from is None:
            run.bland_from, run.choose = run.iterations, bland
        visited.add(members)


def _pivot(run, row, entering):
    """Solve the row's equation for the entering variable and substitute it everywhere else."""
    tableau = run.tableau
    column = tableau[:, entering].copy()
    solved = tableau[row] / column[row]
    # tableau -= outer(column, solved), in place: dger would start threads for it, which takes longer than the work.
    dgemm(-1.0, column[:, None], solved[None], beta=1.0, c=tableau, overwrite_c=1)
    tableau[row] = solved
    run.basis[row] = entering
    run.iterations += 1


def _expel_artificials(run):
    """Exchange the artificial variables that stayed basic at 0, or drop their rows, which are redundant."""
    redundant = []
    for row in np.flatnonzero(run.basis >= run.form.enterable):
        entries = np.abs(run.tableau[row, : run.form.enterable])
        if entries.max(initial=0.0) > PIVOT_TOLERANCE:
            entering = int(entries.argmax())
            run.tableau[row, -1] = 0.0
            _record(run, entering, row, ratio_test=False)
            _pivot(run, row, entering)
        else:
            redundant.append(row)
    if redundant:
        run.redundant = np.flatnonzero(np.isin(run.form.start, run.basis[redundant]))
        run.tableau = np.asfortranarray(np.delete(run.tableau, redundant, axis=0))
        run.basis = np.delete(run.basis, redundant)


def _record(run, entering=None, row=None, *, ratio_test=True):
    """Append the tableau in the problem's own units, and the pivot that comes next, to the trace."""
    if run.steps is None:
        return
    form, m = run.form, run.basis.size
    shown = form.scale.size if run.phase == 1 else form.enterable
    tableau = run.tableau[:, [*range(shown), -1]]
    tableau[m, -1] *= -1.0
    tableau[:m] *= form.scale[run.basis][:, None]
    tableau[:, :-1] /= form.scale[:shown]
    tableau += 0.0  # turns -0 into 0
    ratios = np.full(m, np.nan)
    if entering is not None and ratio_test:
        column = tableau[:m, entering]
        np.divide(tableau[:m, -1], column, out=ratios, where=run.tableau[:m, entering] > PIVOT_TOLERANCE)
    point = vertex(form, run.tableau, run.basis)
    run.steps.append(
        SimplexStep(
            phase=run.phase,
            tableau=tableau,
            column_names=(*map(form.name, range(shown)), "b"),
            basis=_basis_names(run),
            entering=None if entering is None else form.name(entering),
            leaving=None if row is None else form.name(run.basis[row]),
            ratios=ratios,
            vertex=point,
            objective=float(run.problem.c @ point),
        )
    )


def _conclude(run, status, entering):
    """Read the answer off the last tableau, check it on the problem's own data, and compute it afresh if it fails."""
    answer = read_tableau(run.form, run.tableau, run.basis, entering)
    proof = _proof(run.problem, answer)
    if not proof.residual <= TOLERANCE:
        answer = solve_tight_rows(run.form, run.basis, run.redundant, entering) or answer
        proof = _proof(run.problem, answer)
    if status is not Status.ITERATION_LIMIT and not proof.residual <= TOLERANCE:
        status = Status.NOT_CONVERGED
    return _result(run, status, proof, answer.x, answer.dual)


def _proof(problem, answer):
    if answer.ray is not None:
        return unboundedness(problem, answer.x, answer.ray)
    return optimality(problem, answer.x, answer.dual)


def _result(run, status, certificate=None, x=None, dual=None):
    value = np.nan if x is None else float(run.problem.c @ x)
    if status is Status.UNBOUNDED:
        value = certificate.primal_value
    return SimplexResult(
        status=status,
        x=x,
        value=value,
        dual=dual,
        reduced_costs=None if dual is None else dual.lower + dual.upper,
        basis=_basis_names(run),
        certificate=certificate,
        iterations=run.iterations,
        bland_from=run.bland_from,
        steps=tuple(run.steps or ()),
    )


def _basis_names(run):
    return tuple(run.form.name(column) for column in run.basis)
