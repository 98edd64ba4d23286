"""Picture of chapter 3: the unit of one feature decides who is a neighbour."""

from functools import partial

import numpy as np

from mlcore.datasets import iris_pair
from mlcore.explore import Explorable, choice, linear_slider
from mlcore.neighbors import KNeighborsClassifier, k_nearest
from mlcore.pictures.drawing.sample_data import LabelledData, labelled_data
from mlcore.pictures.drawing.visual_language import ACCENT, draw_points, legend_below, panel_axes, star_point
from mlcore.pictures.nearest_neighbours._distance_balls import ball
from mlcore.pictures.nearest_neighbours._nearest_neighbours import class_name, neighbour_axes
from mlcore.pictures.nearest_neighbours._neighbour_regions import draw_vote
from mlcore.validation import as_whole_number

__all__ = ["left_out_accuracy", "units_of_measure"]

_FACTORS = {"÷ 100": 0.01, "÷ 10": 0.1, "as given": 1.0, "× 10": 10.0}
_METRIC_UNITS = ("m", "dm", "cm", "mm")
_SCALED = "both in SD"


def units_of_measure(X=None, y=None, names=None, k=15):
    """Return the k nearest under a change of unit of the first feature, and what it does to the accuracy.

    A unit multiplies the numbers of the first feature. In the plane, whose axes stay as they are, the ball of
    equal distance turns into an ellipse.

    Parameters
    ----------
    X : array_like or pandas.DataFrame of shape (n, 2), optional
        Points; iris versicolor and virginica by sepal and petal length if left out.
    y : array_like of shape (n,), optional
        Two classes of any name.
    names : (str, str), optional
        Names of the axes, if `X` has none of its own.
    k : int
        Number of neighbours, odd.

    Returns
    -------
    Explorable

    Raises
    ------
    ValueError
        What `labelled_data` refuses, a k that is even or not below n, or a feature that does not vary.
    """
    if X is None:
        X, y, _ = iris_pair(("virginica", "versicolor"), features=("sepal length", "petal length"))
        data = LabelledData(X, y, ("sepal length (cm)", "petal length (cm)"), ("versicolor", "virginica"))
        texts, start, label = _METRIC_UNITS, (6.0, 4.9), "sepal length measured in"
    else:
        data = labelled_data(X, y, names)
        texts, start, label = tuple(_FACTORS), data.X.mean(axis=0), f"numbers of {data.names[0]}"
    if as_whole_number("k", k) % 2 == 0 or k >= len(data.y):
        raise ValueError(f"k: expected an odd number below that of the points, {len(data.y)}, got {k}")
    deviation = data.X.std(axis=0)
    if not deviation.all():
        raise ValueError(f"X: expected two features that vary, got standard deviations {deviation.tolist()}")
    units = {text: (factor, 1.0) for text, factor in zip(texts, _FACTORS.values())}
    units[_SCALED] = tuple((1 / deviation).tolist())
    accuracy = {unit: left_out_accuracy(data.X * unit, data.y, k) for unit in units.values()}
    low, high = np.percentile(data.X, [10, 90], axis=0)
    across, up = (
        linear_slider(name, f"its {data.names[j]}", low[j], high[j], start=start[j], steps=13, page_every=4)
        for j, name in enumerate(("x1", "x2"))
    )
    return Explorable(
        title="One feature in another unit: other neighbours, other answers",
        controls=(choice("unit", label, units, start=units[texts[2]]), across, up),
        frame=partial(_units_frame, k=k, data=data, units=units, accuracy=accuracy),
        draw=partial(_draw_units, k=k, data=data, units=units, accuracy=accuracy),
        describe=partial(_describe_units, label=label, k=k, data=data, units=units, accuracy=accuracy),
        size=(8.6, 4.6),
        panels=2,
    )


def left_out_accuracy(X, y, k):
    """Return the share of points that the k nearest *other* points vote into their own class, for odd k.

    Parameters
    ----------
    X : numpy.ndarray of shape (n, d)
    y : numpy.ndarray of shape (n,)
        +1 and −1.
    k : int
        Odd, so that no vote ties, and below n.

    Returns
    -------
    float

    Examples
    --------
    >>> left_out_accuracy(np.array([[0.0], [1.0], [5.0], [6.0]]), np.array([1, 1, -1, -1]), k=1)
    1.0
    """
    _, rows = k_nearest(X, X, k + 1)
    own = rows == np.arange(len(X))[:, None]
    own[~own.any(axis=1), -1] = True  # among many twins a point may not find itself: leave out the last instead
    others = rows[~own].reshape(len(X), k)
    return float((np.sign(y[others].sum(axis=1)) == y).mean())


def _units_frame(figure, k, data, units, accuracy):
    plane, bars = panel_axes(figure)
    neighbour_axes(plane, data, points=False)
    legend_below(figure.subfigs[0], *data.signs, "unknown", "neighbour", "boundary")
    bars.set(
        xlim=(0, 118), ylim=(len(units) - 0.4, -0.6), xlabel="points right when left out, in percent",
        title=f"How often {k} neighbours are right",
    )  # fmt: skip
    bars.set_yticks(range(len(units)), units)
    bars.set_xticks((0, 25, 50, 75, 100))
    for place, unit in enumerate(units.values()):
        bars.barh(place, 100 * accuracy[unit], height=0.65, color="#c9c9c9")
        bars.annotate(
            f"{100 * accuracy[unit]:.0f} %", (100 * accuracy[unit], place), (4, 0), textcoords="offset points",
            va="center", fontsize=9.5,
        )  # fmt: skip


def _ask(unit, x1, x2, k, data):
    """Return the distances in the chosen units, the rows of the neighbours, and the class that wins."""
    model = KNeighborsClassifier(k=k).fit(data.X * unit, data.y)
    place = np.array([[x1, x2]]) * unit
    distances, rows = model.kneighbors(place)
    return distances[0], rows[0], int(model.predict(place)[0])


def _draw_units(figure, unit, x1, x2, k, data, units, accuracy):
    plane, bars = figure.axes
    distances, rows, _ = _ask(unit, x1, x2, k, data)
    draw_vote(plane, data.X, data.y, k, cells=101, units=unit)
    draw_points(plane, data.X, data.y, zorder=3)  # below the star, so among what moves
    edge = np.array([x1, x2]) + ball(2.0, distances[-1]) / unit
    plane.plot(*edge.T, color=ACCENT, linewidth=1.4, linestyle="--", zorder=4)
    for row in rows:
        plane.plot(*np.array([(x1, x2), data.X[row]]).T, color=ACCENT, linewidth=1.6, zorder=4)
    star_point(plane, (x1, x2))
    bars.barh(list(units.values()).index(unit), 100 * accuracy[unit], height=0.65, color=ACCENT)


def _describe_units(unit, x1, x2, label, k, data, units, accuracy):
    _, rows, winner = _ask(unit, x1, x2, k, data)
    _, usual, _ = _ask((1.0, 1.0), x1, x2, k, data)
    name = next(text for text, value in units.items() if value == unit)
    shared = len(set(rows.tolist()) & set(usual.tolist()))
    first, second = data.X.var(axis=0) * np.square(unit)
    return (
        f"{label.capitalize()}: {name}. The unknown gets the class {class_name(data, winner)}; {shared} of its {k} "
        f"neighbours are those of the units as given. The first feature makes {100 * first / (first + second):.1f} % "
        f"of the mean squared distance. Left out in turn, {100 * accuracy[unit]:.0f} % of {len(data.y)} points are "
        "right."
    )
