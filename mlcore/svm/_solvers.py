"""Two ways to solve the problem of `mlcore.svm._dual`: quadratic programs, and pairs of multipliers.

The programs have a multiplier aₖ ≥ 0 for every side of a point that can cost slack: one for classification (signs
s = y), two for epsilon-SVR (signs +1 above the tube, −1 below); βᵢ is the sum of the sₖaₖ of point i::

    primal  minimise  ½‖w‖² + C Σ ξₖ  or  ½ C Σ ξₖ²    subject to  sₖ(tᵢ − f(xᵢ)) ≤ ε + ξₖ,  ξₖ ≥ 0
    dual    minimise  ½ aᵀ(Q + ridge·I)a + Σ (ε − sₖtᵢ) aₖ   subject to  0 ≤ a ≤ C,  sᵀa = 0,   Qₖₗ = sₖsₗKᵢⱼ

SMO finds the support vectors fast and their multipliers slowly: each further digit costs as many steps as the one
before. So it runs to a coarse tolerance, and a step of the active set method, a linear system in the free multipliers,
gives all the other digits at once.
"""

import warnings

import numpy as np
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

from mlcore.errors import InfeasibleProblem, NotAKernel
from mlcore.kernels import GramRows, Kernel, Linear, check_positive_semidefinite
from mlcore.optimize import Certificate, QuadraticProgram, Status, box_constraints, solve_qp
from mlcore.svm._dual import HUGE, TOLERANCE, Machine, by_error, finished, refined
from mlcore.validation import as_positive, as_whole_number

__all__ = [
    "as_price",
    "check_kernel",
    "checked_price",
    "from_solution",
    "pair_steps",
    "plane_of",
    "report_end",
    "solved",
    "training_rows",
    "values",
    "within",
]

SOLVERS = ("smo", "dual", "primal")

FEW = 500  # points whose matrix is looked at as a whole
CHEAP = 1000  # free multipliers up to which a linear system takes a fraction of a second
FINEST = 1e-9  # a smaller tolerance is lost in rounding
FIRST_BUDGET, STEPS_A_POINT = 1000, 20  # pair updates before the active set is guessed for the first time
LONG = 100_000  # pair updates after which the program is faster, for few points
FACTOR = 1e-2  # how much finer SMO goes on where the active set was not the right one yet
LEAST_CURVATURE = 1e-12  # of the largest diagonal entry; stands in for smaller ones when pairs are compared
FRESH_STARTS = 1000  # how often to go on when slopes computed afresh show a gap, hidden by rounding or shrinking
MANY = 400  # points above which the loop leaves out those that cannot move at present
STEPS_BETWEEN_SHRINKINGS = 500


def solved(problem, solver, tol=1e-3, max_iter=1_000_000, beta=None, allow_indefinite=False):
    """Return a machine and the number of iterations, of "smo" or of the quadratic program "dual" or "primal".

    Only where C is infinite can there be no machine: that a program has no optimum is then proven by a ray, and a
    program tells it, whatever the solver. With few points a program also takes over what takes SMO long.
    """
    long = LONG if len(problem.target) <= FEW else max_iter
    if solver == "smo" and np.isfinite(problem.C):
        machine, iterations = _solved_by_pairs(problem, tol, min(max_iter, long), beta, allow_indefinite)
        if max_iter <= long or machine.status is Status.OPTIMAL or allow_indefinite:
            return machine, iterations
        solver = "dual"
    return _solved_by_program(problem, primal=solver == "primal")


def _solved_by_program(problem, primal):
    above, below = np.flatnonzero(problem.upper > 0), np.flatnonzero(problem.lower < 0)
    points, signs = np.concatenate([above, below]), np.repeat([1.0, -1.0], [len(above), len(below)])
    largest = problem.gram.diagonal.max(initial=0)
    # With a ridge multipliers are slacks, of the size of the targets; without, they make up w.
    size = _power_of_4(min(largest, problem.ridge) if problem.ridge and not primal else largest)
    unit = _power_of_4(problem.unit)
    program = (_primal_program if primal else _dual_program)(problem, points, signs, size, unit)
    result = solve_qp(program)
    a = result.inequality_multipliers if primal else result.x
    lost = result.status in (Status.INFEASIBLE, Status.UNBOUNDED)
    proven = np.isinf(problem.C) and lost  # with a finite C there is a machine, whatever rounding says
    if proven:
        a = result.certificate.ray
    a = a[: len(points)]
    beta = np.bincount(points, np.maximum(np.nan_to_num(a), 0) * signs * (unit / size), minlength=len(problem.target))
    if proven:
        return _no_machine(problem, beta), result.iterations
    return refined(problem, beta, Status.NOT_CONVERGED if lost else result.status), result.iterations


def _primal_program(problem, points, signs, size, unit):
    d, m, epsilon = problem.X.shape[1], len(points), problem.epsilon / unit
    side = signs[:, None] * np.column_stack([problem.X[points] / np.sqrt(size), np.ones(m)])
    edge = epsilon - signs * problem.target[points] / unit
    P, q = np.array([1.0] * d + [0.0]), np.zeros(d + 1)
    if np.isinf(problem.C):
        return QuadraticProgram(P=np.diag(P), q=q, G=-side, h=edge)
    price = problem.C * size
    linear, quadratic = (0.0, price) if problem.ridge else (price / unit, 0.0)
    identity, no_bonus = sparse.eye_array(m), sparse.csr_array((m, d + 1))
    return QuadraticProgram(
        P=sparse.diags_array(np.append(P, np.full(m, quadratic))),
        q=np.append(q, np.full(m, linear)),
        G=sparse.block_array([[-side, -identity], [no_bonus, -identity]]),
        h=np.append(edge, np.zeros(m)),
    )


def _dual_program(problem, points, signs, size, unit):
    m, everyone = len(points), np.arange(len(problem.target))
    check_kernel(problem.gram, everyone)
    K = problem.gram.block(everyone)[np.ix_(points, points)] / size
    G, h = box_constraints(np.zeros(m), np.full(m, np.inf if problem.ridge else problem.C * (size / unit)))
    P = signs[:, None] * K * signs + problem.ridge / size * np.eye(m)
    q = (problem.epsilon - signs * problem.target[points]) / unit
    try:
        return QuadraticProgram(P=P, q=q, G=G, h=h, A=signs[None, :], b=np.zeros(1))
    except ValueError as error:
        if not str(error).startswith("P:"):
            raise
        raise NotAKernel("K: expected a positive semidefinite matrix, also with its diagonal scaled to 1") from error


def _no_machine(problem, beta):
    """Turn a ray of a program into weights β of the points, Σ |βᵢ| = 1, which prove that no plane fits.

    With Σ βᵢ = 0 and Σ βᵢφ(xᵢ) = 0 every f has Σ βᵢ(tᵢ − f(xᵢ)) = Σ βᵢtᵢ, but if all were within ε, at most ε Σ |βᵢ|.
    """
    n, beta = len(beta), beta / (np.abs(beta).sum() or 1.0)
    length = (
        np.sqrt(max(0.0, beta @ (problem.gram @ beta))) if problem.X is None else np.linalg.norm(problem.X.T @ beta)
    )
    size = np.sqrt(problem.gram.diagonal.max(initial=0)) or 1.0
    excess = float(problem.target @ beta - problem.epsilon * np.abs(beta).sum()) / problem.unit
    residual = float(max(length / size, abs(beta.sum())) / max(excess, np.finfo(float).tiny))
    status = Status.INFEASIBLE if residual <= TOLERANCE else Status.NOT_CONVERGED
    nan, w = np.full(n, np.nan), None if problem.X is None else np.full(problem.X.shape[1], np.nan)
    certificate = Certificate(np.nan, np.nan, np.nan, residual, beta)
    return Machine(nan, w, np.nan, nan, nan, np.nan, status, certificate, residual)


def _power_of_4(size):
    """Return the unit in which a size is near 1; to divide by it costs no digit."""
    return 4.0 ** round(np.log2(size) / 2) if size > 0 else 1.0


def pair_steps(problem, beta, tolerance, max_iter, steps=None):
    """Move pairs of multipliers, in place, until the gap is within the tolerance.

    Parameters
    ----------
    problem : DualProblem
    beta : numpy.ndarray of shape (n,)
        Feasible.
    tolerance : float
        Largest gap, in the unit of t.
    max_iter : int
    steps : callable, optional
        ``steps(problem, beta, F, tolerance, most)`` moves pairs and returns how many, and if one was of negative
        curvature. Left out, that is the loop of `mlcore.svm._loops`.

    Returns
    -------
    taken : int
    status : mlcore.optimize.Status
    F : numpy.ndarray of shape (n,)
        Slopes, computed afresh.
    indefinite : bool
        Whether a pair of negative curvature was met.
    """
    steps, taken, indefinite, moved = steps or _looped, 0, False, 1
    for _ in range(FRESH_STARTS):
        F = problem.slopes(beta)
        gap = problem.gap(beta, F)
        if not (gap > tolerance and moved and taken < max_iter):
            break
        moved, met = steps(problem, beta, F, tolerance, max_iter - taken)
        taken, indefinite = taken + moved, indefinite | met
    if gap <= tolerance and not indefinite:
        return taken, Status.OPTIMAL, F, indefinite
    return taken, Status.ITERATION_LIMIT if taken == max_iter else Status.NOT_CONVERGED, F, indefinite


def _looped(problem, beta, F, tolerance, max_iter):
    """Run the loop as often as it asks for a row; of many points leave out those in no violating pair at present."""
    from mlcore.svm import _loops  # loading Numba takes most of a second: not before the first fit

    gram, active = problem.gram, np.arange(len(beta))
    edges = problem.edges(beta)
    least_curvature = LEAST_CURVATURE * (float(gram.diagonal.max()) or 1.0)
    taken, until, indefinite = 0, 0, False
    while True:
        if taken == until:
            until = min(max_iter, taken + STEPS_BETWEEN_SHRINKINGS)
            if len(beta) > MANY and taken:
                up, low = F[active] + edges[0][active], F[active] + edges[1][active]
                active = active[(up <= low.max()) | (low >= up.min())]
        made, reason, met = _loops.take_steps(
            *(gram.rows, gram.slot, gram.diagonal, problem.ridge, problem.lower, problem.upper, problem.epsilon),
            *(beta, F, *edges, active, least_curvature, tolerance, until - taken),
        )
        taken, indefinite = taken + made, indefinite | met
        if reason >= 0:
            gram[reason]
        elif reason != _loops.TIME_OUT or taken == max_iter or not np.isfinite(F[active]).all():
            return taken, indefinite


def _solved_by_pairs(problem, tol, max_iter, beta, allow_indefinite):
    """Return a machine and the pair updates made: SMO to a coarse gap, refined, to finer gaps where that fails.

    Parameters
    ----------
    problem : DualProblem
    tol : float
        Gap, in units of the largest target, at which SMO stops first. With more than 1000 free multipliers it goes on
        until residual and relative gap of the certificate are at most `tol`.
    max_iter : int
        Largest number of pair updates.
    beta : numpy.ndarray of shape (n,), optional
        Feasible multipliers to start from; left out: 0.
    allow_indefinite : bool
        Whether to look for a stationary point if K has a negative eigenvalue. It is never called optimal.

    Raises
    ------
    mlcore.errors.NotAKernel
        A negative eigenvalue, which is not allowed; with more than 500 points only some support vectors are looked
        at for that.
    """
    n = len(problem.target)
    beta = np.zeros(n) if beta is None else beta
    is_kernel = n > FEW or check_kernel(problem.gram, np.arange(n), allow_indefinite)
    best, iterations, tolerance, budget = None, 0, tol, FIRST_BUDGET + STEPS_A_POINT * n
    while True:
        most = min(budget, max_iter - iterations)
        taken, status, F, met = pair_steps(problem, beta, tolerance * problem.unit, most)
        iterations += taken
        if n > FEW and best is None:
            is_kernel = check_kernel(problem.gram, np.flatnonzero(beta)[:FEW], allow_indefinite)
        if not np.isfinite(F).all():
            raise ValueError("K: the entries are too large for floating point with this C; scale the kernel")
        cheap = np.count_nonzero((beta != 0) & (beta > problem.lower) & (beta < problem.upper)) <= CHEAP
        if cheap and is_kernel and not met and iterations < max_iter:
            machine = finished(problem, beta, status, F)
        else:
            machine = Machine.of(problem, beta, status, F=F)
        best = machine if best is None else min(best, machine, key=by_error)
        good = best.status is Status.OPTIMAL or (not cheap and within(best.certificate, tol))
        if good or status is Status.NOT_CONVERGED or iterations >= max_iter or tolerance * FACTOR < FINEST:
            break
        if status is Status.OPTIMAL:
            tolerance *= FACTOR
        else:
            budget *= 2
    if cheap and is_kernel and not good and status is not Status.ITERATION_LIMIT:
        best = min(best, refined(problem, best.beta, status), key=by_error)
    if not is_kernel:
        proven = best.status is Status.OPTIMAL
        return best._replace(status=Status.NOT_CONVERGED if proven else best.status), iterations
    return best._replace(status=Status.OPTIMAL if within(best.certificate, tol) else best.status), iterations


def within(certificate, tol):
    """Tell whether the residual and the relative gap of a certificate are at most `tol`.

    Examples
    --------
    >>> from mlcore.optimize import Certificate
    >>> within(Certificate(primal_value=10.0, dual_value=9.0, gap=1.0, residual=0.05), tol=0.1)
    True
    """
    size = max(abs(certificate.primal_value), abs(certificate.dual_value))
    return bool(certificate.residual <= tol and certificate.gap <= tol * size)


def check_kernel(gram, numbers, allow_indefinite=False):
    """Tell whether a block of a matrix is positive semidefinite; where that is known of the kernel, do not look.

    Raises
    ------
    mlcore.errors.NotAKernel
        A negative eigenvalue, which is not allowed.
    """
    if gram.is_positive_semidefinite:
        return True
    try:
        check_positive_semidefinite(gram.block(numbers))
    except NotAKernel:
        if allow_indefinite:
            return False
        raise
    return True


def as_price(C, *, finite=None):
    """Return C as a float, or say what is wrong with it.

    Parameters
    ----------
    C : float
    finite : str, optional
        What to do instead, where C must be finite.

    Raises
    ------
    ValueError
        No number, outside [1e-50, 1e50] and not infinite, or infinite where that is not allowed.
    """
    C = as_positive("C", C, allow_infinite=True)
    if np.isinf(C) and finite:
        raise ValueError(f"C: expected a finite number; {finite}")
    if not (1 / HUGE <= C <= HUGE or np.isinf(C)):
        raise ValueError(f"C: expected a number between {1 / HUGE:g} and {HUGE:g}, or infinity, got {C:g}")
    return C


# What both estimators do before they have a problem to solve, and with its solution.


def checked_price(machine):
    """Return C as a float, having checked the parameters that both have: kernel, solver, C, tol and max_iter.

    Raises
    ------
    ValueError
        One of them is invalid.
    """
    kernel, solver = machine.kernel, machine.solver
    if not isinstance(kernel, Kernel):
        raise ValueError(f"kernel: expected a kernel of mlcore.kernels, got {kernel!r}")
    if solver not in SOLVERS:
        raise ValueError(f"solver: expected one of {SOLVERS}, got {solver!r}")
    if solver == "primal" and not isinstance(kernel, Linear):
        raise ValueError(f"solver: 'primal' expects the kernel Linear(), got {kernel}")
    as_positive("tol", machine.tol)
    as_whole_number("max_iter", machine.max_iter)
    return as_price(machine.C)


def training_rows(kernel, X):
    """Return the rows of the Gram matrix, and with the linear kernel the points counted from their mean, and it.

    That moves b alone, saves the digits of far-off data, and gives the machine its plane among the features.
    """
    if not isinstance(kernel, Linear):
        return GramRows(kernel, X), None, None
    if not len(X):
        raise ValueError(f"X: expected at least one sample, got shape {X.shape}")
    centre = X.mean(axis=0)
    X = X - centre
    return GramRows(kernel, X), X, centre


def values(solution, kernel, support_points, X):
    """Return f(x) for the rows of `X`, by the plane if there is one, else Σ βᵢ k(xᵢ, x) + b."""
    if solution.w is not None:
        return X @ solution.w + solution.b
    return kernel(X, support_points) @ solution.coefficients[solution.support] + solution.b


def plane_of(solution, kernel):
    """Return w, or tell that only the linear kernel has one."""
    if solution.w is None:
        raise AttributeError(f"w_: only the linear kernel has a plane among the features, not {kernel}")
    return solution.w


def from_solution(name, doc):
    """Return a property of an estimator that hands on a field of its solution."""
    return property(lambda machine: getattr(machine._fitted(name), name.removesuffix("_")), doc=doc)


def report_end(solution, subject, why_infeasible, solver, accepted=False):
    """Raise when there is no solution, and warn when the one there is was not proven optimal.

    Parameters
    ----------
    solution : mlcore.svm.MarginSolution or mlcore.svm.SVRSolution
    subject, why_infeasible : str
        What was solved, for the warning, and the message of the error.
    solver : str
        Its name, for the advice.
    accepted : bool
        Whether to say nothing about a solution that is not optimal.

    Raises
    ------
    mlcore.errors.InfeasibleProblem
    """
    if solution.status is Status.INFEASIBLE:
        raise InfeasibleProblem(why_infeasible, solution.certificate)
    if solution.status is not Status.OPTIMAL and not accepted:
        advice = "; scale the features, lower C, raise max_iter or take solver='dual'" * (solver == "smo")
        warnings.warn(
            f"{subject} is not optimal ({solution.status}): {solution.certificate}{advice}",
            ConvergenceWarning,
            stacklevel=4,
        )
