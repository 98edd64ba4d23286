"""Which variable enters the basis of the simplex method and which one leaves it.

An entering rule is a function ``rule(prices, tolerance, unit, equations, constants)`` that returns a column, or
None when no variable improves the objective. `prices` holds what one unit of each variable would add to the
objective; only prices above `tolerance` count. Where the tableau is scaled, the variables have units of size
`unit` (None: all the same), and Dantzig's rule compares the prices in the problem's own units.
"""

import numpy as np

__all__ = ["PIVOT_TOLERANCE", "RULES", "bland", "dantzig", "largest_increase", "leaving_row"]

PIVOT_TOLERANCE = 1e-9  # Smaller entries of a column count as 0: dividing by them would magnify rounding errors.
_TIE = 1e-12  # Ratios that agree to this relative accuracy are equal.
_EQUAL = 1e-9  # Prices that agree to this relative accuracy are equal: the first variable enters.
_TINY_PIVOT = 1e-6  # Among tied rows, a pivot below this fraction of the largest one is not used.


def dantzig(prices, tolerance, unit, equations, constants):
    """Return the variable with the largest price (G. B. Dantzig, 1947)."""
    if unit is not None:
        entering = _first_of_largest(prices / unit)
        if prices[entering] > tolerance:
            return entering
    entering = _first_of_largest(prices)
    return entering if prices[entering] > tolerance else None


def bland(prices, tolerance, unit, equations, constants):
    """Return the first variable that improves: with the lowest index leaving, it cannot cycle (R. G. Bland, 1977)."""
    improving = (prices > tolerance).nonzero()[0]
    return int(improving[0]) if improving.size else None


def largest_increase(prices, tolerance, unit, equations, constants):
    """Return the variable whose pivot improves the objective most: price times smallest ratio."""
    improving = (prices > tolerance).nonzero()[0]
    if not improving.size:
        return None
    candidates = equations[:, improving]
    ratios = np.full_like(candidates, np.inf)
    np.divide(constants[:, None], candidates, out=ratios, where=candidates > PIVOT_TOLERANCE)
    increase = prices[improving] * ratios.min(axis=0, initial=np.inf)
    if increase.max() <= 0:
        return dantzig(prices, tolerance, unit, equations, constants)
    return int(improving[_first_of_largest(increase)])


def _first_of_largest(values):
    """Return the first position of the largest value; rounding does not choose between equal ones."""
    return int((values >= (1 - _EQUAL) * values.max()).argmax())


RULES = {"dantzig": dantzig, "bland": bland, "largest_increase": largest_increase}


def leaving_row(column, constants, basis, enterable):
    """Find the equation that stops the entering variable first (ES p. 143).

    ES states the test without ties. Of the rows that tie, one leaves and the others stay basic with value 0: the
    next vertex is degenerate (several bases for one point), and a later step may not move at all.

    Parameters
    ----------
    column : numpy.ndarray of shape (m,)
        The entering variable's coefficients.
    constants : numpy.ndarray of shape (m,)
        Right-hand sides.
    basis : numpy.ndarray of shape (m,)
        Column each equation is solved for.
    enterable : int
        Columns from here on are artificial; they leave first.

    Returns
    -------
    row : int or None
        None if nothing stops the variable.
    tied : numpy.ndarray of int
        All rows with the smallest ratio.
    ratio : float
        The smallest ratio: the value of the entering variable after the pivot.

    Examples
    --------
    >>> leaving_row(np.array([0.0, 1.0, 2.0]), np.array([120.0, 70.0, 180.0]), np.array([2, 3, 4]), 5)
    (np.int64(1), array([1]), np.float64(70.0))
    """
    falling = (column > PIVOT_TOLERANCE).nonzero()[0]
    if not falling.size:
        return None, falling, np.inf
    ratios = constants[falling] / column[falling]
    smallest = ratios[ratios.argmin()]
    tied = falling[ratios <= smallest + _TIE * abs(smallest)]
    if tied.size == 1:
        return tied[0], tied, smallest
    pivots = column[tied]
    candidates = tied[pivots >= _TINY_PIVOT * pivots.max()]
    order = basis[candidates]
    order = np.where(order >= enterable, order - order.max() - 1, order)
    return candidates[order.argmin()], tied, smallest
