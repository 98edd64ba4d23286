"""Natural units of a quadratic program: after scaling, every row, column and value is of order 1.

Features measured in 1e-6 or 1e6 of their natural unit make an interior-point method stop early or take a
matrix for singular. The units also say what "small" means when a solution is checked: each violation is
compared with the natural size of its own row or column.
"""

from typing import NamedTuple

import numpy as np
from scipy import sparse

ROUNDS = 20
TINY = 1e-100  # a row or column of smaller entries counts as zero


class Units(NamedTuple):
    """Sizes of the parts of a quadratic program.

    Attributes
    ----------
    variable : numpy.ndarray, shape (n,)
        x = variable · x̂ with x̂ of order 1.
    inequality, equality : numpy.ndarray, shapes (m,) and (p,)
        Factors that bring the rows of Gx ≤ h and Ax = b to order 1.
    objective : float
        Factor that brings the larger part of the objective to order 1.
    value : float
        Size of its smaller part, against which errors in the objective are measured.
    """

    variable: np.ndarray
    inequality: np.ndarray
    equality: np.ndarray
    objective: float
    value: float


class ScaledProgram(NamedTuple):
    """The arrays of a quadratic program in its natural units."""

    P: np.ndarray
    q: np.ndarray
    G: np.ndarray | sparse.csr_array
    h: np.ndarray
    A: np.ndarray | sparse.csr_array
    b: np.ndarray


def natural_units(problem, reach=np.inf):
    """Return the units in which a quadratic program is well scaled.

    Ruiz's equilibration of the matrix [[P, Gᵀ, Aᵀ], [G, 0, 0], [A, 0, 0]] divides rows and columns by the square
    root of their largest entry until all of these are about 1. The size of x is then that of the minimiser along
    the axes, or of the bounds if q is zero.

    Parameters
    ----------
    problem : mlcore.optimize.QuadraticProgram
    reach : float
        The largest bound is at most so many units of x away: for programs whose solution lies out there.

    Returns
    -------
    Units

    Notes
    -----
    D. Ruiz, "A scaling algorithm to equilibrate both rows and columns norms in matrices", RAL-TR-2001-034.

    Examples
    --------
    >>> from mlcore.optimize import QuadraticProgram
    >>> natural_units(QuadraticProgram(P=[[1e12, 0], [0, 1]], q=[-1e6, -1])).variable
    array([1.e-06, 1.e+00])
    """
    P, G, A = np.abs(problem.P), abs(problem.G), abs(problem.A)
    size_P = P.max() or 1.0
    P /= size_P
    variable, inequality, equality = (np.ones(length) for length in (len(P), G.shape[0], A.shape[0]))
    for _ in range(ROUNDS):
        sizes = np.maximum(P.max(axis=0), np.maximum(largest(G, 0), largest(A, 0))), largest(G, 1), largest(A, 1)
        column, row, equal = (1 / np.sqrt(np.where(size > TINY, size, 1)) for size in sizes)
        if all(np.abs(np.log(factor)).max(initial=0) < 0.35 for factor in (column, row, equal)):
            break
        P, G, A = _scaled(P, column, column), _scaled(G, row, column), _scaled(A, equal, column)
        variable, inequality, equality = variable * column, inequality * row, equality * equal
    slope = np.abs(variable * problem.q)
    curvature = size_P * P.max(axis=1)
    curved = curvature > 1e-12 * curvature.max()
    minimiser = (slope[curved] / curvature[curved]).max(initial=0)
    bound = np.abs(np.concatenate([inequality * problem.h, equality * problem.b])).max(initial=0)
    size = max(minimiser or bound, bound / reach) or 1.0
    # Sizes of qᵀx and of xᵀPx: where they differ, no single factor brings both to order 1.
    values = [value for value in (size * slope.max(), size**2 * curvature.max()) if value > 0] or [1.0]
    return Units(variable * size, inequality / size, equality / size, float(1 / max(values)), float(min(values)))


def in_units(problem, units):
    """Return the quadratic program in the given units, dense where the original is dense.

    Parameters
    ----------
    problem : mlcore.optimize.QuadraticProgram
    units : Units

    Returns
    -------
    ScaledProgram
    """
    d, e, f, c, _ = units
    return ScaledProgram(
        P=c * _scaled(problem.P, d, d),
        q=c * d * problem.q,
        G=_scaled(problem.G, e, d),
        h=e * problem.h,
        A=_scaled(problem.A, f, d),
        b=f * problem.b,
    )


def largest(array, axis):
    """Return the largest absolute entry of every column (axis 0) or row (axis 1), 0 where there is none.

    Parameters
    ----------
    array : numpy.ndarray or sparse array, shape (m, n)
    axis : {0, 1}

    Returns
    -------
    numpy.ndarray, shape (n,) or (m,)
    """
    if sparse.issparse(array):
        entries, sizes = sparse.coo_array(array), np.zeros(array.shape[1 - axis])
        np.maximum.at(sizes, entries.coords[1 - axis], np.abs(entries.data))
        return sizes
    return np.abs(array).max(axis=axis, initial=0)


def _scaled(array, rows, columns):
    if sparse.issparse(array):
        scaled = sparse.csr_array(array, copy=True)
        scaled.data *= np.repeat(rows, np.diff(scaled.indptr)) * columns[scaled.indices]
        return scaled
    scaled = array * columns
    scaled *= rows[:, None]
    return scaled
