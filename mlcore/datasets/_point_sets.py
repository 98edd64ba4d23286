"""The small point sets of the sources, under names of their own.

Classes are labelled +1 and −1. Where a source prints only a picture, the points are made for the same experiment
and the docstring says so.
"""

import numpy as np

from mlcore.validation import as_whole_number

__all__ = [
    "five_points",
    "four_corners",
    "four_points",
    "metal_and_wood",
    "mislabelled_points",
    "nine_on_a_line",
    "six_points",
    "twelve_objects",
    "two_columns",
    "two_points",
    "two_points_3d",
]


def metal_and_wood():
    """Return five objects of known material, by size and weight, and an unknown one (ES ch. 1, p. 13).

    The book prints the distances 3.12, 1.77, 4.94, 4.06 and 3.43 from the unknown object to its neighbours, and
    a picture without scales. The coordinates here are made to fit these distances exactly; the nearest object
    is of metal, and the vote changes with the number of neighbours asked: metal for 1, wood for 3, metal for 5.

    Returns
    -------
    X : numpy.ndarray of shape (5, 2)
        Size (cm) and weight (100 g) of each object, in the order of the distances.
    y : numpy.ndarray of shape (5,)
        +1 for metal, −1 for wood.
    unknown : numpy.ndarray of shape (2,)
        Size and weight of the unknown object.

    Examples
    --------
    >>> X, y, unknown = metal_and_wood()
    >>> np.linalg.norm(X - unknown, axis=1).round(2)
    array([3.12, 1.77, 4.94, 4.06, 3.43])
    """
    unknown = np.array([6.0, 6.0])
    distances = np.array([3.12, 1.77, 4.94, 4.06, 3.43])
    angles = np.deg2rad([290, 100, 135, 65, 215])
    X = unknown + distances[:, None] * np.column_stack([np.cos(angles), np.sin(angles)])
    return X, _labels("-+++-"), unknown


def twelve_objects():
    """Return six objects of metal and six of wood, by size and weight, and an unknown one (after ES Fig. 1, 2).

    The book prints only the pictures. The first five objects are those of `metal_and_wood`, at the printed
    distances from the unknown one; the others are ours and farther away.

    Returns
    -------
    X : numpy.ndarray of shape (12, 2)
        Size (cm) and weight (100 g).
    y : numpy.ndarray of shape (12,)
        +1 for metal, −1 for wood.
    unknown : numpy.ndarray of shape (2,)
    """
    X, y, unknown = metal_and_wood()
    others = [[4.4, 11.0], [1.0, 6.6], [9.6, 11.6], [1.4, 1.6], [5.0, 1.0], [9.6, 2.2], [11.2, 5.2]]
    return np.vstack([X, others]), np.append(y, _labels("+++----")), unknown


def two_columns():
    """Return four negative points above each other at 4, four positive ones at 5 (ES p. 22, Fig. 11).

    Returns
    -------
    X : numpy.ndarray of shape (8, 2)
    y : numpy.ndarray of shape (8,)

    Examples
    --------
    >>> X, y = two_columns()
    >>> X[y > 0].tolist()
    [[5.0, 1.0], [5.0, 2.0], [5.0, 3.0], [5.0, 4.0]]
    """
    X = [[column, height] for column in (4, 5) for height in (1, 2, 3, 4)]
    return np.array(X, dtype=float), _labels("----++++")


def two_points():
    """Return the positive point p = (2, 2) and the negative point q = (0, 0) (ES p. 27–29, Fig. 13–15).

    The widest margin has w = (½, ½), b = −1, ‖w‖ = 0.70711.

    Returns
    -------
    X : numpy.ndarray of shape (2, 2)
    y : numpy.ndarray of shape (2,)

    Examples
    --------
    >>> two_points()[1].tolist()
    [1.0, -1.0]
    """
    return np.array([[2.0, 2.0], [0.0, 0.0]]), _labels("+-")


def two_points_3d():
    """Return the negative point (0, 0, 0) and the positive point (1, 1, 1) (ES p. 35).

    The widest margin has w = (⅔, ⅔, ⅔), b = −1.

    Returns
    -------
    X : numpy.ndarray of shape (2, 3)
    y : numpy.ndarray of shape (2,)

    Examples
    --------
    >>> two_points_3d()[0].tolist()
    [[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]]
    """
    return np.array([[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]]), _labels("-+")


def four_points():
    """Return positive points (0, 1), (1, 2) and negative points (1, 0), (2, 1) (ES p. 31, Fig. 16).

    The widest margin has w = (−1, 1), b = 0; all four points support it.

    Returns
    -------
    X : numpy.ndarray of shape (4, 2)
    y : numpy.ndarray of shape (4,)

    Examples
    --------
    >>> four_points()[1].tolist()
    [1.0, 1.0, -1.0, -1.0]
    """
    return np.array([[0.0, 1.0], [1.0, 2.0], [1.0, 0.0], [2.0, 1.0]]), _labels("++--")


def five_points(label=1):
    """Return the four points of `four_points` and a fifth at (−1, 1.5) (ES p. 32–35, Fig. 17, 18).

    Parameters
    ----------
    label : {1, -1}
        Class of the fifth point. As +1 it leaves the classes separable; as −1 no line separates them.

    Returns
    -------
    X : numpy.ndarray of shape (5, 2)
    y : numpy.ndarray of shape (5,)

    Raises
    ------
    ValueError
        Another label.

    Examples
    --------
    >>> X, y = five_points(label=-1)
    >>> X[4].tolist(), y[4].item()
    ([-1.0, 1.5], -1.0)
    """
    if label not in (1, -1):
        raise ValueError(f"label: expected 1 or -1, got {label!r}")
    X, y = four_points()
    return np.vstack([X, [-1.0, 1.5]]), np.append(y, float(label))


def four_corners():
    """Return two positive and two negative points that no line separates: the exclusive or (ES p. 53).

    Returns
    -------
    X : numpy.ndarray of shape (4, 2)
        The corners (±1, ±1).
    y : numpy.ndarray of shape (4,)
        The product of the two coordinates.

    Examples
    --------
    >>> X, y = four_corners()
    >>> bool((X[:, 0] * X[:, 1] == y).all())
    True
    """
    return np.array([[1.0, 1.0], [-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0]]), _labels("++--")


def mislabelled_points(changed=2):
    """Return twelve separable points, the labels of up to two of them changed (after ES p. 50–51, Fig. 25).

    The book prints only the picture; these are points of ours for the same experiment. Unchanged, three of them
    support the widest margin, w = (0, 1), b = −3. With a label changed, no line separates the classes.

    Parameters
    ----------
    changed : {0, 1, 2}
        How many negative points are labelled +1 by mistake.

    Returns
    -------
    X : numpy.ndarray of shape (12, 2)
    y : numpy.ndarray of shape (12,)

    Raises
    ------
    ValueError
        Another number.

    Examples
    --------
    >>> [int(np.sum(mislabelled_points(changed)[1])) for changed in (0, 1, 2)]
    [0, 2, 4]
    """
    if as_whole_number("changed", changed, least=0) > 2:
        raise ValueError(f"changed: expected 0, 1 or 2, got {changed!r}")
    positive = [[1, 4], [5, 4], [2, 5], [4, 6], [6, 5], [3, 7]]
    negative = [[3, 2], [1, 1], [5, 1], [2, 0], [4, -1], [6, 0]]
    y = _labels("++++++------")
    y[[9, 8][:changed]] = 1
    return np.array(positive + negative, dtype=float), y


def six_points():
    """Return three positive and three negative points, few enough to draw as lines too (after ES p. 18, Fig. 7).

    Returns
    -------
    X : numpy.ndarray of shape (6, 2)
    y : numpy.ndarray of shape (6,)
    """
    X = [[-1, 1], [1, 2], [0, 2], [-1, -1], [1, 0], [2, -1]]
    return np.array(X, dtype=float), _labels("+++---")


def nine_on_a_line():
    """Return the whole numbers from −4 to 4, positive from −2 to 2 (HJ, section on kernels).

    No threshold separates them on the line, but (x, x²) and the similarities to two landmarks do.

    Returns
    -------
    X : numpy.ndarray of shape (9, 1)
    y : numpy.ndarray of shape (9,)

    Examples
    --------
    >>> X, y = nine_on_a_line()
    >>> X[y > 0].ravel().tolist()
    [-2.0, -1.0, 0.0, 1.0, 2.0]
    """
    return np.arange(-4.0, 5.0)[:, None], _labels("--+++++--")


def _labels(signs):
    return np.array([1.0 if sign == "+" else -1.0 for sign in signs])
