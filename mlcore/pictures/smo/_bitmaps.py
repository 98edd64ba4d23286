"""Picture of chapter 11: rectangles against circles on noisy bitmaps, told apart by sequential minimal optimisation."""

from functools import lru_cache

import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from scipy.stats import binom

from mlcore.datasets import shape_bitmaps
from mlcore.explore import Explorable, choice, linear_slider
from mlcore.pictures.drawing.readout import minus
from mlcore.pictures.drawing.visual_language import ACCENT, BOUNDARY, NEGATIVE, POSITIVE, QUIET, legend_below
from mlcore.svm import smo

__all__ = ["accuracy_of_templates", "noisy_bitmaps", "trained_on_bitmaps"]

SIDE = 16
FRESH = 1000
TRAINING_SEED, FRESH_SEED = 1, 2
TOLERANCE = 1e-8  # tight enough for six equal digits of primal and dual value
SIZES = (10, 40, 160)
_NOISE = linear_slider("noise", "pixels flipped", 0, 0.5, start=0.3, steps=21)
_WEIGHTS = LinearSegmentedColormap.from_list("weights", [NEGATIVE, "white", POSITIVE])


def noisy_bitmaps():
    """Return the exercise of ES p. 77: bitmaps, the weight vector as a picture, and accuracy on fresh bitmaps.

    Controls for the share of flipped pixels and for the number of training bitmaps.

    Returns
    -------
    Explorable
    """
    return Explorable(
        title="Rectangle or circle? The weight vector is a picture, too",
        controls=(_NOISE, choice("n", "training bitmaps", {str(n): n for n in SIZES}, start=40)),
        frame=_bitmap_frame,
        draw=_draw_bitmaps,
        describe=_describe_bitmaps,
        size=(8.6, 4.4),
        panels=2,
    )


@lru_cache(maxsize=256)
def trained_on_bitmaps(n, noise):
    """Train the linear machine with C = 1 on noisy bitmaps.

    Parameters
    ----------
    n : int
        Number of training bitmaps.
    noise : float
        Probability that a pixel is flipped, in training and in fresh bitmaps.

    Returns
    -------
    w : numpy.ndarray of shape (256,)
    b : float
    training, fresh : float
        Share of bitmaps that the machine gets right: those it has seen, and 1000 that it has not.
    result : mlcore.svm.SMOResult
    """
    X, y = shape_bitmaps(n, noise, seed=TRAINING_SEED)
    result = smo(X @ X.T, y, C=1.0, tolerance=TOLERANCE, compiled=False)
    w = (result.alpha * y) @ X
    fresh, truth = shape_bitmaps(FRESH, noise, seed=FRESH_SEED)
    return w, result.b, _share_right(X, y, w, result.b), _share_right(fresh, truth, w, result.b), result


def _share_right(X, y, w, b):
    return float((np.where(X @ w + b > 0, 1, -1) == y).mean())


def accuracy_of_templates(noise):
    """Return how often the nearer of the two clean pictures is the right one: no rule does better.

    Parameters
    ----------
    noise : float
        Probability that a pixel is flipped, up to 0.5.

    Returns
    -------
    float
        Of the pixels in which the clean pictures differ, less than half must be flipped; a tie is a coin toss.

    Examples
    --------
    >>> accuracy_of_templates(0.0), round(accuracy_of_templates(0.5), 6)
    (1.0, 0.5)
    """
    (rectangle, circle), _ = shape_bitmaps(n=2, noise=0.0)
    pixels = int((rectangle != circle).sum())
    flipped = np.arange(pixels + 1)
    right = np.where(2 * flipped < pixels, 1.0, np.where(2 * flipped == pixels, 0.5, 0.0))
    return float(binom.pmf(flipped, pixels, noise) @ right)


def _bitmap_frame(figure):
    pictures, chart = figure.subfigs
    axes = pictures.subplot_mosaic([["rectangle", "w", "w"], ["circle", "w", "w"]])
    for name, title in (("rectangle", "a rectangle"), ("circle", "a circle"), ("w", "weight vector w")):
        axes[name].set(title=title, xlim=(-0.5, SIDE - 0.5), ylim=(SIDE - 0.5, -0.5), aspect="equal")
        axes[name].set_xticks([])
        axes[name].set_yticks([])
    axes["w"].set_xlabel("blue: ink speaks for a rectangle,\norange: for a circle")
    curve = chart.subplots()
    curve.set(
        xlim=(-0.01, 0.51), ylim=(0.45, 1.02), xlabel="share of pixels flipped",
        ylabel="share of bitmaps right", title="Accuracy",
    )  # fmt: skip
    noise = np.linspace(0, 0.5, 101)
    curve.plot(noise, [accuracy_of_templates(p) for p in noise], color=QUIET, linestyle=":", linewidth=1.6, zorder=1)
    legend_below(chart, ("fresh", "fresh bitmaps"), "training", ("random pairs", "no rule does better"))


def _draw_bitmaps(figure, noise, n):
    rectangle, weights, circle, curve = figure.axes
    X, _ = shape_bitmaps(n, noise, seed=TRAINING_SEED)
    for axes, bitmap in zip((rectangle, circle), X):
        axes.imshow(bitmap.reshape(SIDE, SIDE), cmap="gray_r", vmin=0, vmax=1, interpolation="nearest")
    w, *_ = trained_on_bitmaps(n, noise)
    reach = np.abs(w).max()
    weights.imshow(w.reshape(SIDE, SIDE), cmap=_WEIGHTS, vmin=-reach, vmax=reach, interpolation="nearest")
    _, _, training, fresh, _ = zip(*(trained_on_bitmaps(n, p) for p in _NOISE.values))
    curve.plot(_NOISE.values, training, color=QUIET, linestyle="--", linewidth=1.6, zorder=1.5)
    curve.plot(_NOISE.values, fresh, color=BOUNDARY, linewidth=2, zorder=2)
    curve.plot(
        noise, trained_on_bitmaps(n, noise)[3], "o", color=ACCENT, markersize=9, markeredgecolor="white", zorder=3
    )


def _describe_bitmaps(noise, n):
    _, _, training, fresh, result = trained_on_bitmaps(n, noise)
    return minus(
        f"{n} bitmaps, {100 * noise:g} % of the pixels flipped: {100 * training:.1f} % of the training bitmaps right, "
        f"{100 * fresh:.1f} % of {FRESH} fresh ones; no rule can expect more than "
        f"{100 * accuracy_of_templates(noise):.1f} %.\n"
        f"{int((result.alpha > 0).sum())} support vectors. Certificate: {result.certificate}."
    )
