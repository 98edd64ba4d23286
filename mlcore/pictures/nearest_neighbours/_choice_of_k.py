"""Picture of chapter 3: how many neighbours to ask, decided by cross-validation."""

from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from mlcore.datasets import moons
from mlcore.explore import Control, Explorable, linear_slider
from mlcore.pictures.drawing.sample_data import labelled_data
from mlcore.pictures.drawing.visual_language import ACCENT, BOUNDARY, draw_points, legend_below, panel_axes
from mlcore.pictures.nearest_neighbours._growing_k import accuracy_by_k
from mlcore.pictures.nearest_neighbours._nearest_neighbours import neighbour_axes
from mlcore.pictures.nearest_neighbours._neighbour_regions import draw_vote

__all__ = ["choice_of_k", "cross_validated_accuracy"]

_FOLDS = 5
_LARGEST_K = 99
_FRESH = 2000
_BAND = "#dcdcdc"


@dataclass(frozen=True, eq=False)
class _Choice:
    """Points with some labels turned, accuracy for each odd k in the folds, and the k that does best.

    `truth` is the accuracy on fresh points, or None where there are none.
    """

    X: np.ndarray
    y: np.ndarray
    ks: np.ndarray
    mean: np.ndarray
    error: np.ndarray
    best: int
    truth: np.ndarray | None


def choice_of_k(X=None, y=None, names=None):
    """Return the cross-validation curve over k, with sliders for wrong labels and the number of points (MW p. 22).

    Parameters
    ----------
    X : array_like or pandas.DataFrame of shape (n, 2), optional
        Points; two moons if left out, and then the curve on 2000 fresh points is drawn as well.
    y : array_like of shape (n,), optional
        Two classes of any name.
    names : (str, str), optional
        Names of the axes, if `X` has none of its own.

    Returns
    -------
    Explorable

    Raises
    ------
    ValueError
        What `labelled_data` refuses, or fewer than 40 points.
    """
    if X is None:
        data, fresh = (labelled_data(*moons(n, noise=0.25, seed=seed)) for n, seed in ((400, 5), (_FRESH, 6)))
    else:
        data, fresh = labelled_data(X, y, names), None
        if len(data.y) < 40:
            raise ValueError(f"X: expected at least 40 points, so that folds can be compared, got {len(data.y)}")
    n = len(data.y)
    sizes = (n // 8, n // 4, n // 2, n) if n >= 160 else (n // 2, n)
    points = tuple(map(tuple, data.X)), tuple(data.y)
    fresh_points = None if fresh is None else (tuple(map(tuple, fresh.X)), tuple(fresh.y))
    choose = partial(_choose, points, fresh_points)
    return Explorable(
        title="How many to ask? Let the data vote on that too",
        controls=(
            linear_slider("turned", "wrong labels", 0, 40, start=10, steps=9, page_every=2, text=lambda v: f"{v:g} %"),
            Control("n", "number of points", "slider", sizes, sizes, sizes[-2], str),
        ),
        frame=partial(_choice_frame, data=data, fresh=fresh),
        draw=partial(_draw_choice, choose=choose),
        describe=partial(_describe_choice, choose=choose),
        size=(8.6, 4.4),
        panels=2,
    )


def cross_validated_accuracy(X, y, ks, folds=5):
    """Return, for every fold, how often a vote of the k nearest points of the other folds is right.

    Point i is in fold i mod `folds`: shuffle the points first if their order means something.

    Parameters
    ----------
    X : numpy.ndarray of shape (n, d)
    y : numpy.ndarray of shape (n,)
        +1 and −1.
    ks : sequence of int
        Odd, and at most the number of points outside a fold.
    folds : int

    Returns
    -------
    numpy.ndarray of shape (folds, len(ks))

    Examples
    --------
    >>> X, y = np.array([[0.0], [1], [2], [10], [11], [12]]), np.array([-1, -1, -1, 1, -1, 1])
    >>> cross_validated_accuracy(X, y, [1], folds=2).round(3).tolist()
    [[0.667], [0.333]]
    """
    fold = np.arange(len(y)) % folds
    return np.array([accuracy_by_k(X[fold != f], y[fold != f], X[fold == f], y[fold == f], ks) for f in range(folds)])


@lru_cache(maxsize=64)
def _choose(points, fresh_points, turned, n):
    X, y = _turn_labels(points, turned, np.random.default_rng(0))
    order = np.random.default_rng(2).permutation(len(y))[:n]
    X, y = X[order], y[order]
    ks = np.arange(1, min(_LARGEST_K, n - -(-n // _FOLDS)) + 1, 2)
    accuracy = cross_validated_accuracy(X, y, ks, _FOLDS)
    mean, error = accuracy.mean(axis=0), accuracy.std(axis=0, ddof=1) / np.sqrt(_FOLDS)
    truth = None
    if fresh_points is not None:
        truth = accuracy_by_k(X, y, *_turn_labels(fresh_points, turned, np.random.default_rng(1)), ks)
    return _Choice(X, y, ks, mean, error, int(mean.argmax()), truth)


def _turn_labels(points, percent, rng):
    """Return X, y with about so many percent of the labels turned; those once turned stay so as the share grows."""
    X, y = np.array(points[0]), np.array(points[1])
    return X, np.where(rng.random(len(y)) < percent / 100, -y, y)


def _choice_frame(figure, data, fresh):
    plane, curve = panel_axes(figure)
    neighbour_axes(plane, data, title="The k that is chosen", points=False)
    legend_below(figure.subfigs[0], *data.signs, "boundary")
    curve.set(
        xscale="log", xlim=(0.9, 1.1 * _LARGEST_K), ylim=(38, 102), xlabel="neighbours asked, k",
        ylabel="right, in percent", title="Five-fold cross-validation",
    )  # fmt: skip
    curve.set_xticks((1, 3, 10, 30, 100), ("1", "3", "10", "30", "100"))
    curve.minorticks_off()
    handles = [
        Line2D([], [], color=BOUNDARY, label="mean of 5 folds"),
        Patch(facecolor=_BAND, label="± 1 standard error of that mean"),
        Line2D([], [], color=ACCENT, marker="o", linewidth=1.4, label="chosen k"),
    ]
    if fresh is not None:
        handles.append(Line2D([], [], color=BOUNDARY, linestyle=":", label="2000 fresh points"))
    figure.subfigs[1].legend(handles=handles, loc="outside lower center", ncols=2, columnspacing=1.2)


def _draw_choice(figure, turned, n, choose):
    plane, curve = figure.axes
    chosen = choose(turned, n)
    k, height = chosen.ks[chosen.best], 100 * chosen.mean[chosen.best]
    draw_vote(plane, chosen.X, chosen.y, int(k))
    draw_points(plane, chosen.X, chosen.y, zorder=3, size=20)
    low, high = 100 * (chosen.mean - chosen.error), 100 * (chosen.mean + chosen.error)
    curve.fill_between(chosen.ks, low, high, color=_BAND, linewidth=0, zorder=1)
    curve.plot(chosen.ks, 100 * chosen.mean, color=BOUNDARY, zorder=3)
    if chosen.truth is not None:
        curve.plot(chosen.ks, 100 * chosen.truth, ":", color=BOUNDARY, zorder=2)
    curve.plot([k, k], [0, height], color=ACCENT, linewidth=1.4, zorder=3)
    curve.plot(k, height, "o", color=ACCENT, markersize=9, markeredgecolor="white", zorder=4)


def _describe_choice(turned, n, choose):
    chosen = choose(turned, n)
    best = chosen.best
    text = (
        f"{turned:g} % wrong labels, {n} points: cross-validation chooses k = {chosen.ks[best]}, with "
        f"{100 * chosen.mean[best]:.1f} % right (± {100 * chosen.error[best]:.1f} standard error); k = 1 has "
        f"{100 * chosen.mean[0]:.1f} %."
    )
    if chosen.truth is None:
        return text
    top = int(chosen.truth.argmax())
    return (
        f"{text} On fresh points the chosen k is right for {100 * chosen.truth[best]:.1f} %; the best would be "
        f"k = {chosen.ks[top]} with {100 * chosen.truth[top]:.1f} %."
    )
