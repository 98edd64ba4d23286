"""The simplex method on a dense tableau, in two phases (ES appendix A).

Conventions: the tableau holds the equations ``columns @ v = constants`` solved for the basic variables. Its last
row holds what a unit of each variable would add to the objective, which is always maximised; its last entry is
minus the objective. ES p. 148 prints ``+ s'`` for the surplus of a >= row: it is ``- s'``, and the artificial
variable that starts the row is ``+ z``.
"""

from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg.blas import dgemm

from mlcore.optimize._basic_solution import farkas_weights, fresh_tableau, read_tableau, vertex
from mlcore.optimize._certificate import Certificate, Status
from mlcore.optimize._linear_certificates import TOLERANCE, DualSolution, infeasibility, optimality, unboundedness
from mlcore.optimize._linear_program import LinearProgram
from mlcore.optimize._pivot_rules import PIVOT_TOLERANCE, RULES, bland, leaving_row
from mlcore.optimize._simplex_trace import SimplexStep
from mlcore.optimize._standard_form import standard_form
from mlcore.validation import as_whole_number

_PRICE = 1e-11  # An objective coefficient must exceed this fraction of the largest cost to be an improvement.
_NOISE = 1e-14  # Rounding error of a price in a fresh tableau, as a fraction of its terms.
_REFRESH = 100  # Pivots after which the tableau is compared with its basis, and computed afresh if it has drifted.
_DRIFT = 1e-11  # Misfit of the equations, relative to their terms, from which on a tableau has drifted.
_REPAIRS = 5  # How often an answer without a proof is computed afresh and improved.
_BELOW_ZERO = 1e-11  # A right-hand side below minus this fraction of the largest one is no rounding error.


@dataclass(frozen=True, eq=False)
class SimplexResult:
    """How the simplex method ended.

    Attributes
    ----------
    status : mlcore.optimize.Status
        OPTIMAL, INFEASIBLE and UNBOUNDED only with a certificate that was checked on the problem's own data;
        ITERATION_LIMIT; NOT_CONVERGED when rounding errors spoilt the proof.
    x : numpy.ndarray of shape (n,) or None
        The last vertex if it satisfies the constraints (up to 1e-9 of their terms), else None.
    value : float
        Objective at `x`; plus or minus infinity if unbounded, NaN without a point.
    dual : mlcore.optimize.DualSolution or None
        Shadow prices of rows and bounds at `x`; None where there is no such vertex or the problem is unbounded.
    reduced_costs : numpy.ndarray of shape (n,) or None
        ``c - A_ub.T @ dual.ub - A_eq.T @ dual.eq``: the change of the value by a variable at its bound.
    basis : tuple of str
        Basic variables of the last tableau, named as in `SimplexStep`.
    certificate : mlcore.optimize.Certificate or None
        The proof (with a ray for INFEASIBLE and UNBOUNDED), whose residual is at most 1e-9. For the other ends the
        measured gap and residual of the last vertex, None if the method was stopped in phase 1.
    iterations : int
        Pivots of both phases.
    bland_from : int or None
        Number of pivots after which a basis came back and Bland's rule took over.
    steps : tuple of SimplexStep
        One for every tableau, if asked for. Pivots that only repair rounding errors are left out.
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
    with np.errstate(all="ignore"):  # what overflows does not pass the check at the end
        run = _Run(problem, RULES[rule], max_iter, [] if trace else None)
        return _find_vertex(run) or _find_optimum(run)


def feasible_point(problem, *, trace=False):
    """Return a point that satisfies the constraints, or the proof that there is none: test (F) of ES 2.2.

    Parameters
    ----------
    problem : LinearProgram
        Its objective is ignored.
    trace : bool
        Whether to record the steps.

    Returns
    -------
    SimplexResult
        Status optimal with a feasible vertex `x`, or infeasible with the Farkas weights in `certificate.ray`.

    Examples
    --------
    >>> system = LinearProgram([0, 0], [[1, 1], [-1, 0], [0, -1]], [10, -5, -6])  # ES p. 17, system (2)
    >>> result = feasible_point(system)
    >>> print(result.status, result.certificate.ray[:3])  # the rows sum to 0 <= -1
    infeasible [1. 1. 1.]
    """
    zero = np.zeros_like(problem.c)
    parts = (problem.A_ub, problem.b_ub, problem.A_eq, problem.b_eq, problem.bounds)
    return simplex(LinearProgram(zero, *parts), trace=trace)


class _Run:
    """The moving parts of one call."""

    def __init__(self, problem, choose, max_iter, steps):
        self.problem, self.choose, self.max_iter, self.steps = problem, choose, max_iter, steps
        self.form = form = standard_form(problem)
        m, size = form.columns.shape
        self.phase = 1 if form.enterable < size else 2
        self.iterations, self.bland_from = 0, None
        self.basis, self.rows = form.start.copy(), np.arange(m)
        self.tableau = np.zeros((m + 1, size + 1), order="F")  # column-major, as BLAS wants it
        self.tableau[:m, :size] = form.columns
        self.tableau[:m, -1] = form.constants

    @property
    def cost(self):
        return self.form.cost if self.phase == 2 else self.form.artificial_cost


def _find_vertex(run):
    """Do phase 1; return a result if it ends the search."""
    if run.phase == 1:
        status, _ = _improve(run)
        if status is Status.ITERATION_LIMIT:
            return _result(run, status)
        if run.tableau[:-1, -1][run.basis >= run.form.enterable].any():
            for repair in (_refresh, lambda run: None):
                proof = infeasibility(run.problem, farkas_weights(run.form, run.tableau[-1, :-1]))
                if proof.residual <= TOLERANCE:
                    return _result(run, Status.INFEASIBLE, proof)
                repair(run)
        # What is left in the artificial variables is a rounding error.
        _expel_artificials(run)
        run.phase = 2
    return None


def _improve(run, noise=None):
    """Pivot until no variable improves the objective; return the status and the variable that has no limit.

    `noise` holds the rounding errors of the prices of a fresh tableau, which are smaller than those after many pivots.
    """
    form, cost, basis = run.form, run.cost, run.basis
    unit = None if (form.scale == 1).all() else form.scale[: form.enterable]
    tolerance = _PRICE * np.abs(cost).max(initial=0.0) if noise is None else 0.0
    members = sum(1 << column for column in basis.tolist())  # the basis as a set of bits
    visited = {members}
    run.tableau[-1] = np.append(cost, 0.0) - cost[basis] @ run.tableau[:-1]
    tableau = None
    while True:
        if tableau is not run.tableau:
            tableau = run.tableau
            equations, constants = tableau[:-1, : form.enterable], tableau[:-1, -1]
        prices = tableau[-1, : form.enterable]
        if noise is not None:
            prices = np.where(prices > noise, prices, 0.0)
        entering = run.choose(prices, tolerance, unit, equations, constants) if prices.size else None
        if entering is None or run.iterations >= run.max_iter:
            _record(run)
            return Status.OPTIMAL if entering is None else Status.ITERATION_LIMIT, None
        row, tied, ratio = leaving_row(equations[:, entering], constants, basis, form.enterable)
        if row is None:
            _record(run, entering)
            return Status.UNBOUNDED, entering
        members ^= (1 << entering) | (1 << int(basis[row]))
        _record(run, entering, row)
        _pivot(run, row, entering)
        if len(tied) > 1:
            constants[tied] = 0.0  # what subtraction leaves there is rounding error: keep degeneracy exact
            constants[row] = ratio
        if members in visited and run.bland_from is None:
            run.bland_from, run.choose = run.iterations, bland
        visited.add(members)
        if run.iterations % _REFRESH == 0 and _drifted(run) and _refresh(run) is not None:
            np.maximum(run.tableau[:-1, -1], 0.0, out=run.tableau[:-1, -1])  # put right at the end


def _drifted(run):
    square, values = run.form.columns[np.ix_(run.rows, run.basis)], run.tableau[:-1, -1]
    misfit, size = square @ values - run.form.constants[run.rows], np.abs(square) @ values
    return (np.abs(misfit) > _DRIFT * size.max(initial=0.0)).any()


def _refresh(run):
    """Compute the tableau afresh; return the vertex, or None if the basis is singular to machine precision."""
    try:
        tableau, x = fresh_tableau(run.form, run.basis, run.rows, run.cost)
    except np.linalg.LinAlgError:
        return None
    if not np.isfinite(tableau).all():
        return None
    run.tableau = tableau
    return x


def _restore(run):
    """Make the basic variables at least 0 that rounding errors had hidden below it: the dual simplex method."""
    equations, constants = run.tableau[:-1, : run.form.enterable], run.tableau[:-1, -1]
    for _ in range(2 * constants.size):
        row = int(constants.argmin())
        candidates = (equations[row] < -PIVOT_TOLERANCE).nonzero()[0]
        if constants[row] >= -_BELOW_ZERO * constants.max() or not candidates.size or run.iterations >= run.max_iter:
            break
        ratios = np.abs(run.tableau[-1, candidates] / equations[row, candidates])
        near = candidates[ratios <= ratios.min() + _PRICE * np.abs(run.cost).max()]
        _pivot(run, row, int(near[equations[row, near].argmin()]))
    np.maximum(constants, 0.0, out=constants)


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
    for row in (run.basis >= run.form.enterable).nonzero()[0].tolist():
        entries = np.abs(run.tableau[row, : run.form.enterable])
        if entries.max(initial=0.0) > PIVOT_TOLERANCE:
            entering = int(entries.argmax())
            run.tableau[row, -1] = 0.0
            _record(run, entering, row, ratio_test=False)
            _pivot(run, row, entering)
        else:
            redundant.append(row)
    if redundant:
        run.rows = np.flatnonzero(~np.isin(run.form.start, run.basis[redundant]))
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


def _find_optimum(run):
    """Do phase 2 and check its answer on the problem's own data; compute it afresh and go on while it fails."""
    status, entering = _improve(run)
    answer = read_tableau(run.form, run.tableau, run.basis, entering)
    for _ in range(_REPAIRS):
        if answer.ray is not None:
            proof = unboundedness(run.problem, answer.x, answer.ray)
            if proof.residual <= TOLERANCE:
                return _result(run, Status.UNBOUNDED, proof, answer.x)
        proof = optimality(run.problem, answer.x, answer.dual)
        before = run.basis.copy()
        if proof.residual <= TOLERANCE or status is Status.ITERATION_LIMIT or (x := _refresh(run)) is None:
            break
        _restore(run)
        steps, run.steps = run.steps, None
        noise = _NOISE * (np.abs(run.cost) + np.abs(run.cost[run.basis]) @ np.abs(run.tableau[:-1, :-1]))
        status, entering = _improve(run, noise[: run.form.enterable])
        run.steps = steps
        answer = read_tableau(run.form, run.tableau, run.basis, entering)
        if (run.basis == before).all():
            answer = answer._replace(x=x)
    if proof.residual <= TOLERANCE:
        return _result(run, Status.OPTIMAL, proof, answer.x, answer.dual)
    status = status if status is Status.ITERATION_LIMIT else Status.NOT_CONVERGED
    x, dual = (answer.x, answer.dual) if proof.conditions.primal <= TOLERANCE else (None, None)
    return _result(run, status, replace(proof, proof=False), x, dual)


def _result(run, status, certificate=None, x=None, dual=None):
    value = np.nan if x is None else float(run.problem.c @ x)
    return SimplexResult(
        status=status,
        x=x,
        value=certificate.primal_value if status is Status.UNBOUNDED else value,
        dual=dual,
        reduced_costs=None if dual is None else dual.lower + dual.upper,
        basis=_basis_names(run),
        certificate=certificate,
        iterations=run.iterations,
        bland_from=run.bland_from,
        steps=tuple(run.steps or ()),
    )


def _basis_names(run):
    return tuple(run.form.name(column) for column in run.basis.tolist())
