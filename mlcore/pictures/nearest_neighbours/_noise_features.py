"""Picture of chapter 3: two useful features and up to 98 useless ones, or the curse of dimension."""

from dataclasses import dataclass
from functools import partial

import numpy as np

from mlcore.datasets import moons
from mlcore.explore import Control, Explorable
from mlcore.neighbors import k_nearest
from mlcore.pictures.drawing.sample_data import LabelledData, labelled_data
from mlcore.pictures.drawing.visual_language import ACCENT, BOUNDARY, legend_below, panel_axes, star_point
from mlcore.pictures.nearest_neighbours._growing_k import accuracy_by_k
from mlcore.pictures.nearest_neighbours._nearest_neighbours import neighbour_axes

__all__ = ["noise_features"]

_COUNTS = (0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 80, 98)
_KS = np.array([1, 5, 25])


@dataclass(frozen=True, eq=False)
class _Experiment:
    """Training and fresh points in standard deviations, the noise beside them, and what was measured.

    `accuracy` has a row for every number of noise features and a column for every k.
    """

    train: LabelledData
    fresh: LabelledData
    noise: np.ndarray
    fresh_noise: np.ndarray
    asker: int
    accuracy: np.ndarray


def noise_features(X=None, y=None, names=None, seed=0):
    """Return how the accuracy of k-NN falls as noise features join two useful ones (MW p. 22–23).

    All features have standard deviation 1. Left are the two useful features: a fresh point and those whom it takes
    for its neighbours when it measures distances in all the features.

    Parameters
    ----------
    X : array_like or pandas.DataFrame of shape (n, 2), optional
        Points; 200 points of two moons if left out, which two features separate, and 1000 fresh ones. Your own
        points are cut in two: even rows to learn from, odd rows fresh.
    y : array_like of shape (n,), optional
        Two classes of any name, both among the even rows.
    names : (str, str), optional
        Names of the axes, if `X` has none of its own.
    seed : int
        Of the noise.

    Returns
    -------
    Explorable

    Raises
    ------
    ValueError
        What `labelled_data` refuses, fewer than ten points, or a feature that does not vary.
    """
    if X is None:
        train, fresh = (labelled_data(*moons(n, noise=0.12, seed=s)) for n, s in ((200, 0), (1000, 1)))
    else:
        data = labelled_data(X, y, names)
        if len(data.y) < 10:
            raise ValueError(f"X: expected at least ten points, half of them to test on, got {len(data.y)}")
        train, fresh = (
            LabelledData(data.X[part], data.y[part], data.names, data.classes)
            for part in (slice(0, None, 2), slice(1, None, 2))
        )
    experiment = _run(train, fresh, np.random.default_rng(seed))
    ks = tuple(_KS[: experiment.accuracy.shape[1]].tolist())
    return Explorable(
        title="Two useful features, drowned in noise",
        controls=(
            Control("count", "noise features", "slider", _COUNTS, _COUNTS, 0, str),
            Control("k", "neighbours k", "slider", ks, ks, ks[1], str),
        ),
        frame=partial(_noise_frame, experiment=experiment),
        draw=partial(_draw_noise, experiment=experiment),
        describe=partial(_describe_noise, experiment=experiment),
        size=(8.6, 4.4),
        panels=2,
    )


def _run(train, fresh, rng):
    mean, deviation = train.X.mean(axis=0), train.X.std(axis=0)
    if not deviation.all():
        raise ValueError(f"X: expected two features that vary, got standard deviations {deviation.tolist()}")
    train, fresh = (
        LabelledData((part.X - mean) / deviation, part.y, tuple(f"{name} in SD" for name in train.names), part.classes)
        for part in (train, fresh)
    )
    noise, fresh_noise = (rng.normal(size=(len(part.y), max(_COUNTS))) for part in (train, fresh))
    ks = _KS[len(train.y) >= _KS]
    accuracy = [
        accuracy_by_k(
            np.hstack([train.X, noise[:, :count]]), train.y,
            np.hstack([fresh.X, fresh_noise[:, :count]]), fresh.y, ks,
        )
        for count in _COUNTS
    ]  # fmt: skip
    asker = int(np.linalg.norm(fresh.X, axis=1).argmin())
    return _Experiment(train, fresh, noise, fresh_noise, asker, np.array(accuracy))


def _noise_frame(figure, experiment):
    plane, curves = panel_axes(figure)
    neighbour_axes(plane, experiment.train, title="The two useful features")
    star_point(plane, experiment.fresh.X[experiment.asker])
    legend_below(figure.subfigs[0], *experiment.train.signs, "unknown", "neighbour")
    low = 100 * experiment.accuracy.min() - 4
    curves.set(
        xlim=(-2, 117), ylim=(low, 101.5), xlabel="number of noise features",
        ylabel="fresh points right, in percent", title="How often it is right",
    )  # fmt: skip
    curves.set_xticks(range(0, 100, 20))
    height = -np.inf
    for end, column in sorted((row[-1], i) for i, row in enumerate(100 * experiment.accuracy.T)):
        curves.plot(_COUNTS, 100 * experiment.accuracy[:, column], color="#b5b5b5", linewidth=1.3)
        height = max(end, height + (101.5 - low) / 18)  # one name above the other
        curves.annotate(
            f"k = {_KS[column]}", (98, height), (6, 0), textcoords="offset points", va="center", fontsize=9.5
        )


def _draw_noise(figure, count, k, experiment):
    plane, curves = figure.axes
    train, asker = experiment.train, experiment.fresh.X[experiment.asker]
    _, rows = _ask(count, k, experiment)
    for row in rows[:k]:
        plane.plot(*np.array([asker, train.X[row]]).T, color=ACCENT, linewidth=1.6, zorder=4)
    accuracy = 100 * experiment.accuracy[:, list(_KS).index(k)]
    curves.plot(_COUNTS, accuracy, color=BOUNDARY, zorder=3)
    curves.plot(
        count, accuracy[_COUNTS.index(count)], "o", color=ACCENT, markersize=9, markeredgecolor="white", zorder=4
    )


def _ask(count, k, experiment):
    """Return distances and rows of all training points, the nearest first, seen from the one that asks."""
    X = np.hstack([experiment.train.X, experiment.noise[:, :count]])
    asker = np.hstack([experiment.fresh.X, experiment.fresh_noise[:, :count]])[experiment.asker]
    distances, rows = k_nearest(X, asker[None], len(X))
    return distances[0], rows[0]


def _describe_noise(count, k, experiment):
    distances, rows = _ask(count, k, experiment)
    asker = experiment.fresh.X[experiment.asker]
    useful = np.linalg.norm(experiment.train.X - asker, axis=1)
    accuracy = 100 * experiment.accuracy[_COUNTS.index(count), list(_KS).index(k)]
    return (
        f"{count} noise features, k = {k}: {accuracy:.1f} % of {len(experiment.fresh.y)} fresh points are right. "
        f"Seen in the useful features, the neighbours of the star are {useful[rows[:k]].mean():.2f} away on average; "
        f"the {k} that are truly nearest are {np.sort(useful)[:k].mean():.2f} away. In all {2 + count} features, its "
        f"nearest point is at {distances[0]:.2f}, its farthest at {distances[-1]:.2f}: a ratio of "
        f"{distances[0] / distances[-1]:.2f}."
    )
