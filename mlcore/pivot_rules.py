"""Which variable enters the basis and which one leaves it.

An entering rule is a function ``rule(prices, tolerance, unit, equations, constants)`` that returns a column, or
None when no variable improves the objective. `prices` holds what one unit of each variable would add to the
objective; only prices above `tolerance` count. Where the tableau is scaled, the variables have units of size
`unit` (None: all the same), and Dantzig's rule compares the prices in the problem's own units.
"""

import numpy as np

__all__ = ["RULES", "bland", "dantzig", "largest_increase", "leaving_row"]

PIVOT_TOLERANCE = 1e-9  # Smaller entries of a column count as 0: dividing by them would magnify rounding errors.
_TIE = 1e-12  # Ratios that agree to this relative accuracy are equal.
_TINY_PIVOT = 1e-6  # Among tied rows, a pivot below this fraction of the largest one is not used.


def dantzig(prices, tolerance, unit, equations, constants):
    if unit is not None:
        entering = int((prices / unit).argmax())
        if prices[entering] > tolerance:
            return entering
    entering = int(prices.argmax())
    return entering if prices[entering] > tolerance else None


def bland(prices, tolerance, unit, equations, constants):
    improving = (prices > tolerance).nonzero()[0]
    return int(improving[0]) if improving.size else None


def largest_increase(prices, tolerance, unit, equations, constants):
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
    """Return the row of the smallest ratio, all rows that tie with it, and the ratio (ES p. 143)."""
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
    order = np.where(order >= enterable, order - basis.max() - 1, order)  # artificial variables first
    return candidates[order.argmin()], tied, smallest
