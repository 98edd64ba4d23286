"""Streets between two classes: solved once for picture and readout, and told in words, even where w is 0."""

from functools import lru_cache

import numpy as np

from mlcore.errors import InfeasibleProblem
from mlcore.optimize import Status
from mlcore.svm import solve_primal

__all__ = ["separating_street", "street", "street_width", "violations"]

_SLACK, _CANCELLED = 1e-6, 1e-7


def street(data, C):
    """Return the widest street of `data` for the penalty `C`; the last ones are kept.

    Parameters
    ----------
    data : mlcore.pictures.drawing.sample_data.LabelledData
    C : float
        Infinity demands a hard margin.

    Returns
    -------
    mlcore.svm.MarginSolution
    """
    return _solve(tuple(map(tuple, data.X.tolist())), tuple(data.y.tolist()), C)


@lru_cache(maxsize=512)
def _solve(X, y, C):
    return solve_primal(np.array(X), np.array(y), C)


def separating_street(data):
    """Return the widest street with every point outside.

    Raises
    ------
    mlcore.errors.InfeasibleProblem
        When no line separates the classes.
    """
    solution = street(data, np.inf)
    if solution.status is Status.INFEASIBLE:
        raise InfeasibleProblem(
            "X, y: expected classes that a line separates, got overlapping hulls", solution.certificate
        )
    return solution


def violations(solution):
    """Return which points stand inside the street on their own side, and which on the wrong side of the boundary."""
    wrong = solution.slack > 1 + _SLACK
    return (solution.slack > _SLACK) & ~wrong, wrong


def street_width(solution, spread, form=".2f"):
    """Return how wide the street is, in words: "1.90 wide".

    Where the weights of both classes cancel, w is 0 up to rounding: f is the same everywhere, and the street has no
    edge.

    Parameters
    ----------
    solution : mlcore.svm.MarginSolution
    spread : float
        The largest distance of a point from their mean, or in feature space the largest √k(x, x).
    form : str
        Format of the number.
    """
    if solution.norm <= _CANCELLED * np.abs(solution.coefficients).sum() * spread:
        return "infinitely wide, since w = 0"
    return f"{2 / solution.norm:{form}} wide"
