"""Picture of chapter 3: handwritten digits look for the digits they resemble."""

from functools import lru_cache

import numpy as np
from matplotlib.patches import Rectangle

from mlcore.datasets import digit_split
from mlcore.explore import Control, Explorable
from mlcore.neighbors import KNeighborsClassifier
from mlcore.pictures.drawing.visual_language import ACCENT, QUIET

__all__ = ["digit_neighbours"]

_EXAMPLES = (3, 22, 30, 38, 95, 149, 202, 242, 361, 409, 628, 765)  # fresh digits, easy and hard ones
_KS = (1, 3, 5)
_WIDTH, _HEIGHT, _GAP = 5.0, 3.9, 0.08


def digit_neighbours():
    """Return a fresh handwritten digit, its five nearest among 1000 known ones, and their vote.

    Returns
    -------
    Explorable
    """
    places = tuple(range(len(_EXAMPLES)))
    return Explorable(
        title="Which known digits does it resemble?",
        controls=(
            Control("example", "fresh digit", "slider", places, places, 0, lambda place: f"{place + 1}"),
            Control("k", "neighbours k", "slider", _KS, _KS, 1, str),
        ),
        frame=_digits_frame,
        draw=_draw_digits,
        describe=_describe_digits,
        size=(4.6, 3.8),
    )


@lru_cache(maxsize=1)
def _asked():
    """Return the examples, their digits, and for each k their labels and the accuracy on all fresh digits."""
    X, y, fresh_X, fresh_y = digit_split()
    models = {k: KNeighborsClassifier(k=k).fit(X, y) for k in _KS}
    predicted = {k: model.predict(fresh_X) for k, model in models.items()}
    examples = list(_EXAMPLES)
    distances, rows = models[max(_KS)].kneighbors(fresh_X[examples])
    labels = {k: digits[examples] for k, digits in predicted.items()}
    accuracy = {k: float((digits == fresh_y).mean()) for k, digits in predicted.items()}
    return X, y, fresh_X[examples], fresh_y[examples], distances, rows, labels, accuracy


def _digits_frame(figure):
    axes = figure.subplots()
    axes.set(xlim=(0, _WIDTH), ylim=(0, _HEIGHT), aspect="equal")
    axes.set_axis_off()
    axes.text(0, 1.32, "nearest of 1000 known digits: label and distance", color=QUIET, fontsize=9.5)


def _draw_image(axes, pixels, left, bottom, side, alpha=1.0, frame=QUIET, width=0.8):
    extent = (left, left + side, bottom, bottom + side)
    axes.imshow(
        pixels.reshape(8, 8), cmap="gray_r", vmin=0, vmax=16, extent=extent, aspect="equal", alpha=alpha, zorder=1
    )
    axes.add_patch(Rectangle((left, bottom), side, side, facecolor="none", edgecolor=frame, linewidth=width, zorder=2))


def _draw_digits(figure, example, k):
    axes = figure.axes[0]
    X, y, fresh_X, fresh_y, distances, rows, labels, _ = _asked()
    _draw_image(axes, fresh_X[example], 0.0, 1.75, 2.05)
    said, truth = labels[k][example], fresh_y[example]
    axes.text(2.3, 3.25, f"{k}-NN says {said}", fontsize=13, weight="bold")
    axes.text(2.3, 2.75, f"it is {truth}" + ("" if said == truth else ", so this is an error"), fontsize=11)
    for place, (distance, row) in enumerate(zip(distances[example], rows[example])):
        asked = place < k
        side = _WIDTH / 5 - _GAP
        left = place * _WIDTH / 5 + _GAP / 2
        look = dict(frame=ACCENT, width=2.2) if asked else dict(alpha=0.35)
        _draw_image(axes, X[row], left, 0.32, side, **look)
        axes.text(
            left + side / 2, 0.0, f"{y[row]} at {distance:.1f}" if asked else f"{y[row]}", ha="center", fontsize=9.5,
            color="black" if asked else QUIET,
        )  # fmt: skip


def _describe_digits(example, k):
    _, y, _, fresh_y, distances, rows, labels, accuracy = _asked()
    voters = ", ".join(f"{y[row]} at {distance:.1f}" for row, distance in zip(rows[example, :k], distances[example]))
    counts = np.bincount(y[rows[example, :k]])
    tie = "" if (counts == counts.max()).sum() == 1 else " after a tie, by the smaller sum of distances"
    return (
        f"Digit {example + 1} of {len(_EXAMPLES)}, k = {k}. Asked: {voters}. Verdict {labels[k][example]}{tie}; it is "
        f"{fresh_y[example]}. Of all 797 fresh digits {100 * accuracy[k]:.1f} % are right."
    )
