"""Checks of the exercises of chapter 16. They test what makes an answer right, not one stored answer."""

import warnings
from itertools import pairwise

import numpy as np
from scipy.integrate import IntegrationWarning, quad

from mlcore.bayes import bayes_rule, joint_table, three_boxes
from mlcore.exercises._answers import agree, array, function, number, parts, truth
from mlcore.exercises._verdict import check, refuse

__all__ = [
    "check_box_by_lot",
    "check_likelihood_sums",
    "check_predictive_value",
    "check_tables",
    "check_tall_density",
    "check_tests_needed",
]

_GRID = (np.arange(2000) + 0.5) / 2000
_SLIPS = (  # wrong formulas for p(ill | positive) from prevalence p, sensitivity s and specificity t
    (
        "This is the sensitivity, p(positive | ill). The question has the bar the other way round.",
        lambda p, s, t: s,
    ),
    (
        "This is p(ill, positive). Divide by the probability of a positive result.",
        lambda p, s, t: p * s,
    ),
    (
        "The prevalence has been left out: ill and healthy people are not equally many.",
        lambda p, s, t: s / (s + 1 - t),
    ),
    (
        "In p(positive) the healthy contribute false alarms, p(positive | healthy) = 1 − specificity.",
        lambda p, s, t: p * s / (p * s + (1 - p) * t),
    ),
    (
        "This is p(ill | negative).",
        lambda p, s, t: p * (1 - s) / (p * (1 - s) + (1 - p) * t),
    ),
)


@check
def check_tables(tables):
    """Check the reader's function from counts to all tables of ES Fig. 46 and 47.

    It is tried on the three boxes and on tables of other shapes.

    Parameters
    ----------
    tables : callable
        ``tables(counts)`` takes an array of shape (r, c), with a row for every value of x, and returns the joint
        p(x, y) of shape (r, c), p(x) of shape (r,), p(y) of shape (c,), p(y | x) and p(x | y) of shape (r, c).

    Returns
    -------
    Verdict
    """
    ask = function("tables", tables, "counts")
    rng = np.random.default_rng(16)
    for counts in (three_boxes()[0], rng.integers(1, 9, (3, 3)), rng.integers(1, 9, (4, 2))):
        _require_tables(counts, ask(counts))
    return "All five tables follow from the counts, on the three boxes and on tables of other shapes."


def _require_tables(counts, answer):
    r, c = counts.shape
    shapes = {"p(x, y)": (r, c), "p(x)": (r,), "p(y)": (c,), "p(y | x)": (r, c), "p(x | y)": (r, c)}
    place = f"On counts {counts.tolist()}: "
    joint, p_x, p_y, y_given_x, x_given_y = (
        array(place + name, value, shape)
        for (name, shape), value in zip(shapes.items(), parts("tables", answer, tuple(shapes)))
    )
    if not np.allclose(joint, joint_table(counts).probabilities):
        if np.isclose(joint.sum(), 1):
            refuse(f"{place}p(x, y) must be in proportion to the counts, entry by entry.")
        refuse(f"{place}p(x, y) sums to {joint.sum():.4g}, not 1. Divide by the number of all things.")
    for name, values, axis in (("p(x)", p_x, 1), ("p(y)", p_y, 0)):
        if not np.allclose(values, joint.sum(axis=axis)):
            refuse(f"{place}{name} must sum p(x, y) over the other variable.")
    for name, values, axis in (("p(y | x)", y_given_x, 1), ("p(x | y)", x_given_y, 0)):
        sums = values.sum(axis=axis)
        if np.allclose(values, joint / joint.sum(axis=axis, keepdims=True)):
            continue
        if np.allclose(values.sum(axis=1 - axis), 1):
            refuse(f"{place}{name} is turned: it must sum to 1 over the variable before the bar.")
        if not np.allclose(sums, 1):
            refuse(f"{place}{name} must sum to 1 over the variable before the bar, got {sums.round(4).tolist()}.")
        refuse(f"{place}{name} sums to 1, but the product rule p(x, y) = p(a | b) p(b) does not hold.")


@check
def check_likelihood_sums(sums, posterior_solid):
    """Check, for every box, the sum over the objects of p(y | x), and the posterior for the solid box (ES p. 103).

    Parameters
    ----------
    sums : array_like of shape (3,)
        Σ_x p(y | x) for y solid, dashed, dotted.
    posterior_solid : array_like of shape (2,)
        p(x | solid) for x cube and ball.

    Returns
    -------
    Verdict
    """
    sums, posterior = array("sums", sums, (3,)), array("posterior_solid", posterior_solid, (2,))
    table = joint_table(*three_boxes())
    likelihood = table.probabilities / table.row_marginal[:, None]
    if np.allclose(sums, 1, atol=1e-3):
        refuse("sums: these are sums of p(x | y), a distribution over x. Here x stands behind the bar.")
    if abs(sums[0] - likelihood[:, 2].sum()) < 0.005:
        refuse(f"sums: for the solid box got {sums[0]:.4g} (that is the sum for dotted).")
    agree("sums", sums, likelihood.sum(axis=0), hint="For each box y add p(y | cube) and p(y | ball).")
    if abs(posterior.sum() - 1) > 2e-3:
        refuse(
            f"posterior_solid: sums to {posterior.sum():.4g}. Multiply the likelihood by p(x), then divide by the sum."
        )
    if np.allclose(posterior, likelihood[:, 0] / likelihood[:, 0].sum(), atol=1e-3):
        refuse("posterior_solid: you made the likelihood sum to 1, but left out the prior p(x).")
    holds = bayes_rule(table.row_marginal, likelihood[:, 0]).probabilities
    agree("posterior_solid", posterior, holds, hint="It sums to 1, but is not in proportion to p(solid | x) p(x).")
    return "The sums are not 1, as a likelihood is no distribution over x; prior and evidence make it one."


@check
def check_box_by_lot(p_cube, p_box):
    """Check p(cube) and p(y | cube) when first a box is drawn by lot, then a thing from it.

    Parameters
    ----------
    p_cube : float
    p_box : array_like of shape (3,)
        For y solid, dashed, dotted.

    Returns
    -------
    Verdict
    """
    p_cube, p_box = number("p_cube", p_cube), array("p_box", p_box, (3,))
    counts = three_boxes()[0]
    by_lot = bayes_rule(np.full(3, 1 / 3), counts[0] / counts.sum(axis=0))
    if abs(p_cube - 5 / 12) < 1e-3:
        refuse("p_cube: 5/12 counts all twelve things as equally likely. By lot, one in a full box is rarer.")
    agree("p_cube", p_cube, by_lot.evidence, hint="By the sum rule it is the mean of p(cube | y) over the three boxes.")
    if abs(p_box.sum() - 1) > 3e-2:
        refuse(f"p_box: sums to {p_box.sum():.4g}, not 1. Divide by p(cube).")
    agree(
        "p_box", p_box, by_lot.probabilities, hint="It must be in proportion to p(cube | y) p(y), with p(y) = 1/3 now."
    )
    return "Another way to draw is another prior, and so another posterior: 5/13, 6/13, 2/13."


@check
def check_predictive_value(predictive_value):
    """Check the reader's function for p(ill | positive), on thirty tests of all kinds.

    Parameters
    ----------
    predictive_value : callable
        ``predictive_value(prevalence, sensitivity, specificity)`` returns p(ill | positive).

    Returns
    -------
    Verdict
    """
    ask = function("predictive_value", predictive_value, "prevalence, sensitivity and specificity")
    rng = np.random.default_rng(0)
    cases = [(0.01, 0.9, 0.95), *rng.uniform(0.02, 0.98, (30, 3)).round(3).tolist()]
    answers = [number("predictive_value(...)", ask(*case)) for case in cases]
    holds = [bayes_rule([p, 1 - p], [s, 1 - t]).probabilities[0] for p, s, t in cases]
    if np.allclose(answers, holds, atol=1e-6):
        return f"Prior times likelihood, divided by the evidence: {holds[0]:.3f} for the test of this chapter."
    for reason, slip in _SLIPS:
        if np.allclose(answers, [slip(*case) for case in cases], atol=1e-6):
            refuse(reason)
    worst = int(np.argmax(np.abs(np.subtract(answers, holds))))
    p, s, t = cases[worst]
    return refuse(
        f"With prevalence {p:g}, sensitivity {s:g}, specificity {t:g} it gives {answers[worst]:.4g}. Of 1000 people "
        f"{1000 * p * s:.1f} are ill and positive, {1000 * (1 - p) * (1 - t):.1f} healthy and positive."
    )


@check
def check_tests_needed(count, prevalence=0.001, sensitivity=0.9, specificity=0.95, belief=0.95):
    """Check how many positive results in a row it takes to believe in the illness.

    Parameters
    ----------
    count : int
        The smallest number after which p(ill | results) is above `belief`; 4.0 is a whole number too.
    prevalence, sensitivity, specificity, belief : float

    Returns
    -------
    Verdict
    """
    count = number("count", count, whole=True, least=0, most=100)

    def after(results):
        return bayes_rule(
            [prevalence, 1 - prevalence], [sensitivity**results, (1 - specificity) ** results]
        ).probabilities[0]

    if after(count) <= belief:
        refuse(f"After {count} positive results p(ill) is {after(count):.4f}: not above {belief:g}.")
    if count and after(count - 1) > belief:
        refuse(f"After {count} it is, but after {count - 1} p(ill) is {after(count - 1):.4f} already.")
    return f"p(ill) is {after(count - 1):.4f} after {count - 1} and {after(count):.4f} after {count}."


@check
def check_tall_density(density, everywhere):
    """Check that the reader's function is a density on [0, 1] that somewhere exceeds 3, and whether one can everywhere.

    Parameters
    ----------
    density : callable
        ``density(x)`` of a number x from 0 to 1.
    everywhere : bool
        Whether a density on [0, 1] can exceed 3 everywhere.

    Returns
    -------
    Verdict
    """
    ask, above_everywhere = function("density", density, "x"), truth("everywhere", everywhere)

    def value(x):
        return number(f"density({x:.4g})", ask(float(x)))

    values = np.array([value(x) for x in _GRID])
    if values.min() < 0:
        refuse(f"A density is never negative, but density({_GRID[values.argmin()]:g}) = {values.min():.4g}.")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", IntegrationWarning)  # an area that does not converge is judged by its value
        area = sum(quad(value, low, high, limit=200)[0] for low, high in pairwise(np.linspace(0, 1, 101)))
    if abs(area - 1) > 1e-3:
        refuse(f"The area from 0 to 1 is {area:.4g}, not 1. Divide by it.")
    if values.max() <= 3:
        refuse(f"It is a density, but the largest value is {values.max():.4g}. Make it narrower.")
    if above_everywhere:
        refuse("density is right. But above 3 everywhere: what would the area from 0 to 1 be at least?")
    return f"Area 1, largest value {values.max():.4g}: a density above 1 is no probability above 1."
