"""The one problem behind all support vector machines, what its multipliers stand for, and their last digits.

Conventions::

    maximise   tᵀβ − ε Σ |βᵢ| − ½ βᵀ(K + ridge·I)β     subject to  lower ≤ β ≤ upper,  Σ βᵢ = 0
    machine    f(x) = Σ βᵢ k(xᵢ, x) + b
    slope      F = (K + ridge·I)β − t;  at the optimum −Fᵢ − b is ±ε on free points

    classification     βᵢ = αᵢyᵢ       t = y,  ε = 0,  ridge = 0          0 ≤ βᵢyᵢ ≤ C
    epsilon-SVR, "l1"  βᵢ = αᵢ − αᵢ′   t = the targets,  ridge = 0        −C ≤ βᵢ ≤ C
    epsilon-SVR, "l2"  βᵢ = αᵢ − αᵢ′   t = the targets,  ridge = 1/C      no bounds

Some b meets all conditions if and only if no point has a larger slope on the way down than another on the way up; by
how much one has is the Karush-Kuhn-Tucker gap (Keerthi et al. 2001).
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.optimize import lsq_linear

from mlcore.kernels import GramRows
from mlcore.optimize import Certificate, KKTResiduals, Status
from mlcore.validation import as_array

__all__ = ["HUGE", "TOLERANCE", "DualProblem", "Machine", "as_labels", "by_error", "finished", "refined"]

TOLERANCE = 1e-6  # largest relative gap and scaled residual that count as optimal, or as proof
TARGET = 1e-10  # a residual that needs no further step; multipliers this close to a bound are at the bound
ROUNDING = 1e-14  # error of f, relative to its size
ROUNDING_OF_START = 1e-9  # a share of C below 0 is 0, and such a share of imbalance is none
CANCELLATION = 1e-8  # objectives below this share of their terms are known to fewer than 8 digits
ACTIVE_SET_STEPS = 10
PROMISING = 0.1  # an error that a right guess of the active set at least halves
JITTER = 1e-11  # of the mean of the diagonal
TINY = float(np.finfo(float).tiny)
HUGE = 1e50  # products of larger numbers overflow


@dataclass(frozen=True, eq=False)
class DualProblem:
    """A dual problem, as in the conventions above.

    Attributes
    ----------
    gram : mlcore.kernels.GramRows
        Rows of K.
    target, lower, upper : numpy.ndarray of shape (n,)
    C : float
        Price of slack, may be infinite.
    epsilon, ridge : float
    X : numpy.ndarray of shape (n, d) or None
        The points, if the kernel is linear: f is then computed from w, as it predicts.
    """

    gram: GramRows
    target: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    C: float
    epsilon: float = 0.0
    ridge: float = 0.0
    X: np.ndarray | None = None

    def __post_init__(self):
        sizes = {"y": self.target, "epsilon": self.epsilon, "K" if self.X is None else "X": self.gram.diagonal}
        for name, value in sizes.items():
            if not (size := np.abs(value).max(initial=0)) <= HUGE:
                raise ValueError(f"{name}: expected numbers of at most {HUGE:g} in size, got {size:g}")

    @classmethod
    def of_labels(cls, gram, y, C, X=None):
        """Return the problem of a classifier with labels +1 and −1."""
        return cls(gram, y, np.where(y > 0, 0.0, -C), np.where(y > 0, C, 0.0), C, X=X)

    @cached_property
    def two_sided(self):
        """Whether errors of either sign cost slack, as in regression."""
        return bool(self.lower.min(initial=0) < 0 < self.upper.min(initial=np.inf))

    @cached_property
    def unit(self):
        """Size of the targets, in which errors of f are measured."""
        return float(np.abs(self.target).max(initial=0)) or 1.0

    def size(self, beta):
        """Return max |βᵢ|, or, if all are 0, a size that they could have."""
        return float(np.abs(beta).max(initial=0)) or min(1.0, float(self.upper.max(initial=0)))

    def slopes(self, beta):
        """Return F, computed afresh."""
        return self.gram @ beta + self.ridge * beta - self.target

    def edges(self, beta):
        """Return what is added to F where βᵢ grows, and where it shrinks: see `mlcore.svm._loops`."""
        down = np.where(beta > 0, self.epsilon, -self.epsilon)
        up = down if self.epsilon == 0 else np.where(beta >= 0, self.epsilon, -self.epsilon)
        return np.where(beta < self.upper, up, np.inf), np.where(beta > self.lower, down, -np.inf)

    def start(self, name, multipliers, signs=1.0):
        """Return β = multipliers · signs, such as those of a problem with another C, made feasible.

        If one is above C, all are scaled down: that keeps Σ βᵢ = 0, and at the bound what was at the bound. If
        Σ βᵢ ≠ 0 all the same, those of the sign with the larger sum are scaled down.

        Raises
        ------
        ValueError
            Another shape, entries that are not finite, or of the wrong sign (beyond rounding).
        """
        beta = as_array(name, multipliers, self.target.shape) * signs
        outside = np.where((beta > 0) & (self.upper == 0) | (beta < 0) & (self.lower == 0), np.abs(beta), 0)
        if outside.max() > ROUNDING_OF_START * self.C:
            raise ValueError(f"{name}: expected multipliers of at least 0, got {-outside.max():.3g}")
        beta[outside > 0] = 0
        if not self.ridge and (largest := np.abs(beta).max()) > self.C:
            beta = beta / largest * self.C
        above, below = beta[beta > 0].sum(), -beta[beta < 0].sum()
        if above - below > ROUNDING_OF_START * above:
            beta[beta > 0] *= below / above
        elif below - above > ROUNDING_OF_START * below:
            beta[beta < 0] *= above / below
        return np.minimum(np.maximum(beta, self.lower), self.upper)

    def gap(self, beta, F):
        """Return the Karush-Kuhn-Tucker gap, in the unit of t; 0 or less at the optimum."""
        grow, shrink = self.edges(beta)
        return float((F + shrink).max() - (F + grow).min())

    def offset(self, beta, F):
        """Return b: the mean over the free points, or, without any, the middle of the optimal interval."""
        grow, shrink = self.edges(beta)
        free = np.flatnonzero((grow == shrink) & (beta != 0))
        if len(free):
            return 0.0 - float((F[free] + grow[free]).sum() / len(free))  # and never −0
        ends = np.array([(F + shrink).max(), (F + grow).min()])
        return 0.0 - float(ends[np.isfinite(ends)].mean())

    def proximal_step(self, beta, errors, length):
        """Step along the errors t − f − ridge β, back by ε towards 0, and into the box: an optimal β stays."""
        moved = beta + length * errors
        if self.epsilon:
            moved = np.sign(moved) * np.maximum(np.abs(moved) - length * self.epsilon, 0)
        return np.minimum(np.maximum(moved, self.lower), self.upper)

    def at_bounds(self, beta):
        """Clip to the bounds, and move what is within rounding of a bound or of 0 onto it."""
        beta = np.minimum(np.maximum(beta, self.lower), self.upper)
        near = TARGET * self.size(beta)
        beta[np.abs(beta) <= near] = 0.0  # also where it is −0
        full = self.upper - beta <= near
        beta[full] = self.upper[full]
        full = beta - self.lower <= near
        beta[full] = self.lower[full]
        return beta


class Machine(NamedTuple):
    """What multipliers stand for, judged by the problem's own data.

    Attributes
    ----------
    beta : numpy.ndarray of shape (n,)
    w : numpy.ndarray of shape (d,) or None
    b, norm : float
    errors, slack : numpy.ndarray of shape (n,)
        t − f and by how much it costs.
    status : mlcore.optimize.Status
    certificate : mlcore.optimize.Certificate
    error : float
        The larger of its residual and its relative gap.
    """

    beta: np.ndarray
    w: np.ndarray | None
    b: float
    errors: np.ndarray
    slack: np.ndarray
    norm: float
    status: Status
    certificate: Certificate
    error: float

    @property
    def exact(self):
        """Whether no further step is needed; the status as well, for a large C magnifies the gap."""
        return self.status is Status.OPTIMAL and self.certificate.residual <= TARGET

    @classmethod
    def of(cls, problem, beta, status=Status.NOT_CONVERGED, w=None, F=None):
        """Derive the machine from its multipliers.

        Parameters
        ----------
        problem : DualProblem
        beta : numpy.ndarray of shape (n,)
            Within the bounds.
        status : mlcore.optimize.Status
            How the solver says it ended; kept only if the certificate is not good enough for "optimal".
        w : numpy.ndarray of shape (d,), optional
            A more accurate Σ βᵢxᵢ than the sum is.
        F : numpy.ndarray of shape (n,), optional
            The slopes, if they were computed afresh for this β.
        """
        ridge, target, unit = problem.ridge, problem.target, problem.unit
        pulled, mismatch = None, 0.0
        if problem.X is not None:
            pulled = problem.X.T @ beta
            w = pulled if w is None else w
            through_origin, squared_norm, dual_norm = problem.X @ w, float(w @ w), float(pulled @ pulled)
            if w is not pulled:
                terms = np.abs(problem.X.T) @ np.abs(beta)
                mismatch = float((np.abs(w - pulled) / np.maximum(terms, TINY)).max(initial=0))
        else:
            through_origin = problem.gram @ beta if F is None else F - ridge * beta + target
            squared_norm = dual_norm = float(beta @ through_origin)
        b = problem.offset(beta, through_origin + ridge * beta - target)
        errors = target - through_origin - b
        slack = np.abs(errors) - problem.epsilon if problem.two_sided else target * errors
        slack[slack <= ROUNDING * (unit + np.abs(through_origin).max())] = 0  # which a large C would make count
        lengths = np.abs(beta)
        pull = float(target @ beta) - problem.epsilon * float(lengths.sum())
        dual = pull - dual_norm / 2 - ridge * float(beta @ beta) / 2
        hard = np.isinf(problem.C)
        cost = 0.0 if hard else problem.C * float(slack @ slack / 2 if ridge else slack.sum())
        primal, size = squared_norm / 2 + cost, problem.size(beta)
        step = problem.proximal_step(beta, errors - ridge * beta, size / unit)
        conditions = KKTResiduals(
            stationarity=max(float(abs(beta.sum()) / size), mismatch),
            primal=float(slack.max() / unit) if hard else 0.0,
            dual=0.0,  # β is within its bounds
            complementary=float(np.abs(step - beta).max() / size),
        )
        certificate = Certificate.of_optimum(primal, dual, conditions)
        terms = float(lengths @ (np.abs(target) + problem.epsilon))
        relative_gap = certificate.gap / max(abs(primal), abs(dual), CANCELLATION * terms, TINY)
        error = max(certificate.residual, relative_gap) if relative_gap == relative_gap else np.inf
        if error <= TOLERANCE:
            status = Status.OPTIMAL
        elif status is Status.OPTIMAL:
            status = Status.NOT_CONVERGED
        return cls(beta, w, b, errors, slack, float(np.sqrt(max(squared_norm, 0.0))), status, certificate, error)


def refined(problem, beta, status):
    """Return the machine of full accuracy near approximate multipliers, by a primal-dual active set method.

    Parameters
    ----------
    problem : DualProblem
    beta : numpy.ndarray of shape (n,)
        From a solver that has found most of the support vectors; NaN, from one that failed, counts as 0.
    status : mlcore.optimize.Status
        How that solver ended.

    Returns
    -------
    Machine
        The best one met, which may be that of `beta` itself.

    Notes
    -----
    Hintermüller, Ito, Kunisch, "The primal-dual active set strategy as a semismooth Newton method", 2002.
    """
    best = Machine.of(problem, problem.at_bounds(np.nan_to_num(beta)), status)
    if not best.error <= TOLERANCE:  # β = 0 is the exact solution if the tube is as high as the data
        best = min(best, Machine.of(problem, np.zeros(len(beta)), status), key=by_error)
    for step in (_newton_step, _bounded_step):
        machine, far, failed = best, False, 0  # far: whether the guess of the active set looks far ahead
        for _ in range(ACTIVE_SET_STEPS):
            patient = step is _bounded_step and best.error > TOLERANCE  # then it may get worse before it gets better
            if best.exact or (failed > 1 and not patient):
                break
            before, machine = best.error, step(problem, machine, far, status)
            best = min(best, machine, key=by_error)
            if machine.error <= before / 2:
                failed = 0
            else:
                far, machine, failed = not far, machine if patient else best, failed + 1
    return best


def finished(problem, beta, status, F):
    """Do the same for the multipliers of SMO and their slopes F, but give up at once where the guess is wrong."""
    b = problem.offset(beta, F)
    unknown = (None, np.nan, status, None, PROMISING)
    machine = Machine(beta, None, b, problem.ridge * beta - F - b, *unknown)
    for _ in range(ACTIVE_SET_STEPS):
        before, machine = machine.error, _newton_step(problem, machine, False, status)
        if machine.exact:
            return machine
        if not machine.error <= before / 2:
            break
    start = problem.at_bounds(beta)
    start = Machine.of(problem, start, status, F=F if np.array_equal(start, beta) else None)
    return min(start, machine, key=by_error)


def by_error(machine):
    """Return the larger of a machine's relative gap and scaled residual: the key by which machines are ranked."""
    return machine.error if np.isfinite(machine.error) else np.inf


def _active_set(problem, machine, far):
    """Fix what a proximal step takes to 0 or to a bound; return β with the rest as it was, and what is free."""
    old, size = machine.beta, problem.size(machine.beta)
    steepness = float(problem.gram.diagonal.mean()) + problem.ridge  # change of an error by a unit of its own β
    length = size / problem.unit if far else size / max(problem.unit, size * steepness)
    beta = problem.proximal_step(old, machine.errors - problem.ridge * old, length)
    free = np.flatnonzero((beta != 0) & (beta > problem.lower) & (beta < problem.upper))
    signs = np.sign(beta[free])
    beta[free] = np.where(signs * old[free] > 0, old[free], 0)
    ends = np.where(signs > 0, 0, problem.lower[free]), np.where(signs > 0, problem.upper[free], 0)
    return beta, free, signs, ends


def _newton_step(problem, machine, far, status):
    """Solve the conditions of the free points, −F − b = ±ε and Σ βᵢ = 0, fixing those that leave their bounds.

    With a linear kernel w = Σ βᵢxᵢ is an unknown of its own: where C is large the sum would lose its digits. A little
    jitter holds on to the multipliers of equal points.
    """
    beta, free, signs, (least, most) = _active_set(problem, machine, far)
    X, size, diagonal = problem.X, problem.size(machine.beta), float(problem.gram.diagonal.mean())
    w, d = None, 0 if X is None else X.shape[1]
    while len(free):
        m = d + 1 + len(free)
        system, right = np.zeros((m, m)), np.zeros(m)
        system[d, d + 1 :] = system[d + 1 :, d] = 1
        right[d] = -beta.sum() / size
        wanted = problem.target[free] - signs * problem.epsilon - problem.ridge * beta[free]
        if X is None:
            rows = problem.gram.rows_of(free)
            system[1:, 1:] = size * rows[:, free]
            right[1:] = wanted - rows @ beta
        else:
            norm = size * np.sqrt(diagonal) or 1.0  # w = norm · unknown
            system[:d, :d] = np.eye(d)
            system[:d, d + 1 :] = -(size / norm) * X[free].T
            system[d + 1 :, :d] = norm * X[free]
            right[:d], right[d + 1 :] = X.T @ beta / norm, wanted
        system.flat[(d + 1) * (m + 1) :: m + 1] += size * (problem.ridge or JITTER * diagonal)
        try:
            unknown = np.linalg.solve(system, right)
        except np.linalg.LinAlgError:  # no jitter helps: all points are at the origin
            return machine._replace(status=Status.NOT_CONVERGED, error=np.inf)
        w = None if X is None else norm * unknown[:d]
        moved = beta[free] + size * unknown[d + 1 :]
        beta[free] = np.minimum(np.maximum(moved, least), most)
        left = (moved <= least) | (moved >= most)
        if not left.any():
            break
        free, signs, least, most = (part[~left] for part in (free, signs, least, most))
        w = None
    return Machine.of(problem, problem.at_bounds(beta), status, w=w)


def _bounded_step(problem, machine, far, status):
    """Solve the same conditions for the best step within the bounds, which also works where many solutions exist."""
    beta, free, signs, ends = _active_set(problem, machine, far)
    size, k = problem.size(machine.beta), len(free)
    system = np.ones((k + 1, k + 1))
    system[:k, :k], system[k, k] = size * (problem.gram.block(free) + problem.ridge * np.eye(k)), 0
    inside = problem.target[free] - problem.gram.rows_of(free) @ beta - problem.ridge * beta[free] - machine.b
    missing = np.append(inside - signs * problem.epsilon, -beta.sum() / size)
    unit = np.abs(missing).max() or 1.0  # lsq_linear stops at an absolute error
    least, most = ((end - beta[free]) / (size * unit) for end in ends)
    bounds = np.append(np.minimum(least, 0), -np.inf), np.append(np.maximum(most, 0), np.inf)
    step = lsq_linear(system, missing / unit, bounds, method="bvls", tol=1e-15).x
    beta[free] += unit * size * step[:-1]
    return Machine.of(problem, problem.at_bounds(beta), status)


def as_labels(y, n):
    """Return the labels +1 and −1 as floats, or say what is wrong with them.

    Raises
    ------
    ValueError
        Another shape, other labels, or one class only.

    Examples
    --------
    >>> as_labels([1, 1], 2)
    Traceback (most recent call last):
        ...
    ValueError: y: expected labels +1 and -1, both present, got [1.0]
    """
    y = as_array("y", y, (n,))
    positive, negative = y == 1, y == -1
    if not (positive.any() and negative.any() and (positive | negative).all()):
        raise ValueError(f"y: expected labels +1 and -1, both present, got {np.unique(y)[:5].tolist()}")
    return y
