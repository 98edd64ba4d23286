"""A reader's data, read in one way by every picture: arrays, Series or DataFrames, and the words that name them.

`points` reads a cloud, `labelled_data` a cloud of two classes, `samples` inputs with their targets. A reader's words
stay as they are; only line breaks go, and what would fill the whole picture is cut.
"""

from dataclasses import dataclass

import numpy as np
from matplotlib.lines import Line2D

from mlcore.pictures.drawing.visual_language import POSITIVE
from mlcore.validation import as_array

__all__ = [
    "LabelledData", "Samples", "draw_samples", "labelled_data", "points", "samples", "samples_axes", "standardised",
    "two_classes", "word",
]  # fmt: skip

_LONGEST = 40  # letters of a word


@dataclass(frozen=True, eq=False)
class LabelledData:
    """Points of two classes.

    Attributes
    ----------
    X : numpy.ndarray of shape (n, d)
    y : numpy.ndarray of shape (n,)
        +1 and −1.
    names : tuple of str
        What the coordinates mean.
    classes : (str, str)
        What +1 and −1 mean.
    """

    X: np.ndarray
    y: np.ndarray
    names: tuple
    classes: tuple

    @property
    def spread(self):
        """The largest distance of a point from the mean of all."""
        return float(np.linalg.norm(self.X - self.X.mean(axis=0), axis=1).max())

    @property
    def signs(self):
        """What `legend_below` takes to explain the two classes."""
        return ("class +", self.classes[0]), ("class −", self.classes[1])


@dataclass(frozen=True)
class Samples:
    """Inputs and targets, hashable so that what was fitted to them can be kept.

    Attributes
    ----------
    x, y : tuple of float
    names : (str, str)
        What input and target mean.
    """

    x: tuple
    y: tuple
    names: tuple = ("x", "y")

    @property
    def half_range(self):
        """Half the distance between the largest and the smallest target."""
        return (max(self.y) - min(self.y)) / 2


def word(value):
    """Return a reader's word in one line, and not longer than a picture can show.

    Examples
    --------
    >>> word("non-smoker"), word("size\\n(cm)"), word(3.5), word("x" * 50)[-2:]
    ('non-smoker', 'size (cm)', '3.5', 'x…')
    """
    text = "".join(letter for letter in str(value) if letter.isprintable() or letter.isspace())
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def points(X, names=None, columns=2):
    """Read points from an array or a DataFrame.

    Parameters
    ----------
    X : array_like or pandas.DataFrame of shape (n, columns)
        Coordinates; the columns of a DataFrame name the axes. One column may be a plain sequence.
    names : sequence of str, optional
        Names of the axes, in place of those that `X` has of its own.
    columns : int

    Returns
    -------
    X : numpy.ndarray of shape (n, columns)
    names : tuple of str

    Raises
    ------
    ValueError
        No points, another number of columns or of names, or values that are not finite.
    """
    flat = columns == 1 and np.ndim(X) == 1
    array = as_array("X", X, ("n",) if flat else ("n", columns)).reshape(-1, columns)
    if not len(array):
        raise ValueError("X: expected at least one point, got none")
    if names is None:
        defaults = [f"x{'₁₂₃'[j]}" for j in range(columns)] if columns > 1 else ["x"]
        names = getattr(X, "columns", None if getattr(X, "name", None) is None else [X.name])
        names = defaults if names is None else names
    return array, _words("names", names, columns)


def labelled_data(X, y, names=None, columns=2):
    """Read points and classes from arrays or from a DataFrame.

    Parameters
    ----------
    X, names, columns
        As in `points`.
    y : array_like or pandas.Series of shape (n,)
        Exactly two different classes: +1 and −1, or any other two values, of which the one that sorts last
        becomes +1.

    Returns
    -------
    LabelledData

    Raises
    ------
    ValueError
        What `points` and `two_classes` refuse.

    Examples
    --------
    >>> data = labelled_data([[1, 2], [3, 4]], ["ham", "spam"])
    >>> data.y.tolist(), data.classes
    ([-1.0, 1.0], ('spam', 'ham'))
    """
    array, names = points(X, names, columns)
    signs, classes = two_classes("y", y, len(array))
    return LabelledData(array, signs, names, classes)


def two_classes(name, y, count):
    """Read two classes of any name.

    Parameters
    ----------
    name : str
        The argument's name, for the message.
    y : array_like of shape (count,)
    count : int

    Returns
    -------
    signs : numpy.ndarray of shape (count,)
        +1 for the class that sorts last, −1 for the other.
    classes : (str, str)
        Their names, that of +1 first.

    Raises
    ------
    ValueError
        Another length, a class that is missing, classes without an order, or not two of them.
    """
    raw = np.asarray(y)
    if raw.shape != (count,):
        raise ValueError(f"{name}: expected shape ({count},), one class for each point, got {raw.shape}")
    values = raw.tolist()
    for place, value in enumerate(values):
        if value is None or (value == value) is not True:  # NaN and pandas.NA are not equal to themselves
            raise ValueError(f"{name}: expected a class for each point, got {value!r} at position {place}")
    try:
        classes = sorted(set(values))
    except TypeError as error:
        raise ValueError(f"{name}: expected classes of one kind, all numbers or all texts, got {raw[:5]}") from error
    if len(classes) != 2:
        raise ValueError(f"{name}: expected exactly two classes, got {len(classes)}: {classes[:5]}")
    low, high = classes
    texts = ("class +", "class −") if {low, high} == {-1, 1} else (word(high), word(low))
    if texts[0] == texts[1]:
        texts = f"{texts[0]} (+)", f"{texts[1]} (−)"
    return np.where([value == high for value in values], 1.0, -1.0), texts


def samples(x, y, names=None, arguments=("x", "y"), least=3, in_order=False):
    """Read samples of one feature.

    Parameters
    ----------
    x : array_like or pandas.Series of shape (n,) or (n, 1)
        Inputs.
    y : array_like or pandas.Series of shape (n,)
        Targets.
    names : (str, str), optional
        Names of the axes, in place of those that the two have of their own.
    arguments : (str, str)
        What the caller calls the two, for messages and for axes without a name.
    least : int
        How many there must be.
    in_order : bool
        Whether they stay in the order in which they come; else they are put from left to right.

    Returns
    -------
    Samples

    Raises
    ------
    ValueError
        Fewer than `least` samples, shapes that do not fit, entries that are not finite, or values that are all
        equal.

    Examples
    --------
    >>> samples([[2], [0], [1]], [5, 3, 4]).x
    (0.0, 1.0, 2.0)
    """
    first, second = arguments
    if names is None:
        own = [getattr(values, "name", None) for values in (x, y)]
        names = [argument if name is None else name for argument, name in zip(arguments, own)]
    names = _words("names", names, 2)
    x = as_array(first, np.ravel(x) if np.shape(x)[1:] == (1,) else x, ("n",))
    y = as_array(second, y, ("n",))
    if not len(x) == len(y) >= least:
        number = {2: "two", 3: "three"}[least]
        raise ValueError(
            f"{first}, {second}: expected at least {number} inputs and as many targets, got {len(x)} and {len(y)}"
        )
    for argument, values in zip(arguments, (x, y)):
        if np.ptp(values) == 0:
            raise ValueError(f"{argument}: expected values that differ, got {values[0]:g} only")
    order = slice(None) if in_order else np.argsort(x, kind="stable")
    return Samples(tuple(x[order].tolist()), tuple(y[order].tolist()), names)


def standardised(data):
    """Return `data` with input and target measured in standard deviations from their mean.

    So a slope of 1 is steep and a prior of width 1 makes sense, whatever the units.

    Examples
    --------
    >>> standardised(samples([10, 20, 30], [1, 2, 6])).x
    (-1.224744871391589, 0.0, 1.224744871391589)
    """
    both = []
    for values in (np.array(data.x), np.array(data.y)):
        largest = np.abs(values - values[0]).max() or 1.0  # in units of which no square underflows
        deviation = (values - values.mean()) / largest
        both.append(tuple((deviation / (deviation.std() or 1.0)).tolist()))
    return Samples(*both, tuple(f"{name}, standardised" for name in data.names))


def samples_axes(axes, data, room=0.12, title="", reach=None, aside=0.05):
    """Give `axes` limits around the samples, and their names.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    data : Samples
    room : float
        Empty part above and below, in ranges of the targets.
    title : str
    reach : (float, float), optional
        Lowest and highest target to make room for; those of `data` if left out.
    aside : float
        Empty part on either side, in ranges of the inputs.
    """
    low, high = (min(data.y), max(data.y)) if reach is None else reach
    height = (high - low) or 1.0
    aside *= max(data.x) - min(data.x)
    axes.set(
        xlim=(min(data.x) - aside, max(data.x) + aside),
        ylim=(low - room * height, high + room * height),
        xlabel=data.names[0],
        ylabel=data.names[1],
        title=title,
    )


def draw_samples(axes, data, zorder=4.5, seen=None):
    """Draw the first `seen` samples, or all, as blue circles, and the others as hollow ones."""
    looks = (
        (slice(seen), dict(color=POSITIVE, markeredgecolor="white", markeredgewidth=0.6)),
        (slice(len(data.x) if seen is None else seen, None), dict(markerfacecolor="white", markeredgecolor="#9a9a9a")),
    )
    for part, look in looks:
        if data.x[part]:
            marks = dict(linestyle="none", marker="o", markersize=5.5, zorder=zorder)
            axes.add_artist(Line2D(data.x[part], data.y[part], **marks, **look))


def _words(name, values, count):
    words = () if isinstance(values, str) else tuple(map(word, values))
    if len(words) != count:
        raise ValueError(f"{name}: expected {count} names, got {values!r}")
    return words
