"""Picture of chapter 16: what a positive test means, told by a thousand people."""

from typing import NamedTuple

import numpy as np
from matplotlib.patches import Patch

from mlcore.bayes import JointTable
from mlcore.explore import FOREGROUND, Control, Explorable
from mlcore.pictures.drawing.probability_bars import BEFORE, bar_axes, draw_bars
from mlcore.pictures.drawing.readout import probability
from mlcore.pictures.drawing.visual_language import ACCENT, panel_axes

__all__ = ["ScreenedPeople", "diagnostic_test", "percent", "screened_people"]

PREVALENCES = (0.001, 0.005, 0.01, 0.05, 0.2, 0.5)
SENSITIVITIES = (0.5, 0.8, 0.9, 0.99)
SPECIFICITIES = (0.5, 0.8, 0.9, 0.95, 0.99)
_ROWS, _COLUMNS = 25, 40
_KINDS = ("ill, positive", "ill, negative", "healthy, positive", "healthy, negative")
_COLORS = ("#D55E00", "#F6C29E", "#0072B2", "#D4E6F2")


class ScreenedPeople(NamedTuple):
    """What a test of known quality says about people of whom a known share is ill.

    Attributes
    ----------
    table : JointTable
        Rows "ill" and "healthy", columns "positive" and "negative".
    counts : tuple of int
        Of a thousand people, rounded so that the sum is kept: ill and positive, ill and negative, healthy and
        positive, healthy and negative.
    """

    table: JointTable
    counts: tuple


def screened_people(prevalence, sensitivity, specificity):
    """Return the joint table of state and result.

    Parameters
    ----------
    prevalence : float
        p(ill), strictly between 0 and 1 as the other two.
    sensitivity : float
        p(positive | ill).
    specificity : float
        p(negative | healthy).

    Returns
    -------
    ScreenedPeople
    """
    for name, value in (("prevalence", prevalence), ("sensitivity", sensitivity), ("specificity", specificity)):
        if not 0 < value < 1:
            raise ValueError(f"{name}: expected a probability strictly between 0 and 1, got {value!r}")
    given_state = np.array([[sensitivity, 1 - sensitivity], [1 - specificity, specificity]])
    joint = given_state * np.array([[prevalence], [1 - prevalence]])
    exact = 1000 * joint.ravel()
    counts = np.floor(exact + 1e-9).astype(int)
    # The largest remainders get the people that rounding down has left over.
    for place in np.argsort(counts - exact, kind="stable")[: 1000 - counts.sum()]:
        counts[place] += 1
    return ScreenedPeople(JointTable(joint, ("ill", "healthy"), ("positive", "negative")), tuple(counts.tolist()))


def diagnostic_test():
    """Return a thousand tested people, with sliders for prevalence, sensitivity and specificity.

    Returns
    -------
    Explorable
    """
    return Explorable(
        title="A thousand people are screened. Who of the positive ones is ill?",
        controls=(
            Control("prevalence", "prevalence p(ill)", "slider", PREVALENCES, PREVALENCES, 0.01, percent),
            Control("sensitivity", "sensitivity p(+ | ill)", "slider", SENSITIVITIES, SENSITIVITIES, 0.9, percent),
            Control("specificity", "specificity p(− | healthy)", "slider", SPECIFICITIES, SPECIFICITIES, 0.95, percent),
        ),
        frame=_frame,
        draw=_draw,
        describe=_describe,
        size=(8.6, 4.2),
        panels=2,
    )


def percent(value):
    """Return a probability as a percentage, as it stands at a slider."""
    return f"{100 * value:g} %"


def _frame(figure):
    people, bars = panel_axes(figure)
    people.set(xlim=(0, _COLUMNS), ylim=(_ROWS, 0), aspect="equal", title="Each cell is one person of 1000")
    people.set_axis_off()
    grid = dict(color="white", linewidth=0.9, zorder=FOREGROUND)
    people.vlines(np.arange(_COLUMNS + 1), 0, _ROWS, **grid)
    people.hlines(np.arange(_ROWS + 1), 0, _COLUMNS, **grid)
    handles = [Patch(facecolor=color, label=kind) for color, kind in zip(_COLORS, _KINDS)]
    figure.subfigs[0].legend(handles=handles, loc="outside lower center", ncols=2)
    bar_axes(bars, ("before\nthe test", "after a\npositive one", "after a\nnegative one"), "p(ill)")


def _draw(figure, prevalence, sensitivity, specificity):
    people, bars = figure.axes
    screened = screened_people(prevalence, sensitivity, specificity)
    kinds = np.repeat(np.arange(4), screened.counts).reshape(_COLUMNS, _ROWS).T
    palette = np.array([[int(color[k : k + 2], 16) for k in (1, 3, 5)] for color in _COLORS], dtype=np.uint8)
    people.imshow(palette[kinds], extent=(0, _COLUMNS, _ROWS, 0), interpolation="none", aspect="equal", zorder=1)
    after = (screened.table.given_column(result)[0] for result in screened.table.columns)
    draw_bars(bars, (prevalence, *after), color=[BEFORE, ACCENT, ACCENT])


def _describe(prevalence, sensitivity, specificity):
    screened = screened_people(prevalence, sensitivity, specificity)
    (hit, missed), (alarm, _) = screened.table.probabilities
    after = [probability(float(screened.table.given_column(result)[0])) for result in screened.table.columns]
    return (
        f"Ill among 1000 people: {1000 * prevalence:g}, of whom the test finds {1000 * hit:.4g} and misses "
        f"{1000 * missed:.3g}. Healthy: {1000 * (1 - prevalence):g}, of whom it alarms {1000 * alarm:.4g}.\n"
        f"p(ill | positive) = {1000 * hit:.4g} / ({1000 * hit:.4g} + {1000 * alarm:.4g}) = {after[0]}; "
        f"p(ill | negative) = {after[1]}; p(positive) = {probability(float(hit + alarm))}."
    )
