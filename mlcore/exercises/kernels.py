"""Checks of the exercises of chapter 10. They test what makes an answer right, not one stored answer."""

import numpy as np

from mlcore.exercises import _answers
from mlcore.exercises._answers import array, function, number
from mlcore.exercises._verdict import check, nearly, refuse
from mlcore.optimize import separating_plane

__all__ = [
    "check_counterexample",
    "check_inseparable",
    "check_kernel_machine",
    "check_number_of_monomials",
    "check_two_feature_maps",
]

_PLACES = np.random.default_rng(10).uniform(-2, 2, size=(40, 2))
"""Where two feature maps are compared."""


@check
def check_inseparable(positive, negative):
    """Check two positive and two negative points that no line separates (ES p. 53).

    A linear program looks for a separating line; if there is none, the two hulls share a point, which is named.

    Parameters
    ----------
    positive, negative : array_like of shape (2, 2)
        Two points each, one a row; all four different.

    Returns
    -------
    Verdict

    Examples
    --------
    >>> check_inseparable([[0, 0], [1, 1]], [[0, 1], [1, 2]])
    Wrong. A line separates them, for instance 2 x1 - 2 x2 + 1 = 0.
    """
    X = np.vstack([array("positive", positive, (2, 2)), array("negative", negative, (2, 2))])
    if len(np.unique(X, axis=0)) < 4:
        refuse("Two of the four points are the same; four different ones are asked for.")
    try:
        answer = separating_plane(X, np.array([1.0, 1.0, -1.0, -1.0]))
    except ArithmeticError as error:
        refuse(f"{error}.")
    if answer.separable:
        w, b = answer.w, answer.b
        refuse(f"A line separates them, for instance {_term(w[0])} x1 {_signed(w[1])} x2 {_signed(b)} = 0.")
    place = ", ".join(_term(value) for value in answer.common_point)
    return f"No line separates them: the point ({place}) lies between both pairs."


@check
def check_two_feature_maps(first, second):
    """Check two different feature maps of the kernel ⟨x, z⟩² on the plane (ES p. 64).

    Parameters
    ----------
    first, second : callable
        Each turns (x₁, x₂) into its features, a list of numbers of any length.

    Returns
    -------
    Verdict
    """
    maps = []
    holds = (_PLACES @ _PLACES.T) ** 2
    for name, given in (("first", first), ("second", second)):
        ask = function(name, given, "x1 and x2")
        rows = [array(f"{name}(x1, x2)", ask(*map(float, place)), ("D",)) for place in _PLACES]
        if len({len(row) for row in rows}) > 1:
            refuse(f"{name}: it should turn x1, x2 into a list of numbers, always as many.")
        features = np.array(rows)
        off = np.abs(features @ features.T - holds)
        if off.max() > 1e-6 * holds.max():  # constants with six decimals
            i, j = np.unravel_index(off.argmax(), off.shape)
            x, z = _PLACES[i], _PLACES[j]
            if off.max() < 0.01 * holds.max() and np.corrcoef(off.ravel(), holds.ravel())[0, 1] > 0:
                nearly(f"{name}: a constant in it", 6)
            refuse(
                f"{name}: at x = ({x[0]:.2f}, {x[1]:.2f}), z = ({z[0]:.2f}, {z[1]:.2f}) the inner product is "
                f"{features[i] @ features[j]:.3f}, but ⟨x, z⟩² is {(x @ z) ** 2:.3f}."
            )
        maps.append(features)
    if maps[0].shape == maps[1].shape and np.allclose(*maps, atol=1e-5):
        refuse("Both maps have the right kernel, but they are the same map.")
    lengths = " and ".join(str(features.shape[1]) for features in maps)
    return f"Both give ⟨x, z⟩², with {lengths} features: a kernel does not know which map it came from."


@check
def check_kernel_machine(alpha, b, X, y, kernel, tolerance=5e-3):
    """Check the multipliers and the offset of a hard-margin machine with a kernel (ES p. 65).

    The conditions are those of Karush, Kuhn and Tucker; they are enough for an optimum, whatever found it. The
    offset is computed once more from every support vector.

    Parameters
    ----------
    alpha : array_like of shape (n,)
    b : float
    X : array_like of shape (n, d)
    y : array_like of shape (n,)
        +1 and −1.
    kernel : mlcore.kernels.Kernel
    tolerance : float
        Rounding that is forgiven, in units of f: what common solvers leave with their default settings.

    Returns
    -------
    Verdict
    """
    kernel = _answers.kernel("kernel", kernel)
    X = array("X", X, ("n", "d"))
    y = array("y", y, (len(X),))
    alpha, b = array("alpha", alpha, (len(X),)), number("b", b)
    size = float(np.abs(alpha).max())
    if alpha.min() < -1e-4 * size:
        refuse(f"alpha: none may be negative, got {alpha.min():.3g}.")
    if abs(alpha @ y) > 1e-4 * size:
        refuse(f"alpha: the sum of alpha_i y_i must be 0, got {alpha @ y:.3g}.")
    support = np.flatnonzero(alpha > 1e-4 * size)
    if not len(support):
        refuse("alpha: all are 0, so w = 0 and nothing is separated.")
    without_b = kernel(X) @ (alpha * y)
    offsets = y[support] - without_b[support]
    if np.ptp(offsets) > tolerance:
        refuse(
            f"alpha: the support vectors do not agree on b: they ask for values from {offsets.min():.4g} to "
            f"{offsets.max():.4g}. With the right multipliers all give the same."
        )
    if abs(b - offsets.mean()) > tolerance:
        refuse(f"b: 1/y_j − Σ α_i y_i k(x_i, x_j) is {offsets.mean():.4g} on every support vector, got {b:.4g}.")
    margins = y * (without_b + b)
    worst = int(margins.argmin())
    if margins[worst] < 1 - tolerance:
        place = ", ".join(f"{value:.3g}" for value in X[worst])
        refuse(f"The point ({place}) has y f(x) = {margins[worst]:.4g}, but every point needs at least 1.")
    return (
        f"{len(support)} support vectors, each gives b = {offsets.mean():.4f}, and every point keeps its distance: "
        "this is the widest street in feature space."
    )


@check
def check_number_of_monomials(number, n, d):
    """Check the number of monomials of order up to d in n variables, counted by listing their exponents.

    Parameters
    ----------
    number : int
    n, d : int
        Small, since the list is made.

    Returns
    -------
    Verdict
    """
    number = _answers.number("number", number, whole=True)
    counted = _count_exponents(n, d)
    if number == n**d:
        refuse(f"{n}^{d} = {n**d} counts x1 x2 and x2 x1 as two, and leaves out the lower orders.")
    if number != counted:
        refuse(f"number: {number} is too {'many' if number > counted else 'few'}.")
    return f"There are {counted} of them: C({n + d}, {d})."


@check
def check_counterexample(points, offset=-1.0, degree=2):
    """Check numbers whose Gram matrix of (x z + offset)^degree has a negative eigenvalue, other than ±0.1.

    Parameters
    ----------
    points : array_like of shape (m,)
        Points of a line.
    offset : float
        Below 0.
    degree : int

    Returns
    -------
    Verdict
    """
    points = array("points", points, ("m",))
    if not len(points):
        refuse("points: expected at least one number, got none.")
    if np.array_equal(np.unique(points.round(9)), [-0.1, 0.1]):
        refuse("points: that is the pair ±0.1 of the chapter; find other numbers.")
    eigenvalues = np.linalg.eigvalsh((np.outer(points, points) + offset) ** degree)
    if eigenvalues[0] < -1e-9 * np.abs(eigenvalues).max():
        return f"The Gram matrix has the eigenvalue {eigenvalues[0]:.3g}: no feature map can do that."
    return refuse(f"On these points the lowest eigenvalue is {max(eigenvalues[0], 0):.3g}: they do not prove anything.")


def _count_exponents(n, d):
    """Count the exponents (i₁, …, i_n) with sum at most d, one variable after the other."""
    ways = np.ones(d + 1, dtype=int)  # ways[s]: exponents of the variables so far with sum s, here of one
    for _ in range(n - 1):
        ways = np.cumsum(ways)
    return int(ways.sum())


def _term(value):
    return f"{value + 0.0:.3g}"


def _signed(value):
    return f"{'-' if value < 0 else '+'} {abs(value):.3g}"
