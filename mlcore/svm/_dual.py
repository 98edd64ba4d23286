"""The dual problem of the support vector machine: its feasible points, and how far one is from the optimum.

Conventions::

    maximise   Σ yᵢαᵢtᵢ − ½ αᵀQα   subject to  0 ≤ αᵢ ≤ C,  yᵀα = 0,     Qᵢⱼ = yᵢyⱼKᵢⱼ
    errors     Fᵢ = Σ yⱼαⱼKᵢⱼ − tᵢ, without the threshold;  Eᵢ = f(xᵢ) − tᵢ = Fᵢ + b
    up         yᵢαᵢ may grow:    optimal only if Eᵢ ≥ 0
    low        yᵢαᵢ may shrink:  optimal only if Eᵢ ≤ 0

Some b meets all these conditions if and only if no point of `low` has a larger F than a point of `up`; by how much
one has is the Karush-Kuhn-Tucker gap (Keerthi et al. 2001).

The targets t of a classifier are its labels y, and Σ yᵢαᵢtᵢ = Σ αᵢ. Support vector regression has the same dual in
2n variables: each point once with y = +1, t = (its value) − ε and once with y = −1, t = (its value) + ε.
"""

import numpy as np

from mlcore.optimize import Certificate, KKTResiduals
from mlcore.validation import as_array

__all__ = ["certify", "feasible_point", "kkt_gap", "movable", "signs", "threshold"]

ROUNDING = 1e-9  # a multiplier below 0 by less than this share of C is 0, and such a share of imbalance is none


def signs(y, n):
    """Return the labels as floats, or say what is wrong with them.

    Parameters
    ----------
    y : array_like of shape (n,)
    n : int

    Raises
    ------
    ValueError
        Another shape, labels other than +1 and −1, or one class only.

    Examples
    --------
    >>> signs([1, 1], 2)
    Traceback (most recent call last):
        ...
    ValueError: y: expected labels +1 and -1, both present, got [1.0]
    """
    y = as_array("y", y, (n,))
    positive, negative = y == 1, y == -1
    if not (positive.any() and negative.any() and (positive | negative).all()):
        raise ValueError(f"y: expected labels +1 and -1, both present, got {np.unique(y)[:5].tolist()}")
    return y


def feasible_point(alpha, y, C):
    """Return multipliers, such as those of a problem with another C, made feasible.

    If one is above C, all are scaled down: that keeps Σ yᵢαᵢ = 0, and at the bound what was at the bound. If
    Σ yᵢαᵢ ≠ 0 all the same, those of the class with the larger sum are scaled down.

    Parameters
    ----------
    alpha : array_like of shape (n,)
    y : numpy.ndarray of shape (n,)
        Labels +1 and −1.
    C : float

    Raises
    ------
    ValueError
        Another shape, entries that are not finite, or negative ones (beyond rounding).

    Examples
    --------
    >>> feasible_point([3, 1, 2], np.array([1.0, -1.0, -1.0]), C=1.5)
    array([1.5, 0.5, 1. ])
    """
    alpha = as_array("alpha", alpha, y.shape)
    if alpha.min() < -ROUNDING * C:
        raise ValueError(f"alpha: expected multipliers of at least 0, got {alpha.min():.3g}")
    alpha = np.maximum(alpha, 0.0)
    if alpha.max() > C:
        alpha = alpha / alpha.max() * C
    positive, negative = alpha[y > 0].sum(), alpha[y < 0].sum()
    if positive - negative > ROUNDING * positive:
        alpha[y > 0] *= negative / positive
    elif negative - positive > ROUNDING * negative:
        alpha[y < 0] *= positive / negative
    return alpha


def movable(alpha, y, C):
    """Tell which yᵢαᵢ may grow and which may shrink.

    Parameters
    ----------
    alpha, y : numpy.ndarray of shape (n,)
    C : float

    Returns
    -------
    up, low : numpy.ndarray of bool, shape (n,)

    Examples
    --------
    >>> movable(np.array([0.0, 1.0, 2.0]), np.array([1.0, 1.0, 1.0]), C=2)
    (array([ True,  True, False]), array([False,  True,  True]))
    """
    below_C, above_0 = alpha < C, alpha > 0
    positive = y > 0
    return np.where(positive, below_C, above_0), np.where(positive, above_0, below_C)


def kkt_gap(F, alpha, y, C):
    """Return by how much the optimality conditions are missed, in the unit of the margin; 0 or less at the optimum.

    Parameters
    ----------
    F, alpha, y : numpy.ndarray of shape (n,)
        Errors without the threshold, multipliers, labels.
    C : float

    Returns
    -------
    float
        max F over `low` − min F over `up`, which is M(α) − m(α) of Keerthi et al. with the sign turned.

    Examples
    --------
    At α = 0 every margin misses 1 by 1, and a threshold can help one class at the expense of the other:

    >>> y = np.array([1.0, -1.0])
    >>> kkt_gap(-y, np.zeros(2), y, C=1)
    2.0
    """
    up, low = movable(alpha, y, C)
    return float(F[low].max() - F[up].min())


def threshold(F, alpha, y, C):
    """Return b: the mean over the points with 0 < α < C, or, without such points, the middle of the optimal interval.

    Parameters
    ----------
    F, alpha, y : numpy.ndarray of shape (n,)
        Errors without the threshold, multipliers, labels.
    C : float

    Returns
    -------
    float

    Notes
    -----
    SN (its "∀ y_j > 0" should read 0 < α_j < C); ES p. 75.

    Examples
    --------
    >>> y = np.array([1.0, -1.0])
    >>> threshold(-y, np.zeros(2), y, C=1)
    0.0
    """
    up, low = movable(alpha, y, C)
    free = up & low
    if free.any():
        return 0.0 - float(F[free].mean())  # and never −0
    return 0.0 - float(F[low].max() + F[up].min()) / 2


def certify(F, alpha, y, C, b, target=None):
    """Return the certificate of multipliers and threshold.

    Parameters
    ----------
    F, alpha, y : numpy.ndarray of shape (n,)
        Errors without the threshold, computed afresh from the Gram matrix; multipliers; labels.
    C, b : float
    target : numpy.ndarray of shape (n,), optional
        t; left out: y.

    Returns
    -------
    mlcore.optimize.Certificate
        Primal value ½αᵀQα + C Σ max(0, −yᵢEᵢ), dual value, their gap, and as residual the largest of |yᵀα| / max α,
        a step outside [0, C] relative to C, and the violation of the three conditions αᵢ = 0 ⇒ yᵢEᵢ ≥ 0,
        0 < αᵢ < C ⇒ yᵢEᵢ = 0, αᵢ = C ⇒ yᵢEᵢ ≤ 0, in the unit of t. For a classifier yᵢEᵢ = yᵢf(xᵢ) − 1.

    Examples
    --------
    Two points at x = −1 and x = 1, linear kernel:

    >>> y = np.array([-1.0, 1.0])
    >>> print(certify(np.zeros(2), np.array([0.5, 0.5]), y, C=1, b=0.0))
    primal 0.5, dual 0.5, relative gap < 1e-6, largest KKT residual < 1e-6
    """
    target = y if target is None else target
    errors = F + b
    quadratic = float((alpha * y) @ (F + target))  # αᵀQα
    slack = np.maximum(0.0, -y * errors)
    primal = quadratic / 2 + C * float(slack.sum())
    dual = float((alpha * y) @ target) - quadratic / 2
    up, low = movable(alpha, y, C)
    conditions = KKTResiduals(
        stationarity=abs(float(alpha @ y)) / (alpha.max() or 1.0),
        primal=0.0,  # the slack is what is missing
        dual=max(0.0, float(-alpha.min()), float(alpha.max() - C)) / C,
        complementary=float(max(-errors[up].min(initial=0.0), errors[low].max(initial=0.0))),
    )
    return Certificate.of_optimum(primal, dual, conditions)
