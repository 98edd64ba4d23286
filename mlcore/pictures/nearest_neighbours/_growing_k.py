"""Picture of chapter 3: the boundary turns from jagged to smooth as more neighbours are asked."""

from dataclasses import dataclass
from functools import partial

import numpy as np
from sklearn.model_selection import train_test_split

from mlcore.datasets import moons
from mlcore.explore import Control, Explorable
from mlcore.neighbors import k_nearest
from mlcore.pictures.drawing.sample_data import LabelledData, labelled_data
from mlcore.pictures.drawing.visual_language import ACCENT, BOUNDARY, QUIET, cross_points, legend_below
from mlcore.pictures.nearest_neighbours._nearest_neighbours import neighbour_axes
from mlcore.pictures.nearest_neighbours._neighbour_regions import draw_vote

__all__ = ["accuracy_by_k", "growing_k"]

_KS = (1, 3, 5, 7, 9, 13, 17, 23, 31, 41, 55, 75, 99)


@dataclass(frozen=True, eq=False)
class _Split:
    """Points to learn from, fresh points, and the accuracy on either for every odd k."""

    train: LabelledData
    fresh: LabelledData
    ks: np.ndarray
    train_accuracy: np.ndarray
    fresh_accuracy: np.ndarray


def growing_k(X=None, y=None, names=None):
    """Return the regions of the two classes for growing k, with training and fresh accuracy (MW p. 22).

    Parameters
    ----------
    X : array_like or pandas.DataFrame of shape (n, 2), optional
        Points; 120 points of two noisy moons if left out, with 2000 fresh ones. Of your own points one half,
        drawn with a fixed seed, is kept back as the fresh ones.
    y : array_like of shape (n,), optional
        Two classes of any name, each at least twice.
    names : (str, str), optional
        Names of the axes, if `X` has none of its own.

    Returns
    -------
    Explorable

    Raises
    ------
    ValueError
        What `labelled_data` refuses, fewer than 6 points, or a class with a single point.
    """
    if X is None:
        train, fresh = (labelled_data(*moons(n, noise=0.35, seed=seed)) for n, seed in ((120, 1), (2000, 2)))
    else:
        train, fresh = _halves(labelled_data(X, y, names))
    split = _measure(train, fresh)
    page = tuple(k for k in _KS if k <= split.ks[-1])
    values = tuple(int(k) for k in split.ks if k <= page[-1])
    return Explorable(
        title="More voters, smoother boundary",
        controls=(Control("k", "neighbours k", "slider", values, page, 1, str),),
        frame=partial(_growing_frame, split=split),
        draw=partial(_draw_growing, split=split),
        describe=partial(_describe_growing, split=split),
        size=(8.6, 4.4),
        panels=2,
    )


def accuracy_by_k(X, y, fresh_X, fresh_y, ks):
    """Return the share of fresh points that a vote of their k nearest points gets right, for several odd k.

    Parameters
    ----------
    X, fresh_X : numpy.ndarray of shape (n, d) and (q, d)
        Points that vote, and points that ask.
    y, fresh_y : numpy.ndarray of shape (n,) and (q,)
        +1 and −1.
    ks : sequence of int
        Odd, so that no vote ties, and at most n.

    Returns
    -------
    numpy.ndarray of float
        In the order of `ks`.

    Examples
    --------
    >>> X, y = np.array([[0.0], [1.0], [4.0]]), np.array([1.0, -1.0, -1.0])
    >>> accuracy_by_k(X, y, X, y, [1, 3]).round(3)
    array([1.   , 0.667])
    """
    _, rows = k_nearest(X, fresh_X, int(max(ks)))
    ahead = np.cumsum(y[rows], axis=1)[:, np.asarray(ks) - 1]
    return (np.sign(ahead) == fresh_y[:, None]).mean(axis=0)


def _halves(data):
    if len(data.y) < 6 or min((data.y > 0).sum(), (data.y < 0).sum()) < 2:
        raise ValueError(
            f"y: expected at least 6 points and two of each class, to learn from one half and test on the other, got "
            f"{(data.y > 0).sum()} and {(data.y < 0).sum()}"
        )
    parts = train_test_split(data.X, data.y, test_size=0.5, random_state=0, stratify=data.y)
    return [LabelledData(X, y, data.names, data.classes) for X, y in zip(parts[:2], parts[2:])]


def _measure(train, fresh):
    ks = np.arange(1, len(train.y) + 1, 2)
    known = train.X, train.y
    return _Split(train, fresh, ks, accuracy_by_k(*known, *known, ks), accuracy_by_k(*known, fresh.X, fresh.y, ks))


def _growing_frame(figure, split):
    plane, curve = (panel.subplots() for panel in figure.subfigs)
    neighbour_axes(plane, split.train, title="What is learned")
    legend_below(figure.subfigs[0], *split.train.signs, ("boundary", "boundary"), ("wrong side", "training error"))
    curve.plot(split.ks, 100 * split.train_accuracy, color=QUIET, linestyle="--", linewidth=1.6)
    curve.plot(split.ks, 100 * split.fresh_accuracy, color=BOUNDARY, linewidth=2)
    lowest = 100 * min(split.train_accuracy.min(), split.fresh_accuracy.min())
    curve.set(
        xscale="log", xlim=(0.9, 1.1 * split.ks[-1]), ylim=(min(lowest, 95) - 4, 102), xlabel="neighbours k",
        ylabel="right, in percent", title="How often it is right",
    )  # fmt: skip
    ticks = [k for k in (1, 3, 10, 30, 100, 300) if k <= split.ks[-1]]
    curve.set_xticks(ticks, [str(tick) for tick in ticks])
    curve.minorticks_off()
    legend_below(figure.subfigs[1], ("training", "training points"), ("fresh", "fresh points"), columns=2)


def _draw_growing(figure, k, split):
    plane, curve = figure.axes
    draw_vote(plane, split.train.X, split.train.y, k, cells=101)
    _, rows = k_nearest(split.train.X, split.train.X, k)
    votes = np.sign(split.train.y[rows].sum(axis=1))
    cross_points(plane, split.train.X[votes != split.train.y])
    at = (k - 1) // 2
    for accuracy in (split.train_accuracy, split.fresh_accuracy):
        curve.plot(k, 100 * accuracy[at], "o", color=ACCENT, markersize=9, markeredgecolor="white", zorder=5)


def _describe_growing(k, split):
    at = (k - 1) // 2
    best = int(split.fresh_accuracy.argmax())
    errors = round(len(split.train.y) * (1 - split.train_accuracy[at]))
    return (
        f"k = {k}: {100 * split.train_accuracy[at]:.1f} % of the {len(split.train.y)} training points are right "
        f"({errors} crossed), and {100 * split.fresh_accuracy[at]:.1f} % of {len(split.fresh.y)} fresh points. "
        f"Of all odd k the fresh points like k = {split.ks[best]} best, with {100 * split.fresh_accuracy[best]:.1f} %."
    )
