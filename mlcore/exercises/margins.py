"""Checks of the exercises of chapter 7. They test what makes an answer right, not one stored answer."""

import numpy as np
from scipy.optimize import nnls

from mlcore.datasets import five_points, four_points, two_points_3d
from mlcore.exercises._verdict import right, unanswered, wrong
from mlcore.validation import as_array

__all__ = ["check_five_points", "check_plane_in_space", "check_widest_street", "is_widest_street"]


def is_widest_street(w, b, X, y, tolerance=1e-4):
    """Judge whether w·x + b = 0 is the widest hard street in canonical form, by the conditions that define it.

    Every point must keep its distance, yᵢ(w·xᵢ + b) ≥ 1, and w must be a mixture Σ αᵢyᵢxᵢ with αᵢ ≥ 0 and
    Σ αᵢyᵢ = 0 of points that touch the street: then no other line does better.

    Parameters
    ----------
    w : array_like of shape (d,)
    b : float
    X : array_like of shape (n, d)
    y : array_like of shape (n,)
        +1 and −1.
    tolerance : float
        Rounding that is forgiven.

    Returns
    -------
    Verdict

    Examples
    --------
    >>> X, y = four_points()
    >>> is_widest_street([-2, 2], 0, X, y)
    Not yet. No point touches the street: the smallest y(w·x + b) is 2, not 1. Scale w and b down together.
    """
    X, y = as_array("X", X, ("n", "d")), as_array("y", y, ("n",))
    try:
        w, b = as_array("w", w, (X.shape[1],)), float(as_array("b", b, ()))
    except ValueError as error:
        return wrong(f"{error}.")
    margins = y * (X @ w + b)
    worst = int(margins.argmin())
    if margins[worst] < 1 - tolerance:
        place = ", ".join(f"{value:g}" for value in X[worst])
        return wrong(f"The point ({place}) has y(w·x + b) = {margins[worst]:.3g}, but every point needs at least 1.")
    if margins[worst] > 1 + tolerance:
        return wrong(
            f"No point touches the street: the smallest y(w·x + b) is {margins[worst]:.3g}, not 1. Scale w and b down "
            "together."
        )
    touching = margins < 1 + 10 * tolerance
    mixture = np.vstack([(y[:, None] * X)[touching].T, y[touching]])
    _, distance = nnls(mixture, np.append(w, 0.0))
    if distance > 10 * tolerance * max(1.0, float(np.linalg.norm(w))):
        return wrong(
            f"This line separates, with a street {2 / np.linalg.norm(w):.4g} wide, but it can be turned or "
            "shifted to make the street wider."
        )
    return right(f"The street is {2 / np.linalg.norm(w):.4g} wide, and no line has a wider one.")


def check_widest_street(w, b):
    """Check the line for the four points of ES p. 31.

    Parameters
    ----------
    w : array_like of shape (2,)
    b : float

    Returns
    -------
    Verdict
    """
    missing = unanswered(w=w, b=b)
    return missing if missing is not None else is_widest_street(w, b, *four_points())


def check_five_points(separable_plus, separable_minus, weights=None):
    """Check what ES p. 32–33 asks about the fifth point, and the reader's proof that no line exists.

    Parameters
    ----------
    separable_plus, separable_minus : bool
        Whether a line separates the five points when the fifth is labelled + or −.
    weights : array_like of shape (5,)
        For the inseparable case: weights of the points, not negative, that make the same point out of the
        positive and out of the negative points (each class sums to 1).

    Returns
    -------
    Verdict
    """
    missing = unanswered(separable_plus=separable_plus, separable_minus=separable_minus, weights=weights)
    if missing is not None:
        return missing
    if not separable_plus:
        return wrong("Labelled +, the fifth point lies far on the positive side of the street of the other four.")
    if separable_minus:
        return wrong("Labelled −, draw the triangle of the negative points: is a positive point in it?")
    X, y = five_points(label=-1)
    try:
        u = as_array("weights", weights, (5,))
    except ValueError as error:
        return wrong(f"{error}.")
    if (u < -1e-9).any():
        return wrong(f"weights: none may be negative, got {u.min():.3g}.")
    totals = [float(u[y == side].sum()) for side in (1, -1)]
    if not np.allclose(totals, 1, atol=1e-6):
        return wrong(f"weights: those of each class must sum to 1, got {totals[0]:.3g} (+) and {totals[1]:.3g} (−).")
    first, second = (u[y == side] @ X[y == side] for side in (1, -1))
    if not np.allclose(first, second, atol=1e-6):
        return wrong(
            f"The positive points mix to ({first[0]:.3g}, {first[1]:.3g}), the negative ones to "
            f"({second[0]:.3g}, {second[1]:.3g}): a proof needs the same point."
        )
    return right(
        f"The point ({first[0]:.3g}, {first[1]:.3g}) is a mixture of both classes: no line has it on both of its sides."
    )


def check_plane_in_space(w, b):
    """Check the plane between (0, 0, 0) and (1, 1, 1) of ES p. 35; either point may be the positive one.

    Parameters
    ----------
    w : array_like of shape (3,)
    b : float

    Returns
    -------
    Verdict
    """
    missing = unanswered(w=w, b=b)
    if missing is not None:
        return missing
    X, y = two_points_3d()
    first, flipped = is_widest_street(w, b, X, y), is_widest_street(w, b, X, -y)
    return flipped if flipped.passed else first
