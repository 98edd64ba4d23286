"""One step of sequential minimal optimisation: two multipliers move, all others stay.

Conventions as in `mlcore.svm._smo`; η and the bounds L, H are those of ES p. 69 to 75.
"""

from typing import NamedTuple

from mlcore.validation import as_array, as_positive

__all__ = ["ROUNDING", "PairUpdate", "move_pair", "pair_update"]

ROUNDING = 1e-12  # share of two multipliers, or of C, that a sum or difference of them may miss by rounding


class PairUpdate(NamedTuple):
    """A pair of multipliers before and after clipping.

    Attributes
    ----------
    L, H : float
        Least and greatest α₂ for which α₁ and α₂ are both in [0, C].
    curvature : float
        η, how fast the slope of W falls along the line.
    unclipped : float
        Maximiser α₂ on the whole line; −∞ or ∞, on the side of the better end, if η ≤ 0.
    alpha1, alpha2 : float
        New values; alpha2 is `unclipped` clipped to [L, H].
    b : float
        New threshold.
    """

    L: float
    H: float
    curvature: float
    unclipped: float
    alpha1: float
    alpha2: float
    b: float


def pair_update(*, alpha1, alpha2, y1, y2, E1, E2, K11, K22, K12, C, b=0.0):
    """Maximise the dual objective over two multipliers, and move the threshold along.

    Parameters
    ----------
    alpha1, alpha2 : float
        Old values, in [0, C].
    y1, y2 : float
        Labels, +1 or −1.
    E1, E2 : float
        Errors f(x₁) − y₁ and f(x₂) − y₂ with the old multipliers and the threshold `b`.
    K11, K22, K12 : float
        Kernel values of the pair.
    C : float
        Upper bound of the multipliers, finite.
    b : float
        Old threshold.

    Returns
    -------
    PairUpdate

    Raises
    ------
    ValueError
        A value that is not finite, a label other than ±1, a multiplier outside [0, C], or C ≤ 0.

    Notes
    -----
    ES p. 72–76, equations (19) to (26); in (25) and (26) the last term is subtracted, not added as printed.
    The threshold gives a multiplier strictly between 0 and C the margin 1; if both are at a bound, any value
    between the two candidates is admissible and the middle is taken. With η ≤ 0, as for a point paired with
    its copy, W has no maximum inside the segment and the better end is taken.

    Examples
    --------
    Two points at x = −1 and x = 1, linear kernel, from α = 0 and b = 0:

    >>> step = pair_update(alpha1=0, alpha2=0, y1=-1, y2=1, E1=1, E2=-1, K11=1, K22=1, K12=-1, C=10)
    >>> step.L, step.H, step.alpha1, step.alpha2, step.b
    (0.0, 10.0, 0.5, 0.5, 0.0)
    """
    names = ("alpha1", "alpha2", "y1", "y2", "E1", "E2", "K11", "K22", "K12", "b")
    values = (alpha1, alpha2, y1, y2, E1, E2, K11, K22, K12, b)
    alpha1, alpha2, y1, y2, E1, E2, K11, K22, K12, b = (
        float(as_array(name, value, ())) for name, value in zip(names, values)
    )
    C = as_positive("C", C)
    for name, y in (("y1", y1), ("y2", y2)):
        if y not in (-1, 1):
            raise ValueError(f"{name}: expected +1 or -1, got {y:g}")
    for name, alpha in (("alpha1", alpha1), ("alpha2", alpha2)):
        if not 0 <= alpha <= C:
            raise ValueError(f"{name}: expected a value between 0 and C = {C:g}, got {alpha:g}")
    return move_pair(alpha1, alpha2, y1, y2, E1, E2, K11, K22, K12, C, b)


def move_pair(alpha1, alpha2, y1, y2, E1, E2, K11, K22, K12, C, b):
    """Do the work of `pair_update`, which documents it, on floats that need no checks."""
    if y1 != y2:
        L, H = max(0.0, alpha2 - alpha1), min(C, alpha2 + (C - alpha1))
    else:
        L, H = max(0.0, alpha2 - (C - alpha1)), min(C, alpha1 + alpha2)
    least, greatest = ROUNDING * (alpha1 + alpha2), (1 - ROUNDING) * C  # what is this near a bound is meant to be there
    L, H = 0.0 if least > L else L, C if greatest < H else H

    slope, curvature = y2 * (E1 - E2), K11 + K22 - 2 * K12
    if curvature > 0:
        unclipped = alpha2 + slope / curvature
    else:
        gain_at_L = (L - alpha2) * (slope - curvature * (L - alpha2) / 2)
        gain_at_H = (H - alpha2) * (slope - curvature * (H - alpha2) / 2)
        unclipped = float("-inf") if gain_at_L > gain_at_H else float("inf")
    new2 = min(max(unclipped, L), H)

    if (new2 == L and L > 0) or (new2 == H and H < C):  # α₁ is at a bound: exactly, not up to rounding
        new1 = 0.0 if alpha1 + y1 * y2 * (alpha2 - new2) < C / 2 else C
    else:
        new1 = min(max(alpha1 + y1 * y2 * (alpha2 - new2), 0.0), C)
    new1 = 0.0 if new1 < least else C if new1 > greatest else new1
    new2 = 0.0 if new2 < least else C if new2 > greatest else new2

    change1, change2 = y1 * (new1 - alpha1), y2 * (new2 - alpha2)
    b1 = b - E1 - change1 * K11 - change2 * K12
    b2 = b - E2 - change1 * K12 - change2 * K22
    if 0 < new1 < C:
        b = b1
    elif 0 < new2 < C:
        b = b2
    else:
        b = (b1 + b2) / 2
    return PairUpdate(L, H, curvature, unclipped, new1, new2, b)
