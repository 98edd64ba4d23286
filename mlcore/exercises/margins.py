"""Checks of the exercises of chapter 7. They test what makes an answer right, not one stored answer."""

import numpy as np

from mlcore.datasets import five_points, four_points, two_points_3d
from mlcore.exercises._answers import agree, array, number, truth
from mlcore.exercises._verdict import Refusal, check, refuse
from mlcore.exercises.linear_programs import mixed_point
from mlcore.svm import solve_primal

__all__ = ["check_five_points", "check_plane_in_space", "check_widest_street", "widest_street"]


def widest_street(w, b, X, y):
    """Return w and b as arrays if they are the widest hard street in canonical form, or end the check.

    The street is unique, so that w and b are compared with it; what is said of another one is what it breaks: a
    point that does not keep its distance, yᵢ(w·xᵢ + b) ≥ 1, a street that no point touches, or one that can grow.

    Parameters
    ----------
    w : array_like of shape (d,)
    b : float
    X : numpy.ndarray of shape (n, d)
    y : numpy.ndarray of shape (n,)
        +1 and −1.

    Returns
    -------
    w : numpy.ndarray of shape (d,)
    b : float
    """
    w, b = array("w", w, (X.shape[1],)), number("b", b)
    best = solve_primal(X, y, np.inf)
    try:
        agree("w and b", np.append(w, b), np.append(best.w, best.b))
    except Refusal as refusal:
        margins = y * (X @ w + b)
        worst = int(margins.argmin())
        place = ", ".join(f"{value:.4g}" for value in X[worst])
        if refusal.verdict.kind == "Nearly":
            raise
        if margins[worst] < 1 - 1e-6:
            refuse(f"The point ({place}) has y(w·x + b) = {margins[worst]:.6g}, but every point needs at least 1.")
        if margins[worst] > 1 + 1e-6:
            refuse(
                f"No point touches the street: the smallest y(w·x + b) is {margins[worst]:.6g}, not 1. Scale w and b "
                "down together."
            )
        refuse(
            f"This line separates, with a street {2 / np.linalg.norm(w):.4g} wide, but it can be turned or "
            "shifted to make the street wider."
        )
    return w, b


def _told(w):
    return f"The street is {2 / np.linalg.norm(w):.4g} wide, and no line has a wider one."


@check
def check_widest_street(w, b):
    """Check the line for the four points of ES p. 31.

    Parameters
    ----------
    w : array_like of shape (2,)
    b : float

    Returns
    -------
    Verdict

    Examples
    --------
    >>> check_widest_street([-2, 2], 0)
    Wrong. No point touches the street: the smallest y(w·x + b) is 2, not 1. Scale w and b down together.
    """
    return _told(widest_street(w, b, *four_points())[0])


@check
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
    if not truth("separable_plus", separable_plus):
        refuse("Labelled +, the fifth point lies far on the positive side of the street of the other four.")
    if truth("separable_minus", separable_minus):
        refuse("Labelled −, draw the triangle of the negative points: is a positive point in it?")
    point = mixed_point("weights", weights, *five_points(label=-1))
    return (
        f"The point ({point[0]:.3g}, {point[1]:.3g}) is a mixture of both classes: no line has it on both of its sides."
    )


@check
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
    X, y = two_points_3d()
    rises = array("w", w, (3,)).sum() > 0
    return _told(widest_street(w, b, X, y if (X[y > 0].sum() > X[y < 0].sum()) == rises else -y)[0])
