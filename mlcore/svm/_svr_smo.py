"""The flattest tube by sequential minimal optimisation, to the accuracy of the quadratic programs.

In the 2n variables (α, α′) with labels s = (+1, −1) and targets t = (y − ε, y + ε) the dual problem of the tube is that
of the classifier::

    maximise   Σ sᵢαᵢtᵢ − ½ αᵀQα     subject to  0 ≤ αᵢ ≤ bound,  sᵀα = 0
               Qᵢⱼ = sᵢsⱼ Mᵢⱼ,   M = [[K + R, K + R], [K + R, K + R]]

The quadratic penalty knows no bound. But a constant f, the middle of the range of y, costs ½ C ρ² with
ρ² = Σ max(0, |yᵢ − f| − ε)², and no slack ξᵢ of the optimum may cost more, so that αᵢ = C ξᵢ ≤ C ρ: twice that is a
bound that is never met.
"""

from dataclasses import replace

import numpy as np

from mlcore.kernels import as_gram_matrix
from mlcore.optimize import Status
from mlcore.svm._gram_rows import DoubledRows, RowStore
from mlcore.svm._margin_smo import CHEAP, FACTOR, FEW, FINEST, is_kernel_matrix, within
from mlcore.svm._smo import smo
from mlcore.svm._svr_problems import checked, refined
from mlcore.svm._svr_solution import bound_and_ridge, middle, tube_solution
from mlcore.validation import as_array, as_positive

__all__ = ["solve_tube_smo"]


def solve_tube_smo(K, y, C=1.0, epsilon=0.1, loss="l1", *, tol=1e-3, max_iter=1_000_000, beta=None):
    """Solve the dual tube problem in the multipliers α and α′, two at a time.

    Parameters
    ----------
    K : array_like of shape (n, n) or mlcore.svm.RowStore
        Kernel matrix of the training points, or its rows on demand.
    y : array_like of shape (n,)
        Targets.
    C : float
        Upper bound of the multipliers ("l1") or inverse of what is added to the diagonal of K ("l2"); finite.
    epsilon : float
        Half the height of the tube, at least 0, in the unit of y.
    loss : {"l1", "l2"}
        Linear or quadratic penalty.
    tol : float
        Gap between the optimality conditions, relative to half the range of y, at which SMO stops. With up to 1000
        multipliers strictly between the bounds the solution is then refined. SMO goes on to finer gaps if that fails,
        or if, with more of them, primal and dual value still differ by more than this share.
    max_iter : int
        Largest number of pair updates.
    beta : array_like of shape (n,), optional
        Coefficients β = α − α′ to start from, such as those of a neighbouring C, ε or kernel.

    Returns
    -------
    mlcore.svm.TubeSolution
        With status optimal if relative gap and residual are below 1e-6 or, failing that, within `tol`; iteration
        limit; or not converged.

    Raises
    ------
    ValueError
        Wrong shapes, no samples, entries that are not finite, a matrix that is not symmetric, or a parameter out of
        range.
    mlcore.errors.NotAKernel
        A negative eigenvalue; with more than 500 points only some support vectors are looked at for that.

    Notes
    -----
    ES p. 81; MW (9.5) and (9.13).

    Examples
    --------
    >>> X = np.array([[0.0], [1.0], [2.0]])
    >>> solution = solve_tube_smo(X @ X.T, [0, 1, 2], C=10, epsilon=0.5)
    >>> solution.alpha.round(6).tolist(), solution.alpha_star.round(6).tolist()
    ([0.0, 0.0, 0.25], [0.25, 0.0, 0.0])
    """
    gram = K if isinstance(K, RowStore) else RowStore.of_matrix(as_gram_matrix(K))
    y, C, epsilon = checked("K", gram.diagonal, y, C, epsilon, loss)
    tol = as_positive("tol", tol)
    if np.isinf(C):
        raise ValueError("C: expected a finite number; for a hard tube solve the quadratic program (solve_tube_dual)")
    n, height = len(y), middle(y)
    if n <= FEW:
        is_kernel_matrix(gram, np.arange(n))
    y = y - height  # moves b alone
    unit = np.abs(y).max() or 1.0
    bound, ridge = bound_and_ridge(C, loss)
    if loss == "l2":
        bound = 2 * C * (np.linalg.norm(np.maximum(0, np.abs(y) - epsilon)) or 1.0)
    doubled, labels = DoubledRows(gram, ridge), np.repeat([1.0, -1.0], n)
    target = np.concatenate([y - epsilon, y + epsilon])

    def pair_updates(alpha, tolerance, left):
        return smo(doubled, labels, bound, tolerance=tolerance * unit, max_iter=left, alpha=alpha, target=target)

    if beta is not None:
        beta = as_array("beta", beta, (n,))
        beta = np.concatenate([np.maximum(beta, 0), np.maximum(-beta, 0)])
    result = pair_updates(beta, tol, max_iter)
    beta = result.alpha[:n] - result.alpha[n:]
    if n > FEW:
        is_kernel_matrix(gram, np.flatnonzero(beta)[:FEW])
    solution = tube_solution(beta, gram, y, C, epsilon, loss, result.status)
    iterations, tolerance = result.iterations, tol
    cheap = np.count_nonzero((beta != 0) & (np.abs(beta) < bound)) <= CHEAP
    improved = refined if cheap else tube_solution
    while result.status is Status.OPTIMAL:
        beta = result.alpha[:n] - result.alpha[n:]
        candidate = improved(beta, gram, y, C, epsilon, loss, result.status)
        solution = min(solution, candidate, key=lambda each: each.certificate.residual)
        tolerance *= FACTOR
        good = solution.status is Status.OPTIMAL or (not cheap and within(solution.certificate, tol))
        if good or iterations >= max_iter or tolerance < FINEST:
            break
        result = pair_updates(result.alpha, tolerance, max_iter - iterations)
        iterations += result.iterations
    status = Status.OPTIMAL if within(solution.certificate, tol) else solution.status
    return replace(
        solution, b=solution.b + height, fitted=solution.fitted + height, status=status, iterations=iterations
    )
