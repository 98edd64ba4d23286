"""The reader's own data: arrays or a DataFrame with two classes of any name."""

from dataclasses import dataclass

import numpy as np

from mlcore.validation import as_array

__all__ = ["LabelledData", "labelled_data"]


@dataclass(frozen=True, eq=False)
class LabelledData:
    """Points in the plane with two classes.

    Attributes
    ----------
    X : numpy.ndarray of shape (n, 2)
    y : numpy.ndarray of shape (n,)
        +1 and −1.
    names : (str, str)
        What the two coordinates mean.
    classes : (str, str)
        What +1 and −1 mean.
    """

    X: np.ndarray
    y: np.ndarray
    names: tuple
    classes: tuple


def labelled_data(X, y, names=None):
    """Read points and classes from arrays or from a DataFrame.

    Parameters
    ----------
    X : array_like or pandas.DataFrame of shape (n, 2)
        Coordinates; the columns of a DataFrame name the axes.
    y : array_like or pandas.Series of shape (n,)
        Exactly two different classes: +1 and −1, or any other two values, of which the one that sorts last
        becomes +1.
    names : (str, str), optional
        Names of the axes, if `X` has none of its own.

    Returns
    -------
    LabelledData

    Raises
    ------
    ValueError
        Not two columns, not two classes, different lengths, or values that are not finite.

    Examples
    --------
    >>> data = labelled_data([[1, 2], [3, 4]], ["ham", "spam"])
    >>> data.y.tolist(), data.classes
    ([-1.0, 1.0], ('spam', 'ham'))
    """
    if names is None:
        names = [str(column) for column in X.columns] if hasattr(X, "columns") else ("$x_1$", "$x_2$")
    points = as_array("X", X, ("n", 2))
    raw = np.asarray(y)
    if raw.shape != (len(points),):
        raise ValueError(f"y: expected shape ({len(points)},), one class for each row of X, got {raw.shape}")
    classes = sorted(set(raw.tolist()))
    if len(classes) != 2:
        raise ValueError(f"y: expected exactly two classes, got {len(classes)}: {classes[:5]}")
    low, high = classes
    texts = ("class +", "class −") if {low, high} == {-1, 1} else (str(high), str(low))
    return LabelledData(points, np.where(raw == high, 1.0, -1.0), tuple(names), texts)
