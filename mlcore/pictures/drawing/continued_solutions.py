"""Machines and tubes that continue from the one solved last, as a slider that moves a little asks for.

The multipliers of the last state are close to those of the next, so that a few pair updates lead from one to the
other; what is left is refined, and the solution carries the same certificate as any other. Only where the multipliers
are unique does it not matter which state came before, and a picture must not depend on that: with a Gaussian kernel
and distinct points they are. Every other problem, and one that takes long, goes to the quadratic program.
"""

from collections import OrderedDict
from functools import lru_cache

import numpy as np

from mlcore.kernels import Gaussian
from mlcore.svm import solve_dual, solve_smo, solve_svr_dual, solve_svr_smo, within

__all__ = ["continued_machine", "continued_tube"]

_PATIENCE = 150  # pair updates that take as long as the quadratic program for 100 points
_EXACT = 1e-6  # largest gap and residual: below them the readout is the same for every start
_KEPT = 16  # problems whose last multipliers are remembered

_last = OrderedDict()


@lru_cache(maxsize=512)
def continued_machine(X, y, kernel, C):
    """Return the dual solution of a support vector machine, from the multipliers found last for these points.

    Parameters
    ----------
    X : tuple of tuple of float
        Points, one a row.
    y : tuple of float
        Labels +1 and −1.
    kernel : mlcore.kernels.Kernel
    C : float
        Penalty, finite.

    Returns
    -------
    mlcore.svm.MarginSolution
    """
    gram, labels = kernel(np.array(X)), np.array(y)
    return _continued(
        (X, y),
        isinstance(kernel, Gaussian) and len(set(X)) == len(X),
        lambda start: solve_smo(gram, labels, C, max_iter=_PATIENCE, alpha=start),
        lambda: solve_dual(gram, labels, C),
        "alpha",
    )


def continued_tube(x, kernel, gram, y, C, epsilon, loss):
    """Return the dual solution of a tube, from the coefficients found last for the same inputs.

    Parameters
    ----------
    x : tuple of float
        Inputs.
    kernel : mlcore.kernels.Kernel
    gram : numpy.ndarray of shape (n, n)
        Its Gram matrix at the inputs.
    y, C, epsilon, loss
        As in `mlcore.svm.solve_svr_dual`.

    Returns
    -------
    mlcore.svm.SVRSolution
    """
    return _continued(
        (x, loss),
        isinstance(kernel, Gaussian) and len(set(x)) == len(x),
        lambda start: solve_svr_smo(gram, y, C, epsilon, loss, max_iter=_PATIENCE, beta=start),
        lambda: solve_svr_dual(gram, y, C, epsilon, loss),
        "coefficients",
    )


def _continued(problem, unique, pair_updates, quadratic_program, multipliers):
    """Return the solution of one of the two solvers, and remember its multipliers where they are unique."""
    if not unique:
        return quadratic_program()
    solution = pair_updates(_last.pop(problem, None))
    if not within(solution.certificate, _EXACT):
        solution = quadratic_program()
    _last[problem] = getattr(solution, multipliers)
    while len(_last) > _KEPT:
        _last.popitem(last=False)
    return solution
