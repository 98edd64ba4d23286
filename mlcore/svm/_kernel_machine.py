"""What the estimators with a kernel and a choice of solvers share: parameters, centring, values, and the last word.

The support vector classifier and regressor solve different problems, but both end in f(x) = Σ βᵢ k(xᵢ, x) + b.
"""

import warnings
from dataclasses import replace

from sklearn.exceptions import ConvergenceWarning

from mlcore.errors import InfeasibleProblem
from mlcore.kernels import Kernel, Linear
from mlcore.optimize import Status
from mlcore.validation import as_positive, as_whole_number

__all__ = ["check_machine", "kernel_sum", "plane_of", "report_end", "solved_by_kernel"]

SOLVERS = ("smo", "dual", "primal")


def check_machine(machine):
    """Check the parameters that both estimators have: kernel, solver, C, tol and max_iter.

    Parameters
    ----------
    machine : sklearn.base.BaseEstimator

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
    as_positive("C", machine.C, allow_infinite=True)
    as_positive("tol", machine.tol)
    as_whole_number("max_iter", machine.max_iter)


def solved_by_kernel(solve, kernel, X):
    """Return what `solve` makes of the points; with the linear kernel they are counted from their mean.

    That moves b alone, saves the digits of far-off data, and gives the solution its plane among the features.

    Parameters
    ----------
    solve : callable
        From points to a solution with the fields `coefficients`, `w` and `b`.
    kernel : mlcore.kernels.Kernel
    X : numpy.ndarray of shape (n, d)

    Returns
    -------
    mlcore.svm.MarginSolution or mlcore.svm.TubeSolution
    """
    if not isinstance(kernel, Linear):
        return solve(X)
    centre = X.mean(axis=0)
    solution = solve(X - centre)
    w = (X - centre).T @ solution.coefficients
    return replace(solution, w=w, b=solution.b - float(w @ centre))


def kernel_sum(solution, kernel, support_points, X):
    """Return f(x) for the rows of `X`, by the plane if there is one, else Σ βᵢ k(xᵢ, x) + b.

    Parameters
    ----------
    solution : mlcore.svm.MarginSolution or mlcore.svm.TubeSolution
    kernel : mlcore.kernels.Kernel
    support_points : numpy.ndarray of shape (s, d)
        The training points of `solution.support`.
    X : numpy.ndarray of shape (m, d)

    Returns
    -------
    numpy.ndarray of shape (m,)
    """
    if solution.w is not None:
        return X @ solution.w + solution.b
    return kernel(X, support_points) @ solution.coefficients[solution.support] + solution.b


def plane_of(solution, kernel):
    """Return w, or tell that only the linear kernel has one.

    Parameters
    ----------
    solution : mlcore.svm.MarginSolution or mlcore.svm.TubeSolution
    kernel : mlcore.kernels.Kernel

    Returns
    -------
    numpy.ndarray of shape (d,)

    Raises
    ------
    AttributeError
        Another kernel.
    """
    if solution.w is None:
        raise AttributeError(f"w_: only the linear kernel has a plane among the features, not {kernel}")
    return solution.w


def report_end(solution, subject, why_infeasible, solver, accepted=False):
    """Raise when there is no solution, and warn when the one there is was not proven optimal.

    Parameters
    ----------
    solution : mlcore.svm.MarginSolution or mlcore.svm.TubeSolution
    subject : str
        What was solved, for the warning.
    why_infeasible : str
        The message of the error.
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
