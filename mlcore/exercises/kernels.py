"""Checks of the exercises of chapter 10. They test what makes an answer right, not one stored answer."""

from numbers import Real

import numpy as np

from mlcore.exercises._verdict import right, unanswered, wrong
from mlcore.kernels import Kernel
from mlcore.optimize import separating_plane
from mlcore.validation import as_array

__all__ = [
    "check_counterexample",
    "check_inseparable",
    "check_kernel_machine",
    "check_number_of_monomials",
    "check_two_feature_maps",
]

_PLACES = np.random.default_rng(10).uniform(-2, 2, size=(40, 2))
"""Where two feature maps are compared."""


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
    Not yet. A line separates them, for instance 2 x1 - 2 x2 + 1 = 0.
    """
    missing = unanswered(positive=positive, negative=negative)
    if missing is not None:
        return missing
    try:
        positive, negative = as_array("positive", positive, (2, 2)), as_array("negative", negative, (2, 2))
    except ValueError as error:
        return wrong(f"{error}.")
    X, y = np.vstack([positive, negative]), np.array([1.0, 1.0, -1.0, -1.0])
    if len(np.unique(X, axis=0)) < 4:
        return wrong("Two of the four points are the same; four different ones are asked for.")
    try:
        answer = separating_plane(X, y)
    except ArithmeticError as error:
        return wrong(f"{error}.")
    if answer.separable:
        w, b = answer.w, answer.b
        return wrong(f"A line separates them, for instance {_term(w[0])} x1 {_signed(w[1])} x2 {_signed(b)} = 0.")
    place = ", ".join(_term(value) for value in answer.common_point)
    return right(f"No line separates them: the point ({place}) lies between both pairs.")


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
    missing = unanswered(first=first, second=second)
    if missing is not None:
        return missing
    maps = []
    for name, function in (("first", first), ("second", second)):
        if not callable(function):
            return wrong(f"{name}: expected a function of (x1, x2), got {function!r}.")
        try:
            features = np.array([np.asarray(function(*map(float, place)), dtype=float) for place in _PLACES])
            features = as_array(name, features, ("n", "D"))
        except (TypeError, ValueError) as error:
            return wrong(f"{name}: it should turn x1, x2 into a list of numbers, always as many. Python says: {error}.")
        difference = np.abs(features @ features.T - (_PLACES @ _PLACES.T) ** 2)
        if difference.max() > 1e-8:
            i, j = np.unravel_index(difference.argmax(), difference.shape)
            x, z = _PLACES[i], _PLACES[j]
            return wrong(
                f"{name}: at x = ({x[0]:.2f}, {x[1]:.2f}), z = ({z[0]:.2f}, {z[1]:.2f}) the inner product is "
                f"{features[i] @ features[j]:.3f}, but ⟨x, z⟩² is {(x @ z) ** 2:.3f}."
            )
        maps.append(features)
    if maps[0].shape == maps[1].shape and np.allclose(*maps):
        return wrong("Both maps have the right kernel, but they are the same map.")
    lengths = " and ".join(str(features.shape[1]) for features in maps)
    return right(f"Both give ⟨x, z⟩², with {lengths} features: a kernel does not know which map it came from.")


def check_kernel_machine(alpha, b, X, y, kernel, tolerance=1e-4):
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
        Rounding that is forgiven, in units of f.

    Returns
    -------
    Verdict
    """
    missing = unanswered(alpha=alpha, b=b)
    if missing is not None:
        return missing
    if not isinstance(kernel, Kernel):
        return wrong(f"kernel: expected a kernel of mlcore.kernels, got {kernel!r}.")
    X = as_array("X", X, ("n", "d"))
    y = as_array("y", y, (len(X),))
    try:
        alpha, b = as_array("alpha", alpha, (len(X),)), float(as_array("b", b, ()))
    except ValueError as error:
        return wrong(f"{error}.")
    size = float(np.abs(alpha).max()) or 1.0
    if alpha.min() < -1e-6 * size:
        return wrong(f"alpha: none may be negative, got {alpha.min():.3g}.")
    if abs(alpha @ y) > 1e-6 * size:
        return wrong(f"alpha: the sum of alpha_i y_i must be 0, got {alpha @ y:.3g}.")
    support = np.flatnonzero(alpha > 1e-6 * size)
    if not len(support):
        return wrong("alpha: all are 0, so w = 0 and nothing is separated.")
    without_b = kernel(X) @ (alpha * y)
    offsets = y[support] - without_b[support]
    if np.ptp(offsets) > tolerance:
        return wrong(
            f"alpha: the support vectors do not agree on b: they ask for values from {offsets.min():.4g} to "
            f"{offsets.max():.4g}. With the right multipliers all give the same."
        )
    if abs(b - offsets.mean()) > tolerance:
        return wrong(f"b: 1/y_j − Σ α_i y_i k(x_i, x_j) is {offsets.mean():.4g} on every support vector, got {b:.4g}.")
    margins = y * (without_b + b)
    worst = int(margins.argmin())
    if margins[worst] < 1 - tolerance:
        place = ", ".join(f"{value:.3g}" for value in X[worst])
        return wrong(f"The point ({place}) has y f(x) = {margins[worst]:.3g}, but every point needs at least 1.")
    return right(
        f"{len(support)} support vectors, each gives b = {offsets.mean():.4f}, and every point keeps its distance: "
        "this is the widest street in feature space."
    )


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
    missing = unanswered(number=number)
    if missing is not None:
        return missing
    if isinstance(number, bool) or not isinstance(number, Real) or number % 1 != 0:
        return wrong(f"number: expected a whole number, got {number!r}.")
    counted = _count_exponents(n, d)
    if number == n**d:
        return wrong(f"{n}^{d} = {n**d} counts x1 x2 and x2 x1 as two, and leaves out the lower orders.")
    if number != counted:
        return wrong(f"number: {number} is too {'many' if number > counted else 'few'}.")
    return right(f"There are {counted} of them: C({n + d}, {d}).")


def check_counterexample(points, offset=-1.0, degree=2):
    """Check numbers whose Gram matrix of (x z + offset)^degree has a negative eigenvalue.

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
    missing = unanswered(points=points)
    if missing is not None:
        return missing
    try:
        points = as_array("points", points, ("m",))
    except ValueError as error:
        return wrong(f"{error}.")
    if not len(points):
        return wrong("points: expected at least one number, got none.")
    eigenvalues = np.linalg.eigvalsh((np.outer(points, points) + offset) ** degree)
    if eigenvalues[0] < -1e-9 * np.abs(eigenvalues).max():
        return right(f"The Gram matrix has the eigenvalue {eigenvalues[0]:.3g}: no feature map can do that.")
    return wrong(f"On these points the lowest eigenvalue is {max(eigenvalues[0], 0):.3g}: they do not prove anything.")


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
