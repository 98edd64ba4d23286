"""Picture of chapter 16: which box is it? Prior, likelihood and posterior as things are drawn from it."""

from functools import partial

import numpy as np

from mlcore.bayes import bayes_rule
from mlcore.errors import ZeroProbabilityEvidence
from mlcore.explore import FOREGROUND, Control, Explorable, choice
from mlcore.pictures.bayes._boxes import read_boxes
from mlcore.pictures.drawing.probability_bars import BEFORE, bar_axes, draw_bars
from mlcore.pictures.drawing.readout import probability
from mlcore.pictures.drawing.visual_language import ACCENT, LEAVING, panel_axes

__all__ = ["box_from_draws"]

_FIRST, _SECOND = 6, 9  # positions of the two sliders
_PRIORS = {"every thing equally likely": "things", "every box equally likely": "boxes"}


def box_from_draws(counts=None, kinds=None, names=None):
    """Return prior, likelihood and posterior of the box that things are drawn from, each put back again.

    Parameters
    ----------
    counts : array_like or pandas.DataFrame of shape (2, k), optional
        How many things of either kind are in each of two to four boxes, up to nine, no box empty; ES p. 101 if left
        out.
    kinds, names : sequence of str, optional
        Names of the two kinds and of the boxes.

    Returns
    -------
    Explorable
    """
    data = read_boxes(counts, kinds, names)
    totals = np.sum(data.counts, axis=0)
    if totals.min() == 0:
        raise ValueError(f"counts: expected no empty box, got one: {data.names[int(totals.argmin())]}")
    first, second = tuple(range(_FIRST)), tuple(range(_SECOND))
    return Explorable(
        title="Which box is it? Every draw from it tells a little",
        controls=(
            Control("first", f"{data.kinds[0]}s drawn", "slider", first, first, 1, str),
            Control("second", f"{data.kinds[1]}s drawn", "slider", second, second, 0, str),
            choice("prior", "beforehand", _PRIORS),
        ),
        frame=partial(_frame, data=data),
        draw=partial(_draw, data=data),
        describe=partial(_describe, data=data),
        size=(8.6, 4.4),
        panels=2,
    )


def _learned(first, second, prior, data):
    """Return prior and likelihood of the boxes, and the posterior or None if no box allows what was drawn."""
    counts = np.array(data.counts)
    totals = counts.sum(axis=0)
    before = totals / totals.sum() if prior == "things" else np.full(len(totals), 1 / len(totals))
    likelihood = np.prod((counts / totals) ** [[first], [second]], axis=0)
    try:
        return before, likelihood, bayes_rule(before, likelihood)
    except ZeroProbabilityEvidence:
        return before, likelihood, None


def _frame(figure, data):
    beliefs, likelihood = panel_axes(figure)
    k = len(data.names)
    bar_axes(beliefs, 2 * data.names, "Prior p(y) and posterior p(y | draws)", _places(k))
    bar_axes(likelihood, data.names, "Likelihood p(draws | y)", np.arange(k), "share of the largest")
    for text, place in (("prior", 0), ("posterior", k + 0.7)):
        beliefs.text(1.22, place, text, ha="right", va="center_baseline", style="italic", zorder=FOREGROUND)


def _places(k):
    return np.concatenate([np.arange(k), k + 0.7 + np.arange(k)])


def _draw(figure, first, second, prior, data):
    left, right = figure.axes
    before, likelihood, learned = _learned(first, second, prior, data)
    k = len(before)
    after = [None] * k if learned is None else learned.probabilities
    draw_bars(left, [*before, *after], _places(k), color=[BEFORE] * k + [ACCENT] * k)
    lengths = likelihood / (likelihood.max() or 1.0)
    draw_bars(right, likelihood, color=LEAVING, lengths=lengths, texts=[f"{value:.3g}" for value in likelihood])


def _describe(first, second, prior, data):
    before, likelihood, learned = _learned(first, second, prior, data)
    drawn = f"Drawn: {first} × {data.kinds[0]}, {second} × {data.kinds[1]}. "
    numbers = ", ".join(f"{value:.3g}" for value in likelihood)
    sums = f"Likelihood {numbers}: the sum is {likelihood.sum():.3g}, and need not be 1.\n"
    if learned is None:
        return f"{drawn}{sums}No box that the prior allows could give these draws: the posterior is not defined."
    after = ", ".join(f"{probability(float(value))} ({name})" for name, value in zip(data.names, learned.probabilities))
    return f"{drawn}{sums}Divided by p(draws) = {learned.evidence:.3g}, prior × likelihood gives the posterior {after}."
