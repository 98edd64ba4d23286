"""The widest margin by sequential minimal optimisation, to the accuracy of the quadratic programs.

SMO finds the support vectors fast and their multipliers slowly: each further digit costs as many steps as the one
before. So it runs to a coarse tolerance, and a step of the active set method, a linear system in the multipliers
strictly between the bounds, gives all the other digits at once.
"""

from dataclasses import replace

import numpy as np

from mlcore.errors import NotAKernel
from mlcore.kernels import as_gram_matrix, check_positive_semidefinite
from mlcore.optimize import Status
from mlcore.svm._gram_rows import RowStore
from mlcore.svm._margin_problems import margin_solution, refined
from mlcore.svm._smo import smo
from mlcore.validation import as_positive

__all__ = ["is_kernel_matrix", "solve_smo", "within"]

FEW = 500  # points whose matrix is looked at as a whole
CHEAP = 1000  # free multipliers up to which a linear system takes a fraction of a second
FINEST = 1e-9  # a smaller tolerance is lost in rounding
FACTOR = 1e-2  # how much finer SMO goes on where the active set was not the right one yet


def solve_smo(K, y, C=1.0, *, tol=1e-3, max_iter=1_000_000, allow_indefinite=False, alpha=None):
    """Solve the dual margin problem in the multipliers α, two at a time.

    Parameters
    ----------
    K : array_like of shape (n, n) or mlcore.svm.RowStore
        Kernel matrix of the training points, or its rows on demand.
    y : array_like of shape (n,)
        Labels +1 and −1, both present.
    C : float
        Upper bound of the multipliers, finite.
    tol : float
        Gap between the optimality conditions, in the unit of the margin, at which SMO stops. With up to 1000
        multipliers strictly between the bounds the solution is then refined. SMO goes on to finer gaps if that fails,
        or if, with more of them, primal and dual value still differ by more than this share.
    max_iter : int
        Largest number of pair updates.
    allow_indefinite : bool
        Whether to look for a stationary point if the matrix has a negative eigenvalue. It is never called optimal.
    alpha : array_like of shape (n,), optional
        Multipliers to start from, such as those of a neighbouring C or kernel; see `mlcore.svm.smo`.

    Returns
    -------
    mlcore.svm.MarginSolution
        With status optimal if relative gap and residual are below 1e-6 or, failing that, within `tol`; iteration
        limit; or not converged.

    Raises
    ------
    ValueError
        Wrong shapes, entries that are not finite, a matrix that is not symmetric, other labels, one class alone,
        or a parameter out of range.
    mlcore.errors.NotAKernel
        A negative eigenvalue, which is not allowed; with more than 500 points only some support vectors are looked
        at for that.

    Examples
    --------
    >>> X = np.array([[2.0, 2.0], [0.0, 0.0]])
    >>> solution = solve_smo(X @ X.T, [1, -1], C=10)
    >>> solution.alpha.round(6).tolist(), solution.b, str(solution.status)
    ([0.25, 0.25], -1.0, 'optimal')
    """
    gram = K if isinstance(K, RowStore) else RowStore.of_matrix(as_gram_matrix(K))
    tol = as_positive("tol", tol)
    indefinite = len(gram) <= FEW and not is_kernel_matrix(gram, np.arange(len(gram)), allow_indefinite)
    result = smo(gram, y, C, tolerance=tol, max_iter=max_iter, alpha=alpha)
    if len(gram) > FEW:
        indefinite = not is_kernel_matrix(gram, np.flatnonzero(result.alpha)[:FEW], allow_indefinite)
    y, C = np.asarray(y, dtype=float), float(C)
    solution = margin_solution(result.alpha, gram, y, C, result.status)
    iterations = result.iterations
    if indefinite:
        proven = solution.status is Status.OPTIMAL
        return replace(solution, status=Status.NOT_CONVERGED if proven else solution.status, iterations=iterations)
    tolerance = tol
    cheap = np.count_nonzero((result.alpha > 0) & (result.alpha < C)) <= CHEAP
    improved = refined if cheap else margin_solution
    while result.status is Status.OPTIMAL:
        candidate = improved(result.alpha, gram, y, C, result.status)
        solution = min(solution, candidate, key=lambda each: each.certificate.residual)
        tolerance *= FACTOR
        good = solution.status is Status.OPTIMAL or (not cheap and within(solution.certificate, tol))
        if good or iterations >= max_iter or tolerance < FINEST:
            break
        result = smo(gram, y, C, tolerance=tolerance, max_iter=max_iter - iterations, alpha=result.alpha)
        iterations += result.iterations
    status = Status.OPTIMAL if within(solution.certificate, tol) else solution.status
    return replace(solution, status=status, iterations=iterations)


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


def is_kernel_matrix(gram, numbers, allow_indefinite=False):
    """Tell whether a block of a matrix is positive semidefinite.

    Parameters
    ----------
    gram : mlcore.svm.RowStore
    numbers : numpy.ndarray of int, shape (m,)
        Which rows and columns.
    allow_indefinite : bool
        Whether to answer no; else that is an error.

    Raises
    ------
    mlcore.errors.NotAKernel
        A negative eigenvalue, which is not allowed.

    Examples
    --------
    >>> gram = RowStore.of_matrix(np.array([[1.0, 2.0], [2.0, 1.0]]))
    >>> is_kernel_matrix(gram, np.array([0])), is_kernel_matrix(gram, np.array([0, 1]), allow_indefinite=True)
    (True, False)
    """
    try:
        check_positive_semidefinite(gram.block(numbers))
    except NotAKernel:
        if allow_indefinite:
            return False
        raise
    return True
