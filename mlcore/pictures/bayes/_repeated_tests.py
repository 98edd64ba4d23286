"""Picture of chapter 16: the posterior of one test is the prior of the next."""

import numpy as np

from mlcore.bayes import bayes_rule
from mlcore.explore import Control, Explorable, choice
from mlcore.pictures.bayes._diagnostic_test import percent
from mlcore.pictures.drawing.probability_bars import BEFORE, bar_axes, draw_bars
from mlcore.pictures.drawing.readout import minus, probability
from mlcore.pictures.drawing.visual_language import ACCENT, NEGATIVE, POSITIVE, draw_arrow, panel_axes

__all__ = ["beliefs", "repeated_tests"]

SENSITIVITY = 0.9
_RESULTS = ("+", "−", "++", "+−", "−+", "−−", "+++")
_PREVALENCES, _SPECIFICITIES = (0.001, 0.01, 0.1, 0.5), (0.8, 0.9, 0.95, 0.99)
_ORDINALS = ("first", "second", "third")
_ODDS = (-6.5, 6.5)  # powers of ten


def repeated_tests():
    """Return p(ill) after one, two or three tests, beside the odds, on whose scale each result is a fixed step.

    Returns
    -------
    Explorable
    """
    return Explorable(
        title="Today's posterior is tomorrow's prior",
        controls=(
            choice("results", "results in turn", _RESULTS, start="++"),
            Control("prevalence", "prevalence p(ill)", "slider", _PREVALENCES, _PREVALENCES, 0.01, percent),
            Control(
                "specificity", "specificity p(− | healthy)", "slider", _SPECIFICITIES, _SPECIFICITIES, 0.95, percent
            ),
        ),
        frame=_frame,
        draw=_draw,
        describe=_describe,
        size=(8.6, 4.0),
        panels=2,
    )


def beliefs(results, prevalence, specificity, sensitivity=SENSITIVITY):
    """Return p(ill) before the first test and after each one, by Bayes' rule a result at a time.

    Parameters
    ----------
    results : str
        A "+" or "−" for every test; given the state of the person the results do not depend on each other.
    prevalence, specificity, sensitivity : float
        Probabilities strictly between 0 and 1.

    Returns
    -------
    numpy.ndarray of shape (number of tests + 1,)

    Examples
    --------
    >>> beliefs("++", 0.01, 0.95).round(4)
    array([0.01  , 0.1538, 0.766 ])
    """
    state = np.array([prevalence, 1 - prevalence])
    path = [prevalence]
    for result in results:
        positive = np.array([sensitivity, 1 - specificity])
        state = bayes_rule(state, positive if result == "+" else 1 - positive).probabilities
        path.append(state[0])
    return np.array(path)


def _frame(figure):
    bars, odds = panel_axes(figure)
    places = np.arange(1 + max(map(len, _RESULTS)))
    names = ("before", *(f"after the\n{ordinal}" for ordinal in _ORDINALS))
    bar_axes(bars, names, "p(ill)", places)
    odds.set(
        xlim=_ODDS, ylim=(places[-1] + 0.6, -0.6), title="The same as odds: + steps right, − steps left",
        xlabel="odds of being ill, p(ill) : p(healthy)",
    )  # fmt: skip
    odds.set_xticks([-6, -4, -2, 0, 2, 4, 6], ["1:10⁶", "1:10⁴", "1:100", "1:1", "100:1", "10⁴:1", "10⁶:1"])
    odds.set_yticks(places, [])
    odds.tick_params(axis="y", length=0)
    odds.axvline(0, color=BEFORE, linewidth=1.0, zorder=0)
    odds.grid(axis="x", zorder=0)


def _draw(figure, results, prevalence, specificity):
    bars, odds = figure.axes
    path = beliefs(results, prevalence, specificity)
    draw_bars(bars, path, color=[BEFORE] + [ACCENT] * len(results))
    places = np.log10(path / (1 - path))
    for step, (result, start, end) in enumerate(zip(results, places, places[1:])):
        draw_arrow(odds, (start, step), (end, step + 1), color=NEGATIVE if result == "+" else POSITIVE)
    odds.plot(places, range(len(places)), "o", color=ACCENT, markersize=9, markeredgecolor="white", zorder=7)


def _describe(results, prevalence, specificity):
    path = beliefs(results, prevalence, specificity)
    plus, less = SENSITIVITY / (1 - specificity), (1 - SENSITIVITY) / specificity
    steps = " → ".join(probability(float(value)) for value in path)
    return minus(
        f"Sensitivity {percent(SENSITIVITY)}, specificity {percent(specificity)}, results {' '.join(results)}: "
        f"p(ill) goes {steps}.\nEach + multiplies the odds by {SENSITIVITY:g}/{1 - specificity:.2g} = {plus:.3g}, "
        f"each − by {1 - SENSITIVITY:.2g}/{specificity:g} = {less:.3g}."
    )
