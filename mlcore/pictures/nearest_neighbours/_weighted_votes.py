"""Picture of chapter 3: votes weighed by similarity, so that the closest neighbours count most."""

from functools import partial

import numpy as np

from mlcore.explore import Control, Explorable, log_slider
from mlcore.neighbors import KNeighborsClassifier
from mlcore.pictures.drawing.readout import minus
from mlcore.pictures.drawing.sample_data import labelled_data
from mlcore.pictures.drawing.visual_language import ACCENT, NEGATIVE, POSITIVE, legend_below, panel_axes, star_point
from mlcore.pictures.nearest_neighbours._nearest_neighbours import (
    class_name,
    neighbour_axes,
    objects_of_metal_and_wood,
)
from mlcore.pictures.nearest_neighbours._neighbour_regions import draw_weighted_vote, similarities
from mlcore.validation import as_array

__all__ = ["weighted_votes"]

_SPREAD = 6.0  # of the twelve objects, for which widths from 0.5 to 50 say something


def weighted_votes(X=None, y=None, unknown=None, names=None):
    """Return the sum of weighed votes, Σ K(u, xₙ) yₙ, with sliders for k and for the width of K (MW eq. 5.1).

    The similarity is K(u, x) = exp(−‖u − x‖ / width).

    Parameters
    ----------
    X : array_like or pandas.DataFrame of shape (n, 2), optional
        Points; the objects of metal and wood if left out.
    y : array_like of shape (n,), optional
        Two classes of any name.
    unknown : array_like of shape (2,), optional
        The object that asks; by default the mean of the points.
    names : (str, str), optional
        Names of the axes, if `X` has none of its own.

    Returns
    -------
    Explorable
    """
    unit = 1.0
    if X is None:
        data, unknown = objects_of_metal_and_wood()
    else:
        data = labelled_data(X, y, names)
        unknown = data.X.mean(axis=0) if unknown is None else as_array("unknown", unknown, (2,))
    if X is not None and data.spread > 0:
        unit = 10.0 ** round(np.log10(data.spread / _SPREAD))  # as wide, beside the points, as beside ours
    ks = tuple(sorted({k for k in (1, 3, 5, 7) if k < len(data.y)} | {len(data.y)}))
    return Explorable(
        title="Every neighbour votes, the closer the louder",
        controls=(
            Control("k", "neighbours k", "slider", ks, ks, min(3, ks[-1]), str),
            log_slider("width", "width of K", 0.5 * unit, 50 * unit, start=50 * unit, steps=21, page_every=2),
        ),
        frame=partial(_votes_frame, data=data, unknown=unknown),
        draw=partial(_draw_votes, data=data, unknown=unknown),
        describe=partial(_describe_votes, data=data, unknown=unknown),
        size=(8.6, 4.4),
        panels=2,
    )


def _terms(k, width, data, unknown):
    """Return the votes K(u, xₙ) yₙ, the nearest point first, their rows, and the class that wins."""
    model = KNeighborsClassifier(k=k, weights="exponential", width=width).fit(data.X, data.y)
    distances, rows = model.kneighbors(unknown[None])
    return similarities(distances[0], width) * data.y[rows[0]], rows[0], int(model.predict(unknown[None])[0])


def _votes_frame(figure, data, unknown):
    plane, scale = panel_axes(figure)
    neighbour_axes(plane, data)
    legend_below(figure.subfigs[0], *data.signs, "unknown", "neighbour", "boundary")
    scale.set(
        xlim=(-1.5, 1.5), ylim=(2.7, -0.7), xlabel="share of all votes", title="Who is louder?",
    )  # fmt: skip
    scale.set_yticks((0, 1, 2), (*data.classes, "difference"))
    scale.set_xticks((-1, -0.5, 0, 0.5, 1))
    scale.axvline(0, color="#9a9a9a", linewidth=1.0, zorder=3)


def _draw_votes(figure, k, width, data, unknown):
    plane, scale = figure.axes
    draw_weighted_vote(plane, data.X, data.y, k, width)
    votes, rows, _ = _terms(k, width, data, unknown)
    loudest = np.abs(votes).max() or 1.0
    for vote, row in zip(votes, rows):
        line = np.array([unknown, data.X[row]]).T
        plane.plot(*line, color=ACCENT, linewidth=0.4 + 3.6 * abs(vote) / loudest, zorder=4)
    star_point(plane, unknown)
    total = np.abs(votes).sum() or 1.0
    sums = [votes[votes > 0].sum() / total, votes[votes < 0].sum() / total]
    for place, (length, colour) in enumerate(zip((*sums, sum(sums)), (POSITIVE, NEGATIVE, ACCENT))):
        scale.barh(place, length, height=0.6, color=colour)
        scale.annotate(
            minus(f"{abs(length):.3f}" if place < 2 else f"{length:+.3f}"),
            (length, place), (5 if length >= 0 else -5, 0), textcoords="offset points",
            ha="left" if length >= 0 else "right", va="center", fontsize=9.5,
        )  # fmt: skip


def _describe_votes(k, width, data, unknown):
    votes, _, winner = _terms(k, width, data, unknown)
    terms = " ".join(f"{vote:+.4f}" for vote in votes)
    total = votes.sum()
    outcome = f" {'>' if total > 0 else '<'} 0: {class_name(data, winner)}."
    if abs(total) < 1e-9 * np.abs(votes).sum():
        outcome = f". A tie; the smaller sum of distances decides: {class_name(data, winner)}."
    return minus(f"k = {k}, width {width:g}. Votes K(u, x)·y, the nearest first:\n{terms} = {total:+.4f}{outcome}")
