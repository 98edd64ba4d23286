"""Checks of the exercises of chapter 11. They test what makes an answer right, not one stored answer."""

import numpy as np

from mlcore.datasets import shape_bitmaps
from mlcore.exercises._verdict import right, unanswered, wrong
from mlcore.svm import kkt_gap, margin_solution
from mlcore.validation import as_array

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
    missing = unanswered(zero=zero, other=other)
    if missing is not None:
        return missing
    y = np.array(START_LABELS, dtype=float)
    try:
        points = {name: as_array(name, value, y.shape) for name, value in (("zero", zero), ("other", other))}
    except ValueError as error:
        return wrong(f"{error}.")
    for name, alpha in points.items():
        if alpha.min() < 0 or alpha.max() > C:
            return wrong(f"{name}: every multiplier must lie between 0 and C = {C:g}.")
        if abs(alpha @ y) > _ROUNDING:
            return wrong(f"{name}: Σ yᵢαᵢ must be 0, but it is {alpha @ y:.3g}.")
    if points["zero"].any():
        return wrong("zero: feasible, but not the start that the algorithm takes; it should be 0 throughout.")
    moved = int(np.count_nonzero(points["other"]))
    if moved == 0:
        return wrong("other: expected a point different from 0.")
    if moved > 2:
        return wrong(f"other: feasible, with {moved} multipliers different from 0. It can be done with fewer.")
    return right(
        "Both are feasible. One multiplier alone cannot leave 0; two of opposite labels can, by equal amounts."
    )


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
    missing = unanswered(bounds=bounds)
    if missing is not None:
        return missing
    if not callable(bounds):
        return wrong(f"bounds: expected a function of alpha1, alpha2, equal_labels and C, got {bounds!r}.")
    random = np.random.default_rng(0)
    for trial in range(200):
        C = float(random.choice([0.5, 1.0, 3.0]))
        alpha1, alpha2 = (float(a) for a in random.choice([0.0, 1.0, *random.random(3)], size=2) * C)
        equal = trial % 2 == 0
        try:
            answer = bounds(alpha1, alpha2, equal, C)
            if answer is None or (isinstance(answer, tuple) and any(end is None for end in answer)):
                return wrong("bounds returns None: fill in L and H, run that cell, then this one.")
            ends = as_array("the answer of bounds", answer, (2,))
        except (TypeError, ValueError) as error:
            return wrong(f"{error}." if isinstance(error, ValueError) else f"bounds cannot be called: {error}.")
        case = f"labels {'equal' if equal else 'opposite'}, α = ({alpha1:.3g}, {alpha2:.3g}), C = {C:g}"
        verdict = _judge_ends(ends, alpha1, alpha2, 1 if equal else -1, C, case)
        if verdict is not None:
            return verdict
    return right("L and H are the ends of the line inside the box, for both cases of the labels, on 200 random pairs.")


def _judge_ends(ends, alpha1, alpha2, product, C, case):
    """Return what is wrong with (L, H), or None: both ends are in the box, and a little beyond them is not."""

    def outside(value):
        partner = alpha1 + product * (alpha2 - value)
        return max(-value, value - C, -partner, partner - C)

    L, H = ends
    if L > H + _ROUNDING:
        return wrong(f"{case}: L = {L:.3g} is above H = {H:.3g}.")
    for name, end, beyond in (("L", L, -1), ("H", H, 1)):
        if outside(end) > _ROUNDING:
            return wrong(f"{case}: with α₂ = {name} = {end:.3g} the pair leaves the box.")
        if outside(end + beyond * 1e-3) <= _ROUNDING:
            return wrong(f"{case}: {name} = {end:.3g}, but α₂ could go further and both would stay in the box.")
    return None


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
    missing = unanswered(alpha1=alpha1, alpha2=alpha2)
    if missing is not None:
        return missing
    try:
        new1, new2 = (float(as_array(*item, ())) for item in (("alpha1", alpha1), ("alpha2", alpha2)))
    except ValueError as error:
        return wrong(f"{error}.")
    C, product = PAIR["C"], PAIR["y1"] * PAIR["y2"]
    change1, change2 = new1 - PAIR["alpha1"], new2 - PAIR["alpha2"]
    if abs(change1 + product * change2) > 1e-4:
        return wrong(
            f"The point ({new1:.4g}, {new2:.4g}) is not on the line: y₁α₁ + y₂α₂ was "
            f"{PAIR['y1'] * PAIR['alpha1'] + PAIR['y2'] * PAIR['alpha2']:.4g} and is now "
            f"{PAIR['y1'] * new1 + PAIR['y2'] * new2:.4g}."
        )
    if not -1e-9 <= min(new1, new2) <= max(new1, new2) <= C + 1e-9:
        return wrong(f"On the line, but outside the box: both must lie between 0 and C = {C:g}. Clip.")
    slope = PAIR["y2"] * (PAIR["E1"] - PAIR["E2"])
    curvature = PAIR["K11"] + PAIR["K22"] - 2 * PAIR["K12"]
    slope_here = slope - curvature * change2
    uphill = np.sign(slope_here) if abs(slope_here) > 1e-4 * abs(slope) else 0
    further = new2 + 1e-3 * uphill
    partner = new1 - product * 1e-3 * uphill
    if uphill and 0 <= further <= C and 0 <= partner <= C:
        return wrong(
            f"On the line and in the box, but W still grows when α₂ gets {'larger' if uphill > 0 else 'smaller'} "
            f"(its slope along the line is {slope_here:.3g})."
        )
    gain = slope * change2 - curvature * change2**2 / 2
    return right(f"No point of the line in the box does better: W has gained {gain:.4g}.")


def check_bitmap_machine(alpha, b):
    """Check a machine for the bitmaps of ES p. 77, ``shape_bitmaps(**BITMAPS)``, with C = 1 and the linear kernel.

    Parameters
    ----------
    alpha : array_like of shape (40,)
    b : float

    Returns
    -------
    Verdict
    """
    missing = unanswered(alpha=alpha, b=b)
    if missing is not None:
        return missing
    X, y = shape_bitmaps(**BITMAPS)
    try:
        alpha, b = as_array("alpha", alpha, y.shape), float(as_array("b", b, ()))
    except ValueError as error:
        return wrong(f"{error}.")
    if alpha.min() < -_ROUNDING or alpha.max() > 1 + _ROUNDING:
        return wrong("alpha: every multiplier must lie between 0 and C = 1.")
    if abs(alpha @ y) > _ROUNDING:
        return wrong(f"alpha: Σ yᵢαᵢ must be 0, but it is {alpha @ y:.3g}.")
    K = X @ X.T
    F = K @ (alpha * y) - y
    gap = kkt_gap(F, alpha, y, 1.0)
    if gap > 0.02:
        return wrong(f"Feasible, but the KKT gap is {gap:.3g}: go on until it is below 0.02.")
    best = margin_solution(alpha, K, y, 1.0).b
    if abs(b - best) > 0.02:
        return wrong(f"The multipliers are right, but b = {b:.3g} violates the conditions at the free support vectors.")
    fresh, truth = shape_bitmaps(n=1000, noise=BITMAPS["noise"], seed=BITMAPS["seed"] + 1)
    accuracy = float((np.where(fresh @ (X.T @ (alpha * y)) + b > 0, 1, -1) == truth).mean())
    return right(f"KKT gap below 0.02; {100 * accuracy:.1f} % of 1000 fresh bitmaps are told apart.")
