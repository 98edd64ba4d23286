"""Which variable enters the basis of the simplex method and which one leaves it.

An entering rule is a function ``rule(prices, tolerance, unit, equations, constants)`` that returns a column, or
None when no variable improves the objective. `prices` holds what one unit of each variable would add to the
objective; only prices above `tolerance` count. Where the tableau is scaled, the variables have units of size
`unit` (None: all the same), and Dantzig's rule compares the prices in the problem's own units.
"""

import numpy as np

PIVOT_TOLERANCE = 1e-9  # Smaller entries of a column count as 0: dividing by them would magnify rounding errors.
_TIE = 1e-12  # Ratios that agree to this relative accuracy are equal.
_TINY_PIVOT = 1e-6  # Among tied rows, a pivot below this fraction of the largest one is not used.
_SLIP = 1e-9  # If all tied pivots are tiny, rows tie that let no right-hand side fall further below 0 than this.


def dantzig(prices, tolerance, unit, equations, constants):
    """Return the variable with the largest price (G. B. Dantzig, 1947)."""
    if unit is not None:
        entering = int((prices / unit).argmax())
        if prices[entering] > tolerance:
            return entering
    entering = int(prices.argmax())
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
    return int(improving[increase.argmax()])


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
    tied : list of int
        All rows with the smallest ratio.
    ratio : float
        The smallest ratio: the value of the entering variable after the pivot.

    Examples
    --------
    >>> leaving_row(np.array([0.0, 1.0, 2.0]), np.array([120.0, 70.0, 180.0]), np.array([2, 3, 4]), 5)
    (1, [1], 70.0)
    """
    # Plain numbers: for the few rows of a textbook a call of NumPy costs more than the loop.
    pivots = column.tolist()
    least = PIVOT_TOLERANCE * min(1.0, max(map(abs, pivots), default=0.0))
    falling = [
        (constant / pivot, pivot, constant, row)
        for row, (pivot, constant) in enumerate(zip(pivots, constants.tolist()))
        if pivot > least
    ]
    if not falling:
        return None, [], np.inf
    smallest = min(falling)[0]
    limit = smallest + _TIE * abs(smallest)
    tied = [entry for entry in falling if entry[0] <= limit]
    if len(tied) == 1 and tied[0][1] > _TINY_PIVOT:
        return tied[0][3], [tied[0][3]], smallest
    largest = max(pivot for _, pivot, _, _ in tied)
    if largest <= _TINY_PIVOT:  # P. M. J. Harris, 1973
        limit = min((constant + _SLIP) / pivot for _, pivot, constant, _ in falling)
        tied = [entry for entry in falling if entry[0] <= limit]
        largest = max(pivot for _, pivot, _, _ in tied)
    candidates = [
        (basis[row] < enterable, basis[row], row) for _, pivot, _, row in tied if pivot >= _TINY_PIVOT * largest
    ]
    return min(candidates)[2], [row for _, _, _, row in tied], smallest
