"""Checks of the exercises of chapter 11. They test what makes an answer right, not one stored answer."""

import numpy as np

from mlcore.datasets import shape_bitmaps
from mlcore.exercises._answers import array, function, number
from mlcore.exercises._verdict import check, refuse
from mlcore.svm import kkt_gap, margin_solution

__all__ = [
    "BITMAPS",
    "PAIR",
    "START_LABELS",
    "check_bitmap_machine",
    "check_bounds",
    "check_pair",
    "check_starting_points",
]

START_LABELS = (1, 1, 1, -1, -1)
PAIR = dict(alpha1=0.5, alpha2=0.25, y1=1, y2=-1, E1=-1.25, E2=1.5, K11=2.0, K22=1.0, K12=0.5, C=1.0)
BITMAPS = dict(n=40, noise=0.25, seed=7)
_ROUNDING = 1e-6
_AT_BOUND = 1e-4


@check
def check_starting_points(zero, other, C=1.0):
    """Check two feasible starting points of the dual for the labels +, +, +, −, − (ES p. 68).

    Parameters
    ----------
    zero : array_like of shape (5,)
        The start of sequential minimal optimisation: all multipliers 0.
    other : array_like of shape (5,)
        A feasible point with as few multipliers different from 0 as possible, but not 0 itself.
    C : float

    Returns
    -------
    Verdict
    """
    y = np.array(START_LABELS, dtype=float)
    points = {name: array(name, value, y.shape) for name, value in (("zero", zero), ("other", other))}
    for name, alpha in points.items():
        if alpha.min() < 0 or alpha.max() > C:
            refuse(f"{name}: every multiplier must lie between 0 and C = {C:g}.")
        if abs(alpha @ y) > _ROUNDING * alpha.max():  # relative: no multiplier is too small to count
            refuse(f"{name}: Σ yᵢαᵢ must be 0, but it is {alpha @ y:.3g}.")
    if points["zero"].any():
        refuse("zero: feasible, but not the start that the algorithm takes; it should be 0 throughout.")
    moved = int(np.count_nonzero(points["other"]))
    if moved == 0:
        refuse("other: expected a point different from 0.")
    if moved > 2:
        refuse(f"other: feasible, with {moved} multipliers different from 0. It can be done with fewer.")
    return "Both are feasible. One multiplier alone cannot leave 0; two of opposite labels can, by equal amounts."


@check
def check_bounds(bounds):
    """Check a function for L and H (ES p. 74, equations (20) and (21)), on random pairs.

    Parameters
    ----------
    bounds : callable
        ``bounds(alpha1, alpha2, equal_labels, C)`` returns (L, H).

    Returns
    -------
    Verdict
    """
    ask = function("bounds", bounds, "alpha1, alpha2, equal_labels and C")
    random = np.random.default_rng(0)
    for trial in range(200):
        C = float(random.choice([0.5, 1.0, 3.0]))
        alpha1, alpha2 = (float(a) for a in random.choice([0.0, 1.0, *random.random(3)], size=2) * C)
        equal = trial % 2 == 0
        ends = array("(L, H)", ask(alpha1, alpha2, equal, C), (2,))
        case = f"labels {'equal' if equal else 'opposite'}, α = ({alpha1:.3g}, {alpha2:.3g}), C = {C:g}"
        _require_ends(ends, alpha1, alpha2, 1 if equal else -1, C, case)
    return "L and H are the ends of the line inside the box, for both cases of the labels, on 200 random pairs."


def _require_ends(ends, alpha1, alpha2, product, C, case):
    """End the check unless both ends are in the box, and a little beyond them is not."""

    def outside(value):
        partner = alpha1 + product * (alpha2 - value)
        return max(-value, value - C, -partner, partner - C)

    L, H = ends
    if L > H + _ROUNDING:
        refuse(f"{case}: L = {L:.3g} is above H = {H:.3g}.")
    for name, end, beyond in (("L", L, -1), ("H", H, 1)):
        if outside(end) > _ROUNDING:
            refuse(f"{case}: with α₂ = {name} = {end:.3g} the pair leaves the box by {outside(end):.3g}.")
        if outside(end + beyond * 1e-5) <= _ROUNDING:
            refuse(f"{case}: {name} = {end:.3g}, but α₂ could go further and both would stay in the box.")


@check
def check_pair(alpha1, alpha2):
    """Check one pair update, computed by hand for the numbers in `PAIR`.

    Parameters
    ----------
    alpha1, alpha2 : float
        New multipliers.

    Returns
    -------
    Verdict
    """
    new1, new2 = number("alpha1", alpha1), number("alpha2", alpha2)
    C, product = PAIR["C"], PAIR["y1"] * PAIR["y2"]
    change1, change2 = new1 - PAIR["alpha1"], new2 - PAIR["alpha2"]
    if abs(change1 + product * change2) > 1e-3:
        refuse(
            f"The point ({new1:.4g}, {new2:.4g}) is not on the line: y₁α₁ + y₂α₂ was "
            f"{PAIR['y1'] * PAIR['alpha1'] + PAIR['y2'] * PAIR['alpha2']:.4g} and is now "
            f"{PAIR['y1'] * new1 + PAIR['y2'] * new2:.4g}."
        )
    if not -1e-9 <= min(new1, new2) <= max(new1, new2) <= C + 1e-9:
        refuse(f"On the line, but outside the box: both must lie between 0 and C = {C:g}. Clip.")
    slope = PAIR["y2"] * (PAIR["E1"] - PAIR["E2"])
    curvature = PAIR["K11"] + PAIR["K22"] - 2 * PAIR["K12"]
    slope_here = slope - curvature * change2
    uphill = np.sign(slope_here) if abs(slope_here) > 1e-3 * abs(slope) else 0
    further = new2 + 1e-3 * uphill
    partner = new1 - product * 1e-3 * uphill
    if uphill and 0 <= further <= C and 0 <= partner <= C:
        refuse(
            f"On the line and in the box, but W still grows when α₂ gets {'larger' if uphill > 0 else 'smaller'} "
            f"(its slope along the line is {slope_here:.3g})."
        )
    gain = slope * change2 - curvature * change2**2 / 2
    return f"No point of the line in the box does better: W has gained {gain:.4g}."


@check
def check_bitmap_machine(alpha, b):
    """Check a machine for the bitmaps of ES p. 77, ``shape_bitmaps(**BITMAPS)``, with C = 1 and the linear kernel.

    Parameters
    ----------
    alpha : array_like of shape (40,)
        As a solver returns them: what is within 1e-4 of a bound counts as being there.
    b : float

    Returns
    -------
    Verdict
    """
    X, y = shape_bitmaps(**BITMAPS)
    alpha, b = array("alpha", alpha, y.shape), number("b", b)
    if alpha.min() < -_AT_BOUND or alpha.max() > 1 + _AT_BOUND:
        refuse("alpha: every multiplier must lie between 0 and C = 1.")
    if abs(alpha @ y) > _AT_BOUND:
        refuse(f"alpha: Σ yᵢαᵢ must be 0, but it is {alpha @ y:.3g}.")
    alpha = np.where(alpha < _AT_BOUND, 0.0, np.where(alpha > 1 - _AT_BOUND, 1.0, alpha))
    K = X @ X.T
    gap = kkt_gap(K @ (alpha * y) - y, alpha, y, 1.0)
    if gap > 0.02:
        refuse(f"Feasible, but the KKT gap is {gap:.3g}: go on until it is below 0.02.")
    best = margin_solution(alpha, K, y, 1.0).b
    if abs(b - best) > 0.02:
        refuse(f"The multipliers are right, but b = {b:.3g} violates the conditions at the free support vectors.")
    fresh, truth = shape_bitmaps(n=1000, noise=BITMAPS["noise"], seed=BITMAPS["seed"] + 1)
    accuracy = float((np.where(fresh @ (X.T @ (alpha * y)) + b > 0, 1, -1) == truth).mean())
    return f"KKT gap below 0.02; {100 * accuracy:.1f} % of 1000 fresh bitmaps are told apart."
