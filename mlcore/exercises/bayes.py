"""Checks of the exercises of chapter 16. They test what makes an answer right, not one stored answer."""

import warnings
from itertools import pairwise

import numpy as np
from scipy.integrate import quad

from mlcore.bayes import bayes_rule, joint_table, three_boxes
from mlcore.exercises._verdict import right, unanswered, wrong
from mlcore.validation import as_array

__all__ = [
    "check_box_by_lot",
    "check_likelihood_sums",
    "check_predictive_value",
    "check_tables",
    "check_tall_density",
    "check_tests_needed",
]

_TOLERANCE = 1e-3  # forgives three decimals
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
    missing = unanswered(tables=tables)
    if missing is not None:
        return missing
    for counts in _tables_to_try():
        try:
            answer = tuple(tables(counts.copy()))
        except Exception as error:  # whatever the reader's function raises is an answer to report
            return wrong(f"On counts {counts.tolist()}: {type(error).__name__}: {error}.")
        verdict = _judge_tables(counts, answer)
        if not verdict.passed:
            return verdict
    return right("All five tables follow from the counts, on the three boxes and on tables of other shapes.")


def _tables_to_try():
    rng = np.random.default_rng(16)
    return [three_boxes()[0], rng.integers(1, 9, (3, 3)), rng.integers(1, 9, (4, 2))]


def _judge_tables(counts, answer):
    r, c = counts.shape
    shapes = {"p(x, y)": (r, c), "p(x)": (r,), "p(y)": (c,), "p(y | x)": (r, c), "p(x | y)": (r, c)}
    if len(answer) != len(shapes):
        return wrong(f"Expected five tables, {', '.join(shapes)}, got {len(answer)}.")
    try:
        joint, p_x, p_y, y_given_x, x_given_y = (
            as_array(name, value, shape) for (name, shape), value in zip(shapes.items(), answer)
        )
    except ValueError as error:
        return wrong(f"{error}.")
    place = f"On counts {counts.tolist()}: "
    table = joint_table(counts)
    if not np.allclose(joint, table.probabilities):
        if np.isclose(joint.sum(), 1):
            return wrong(f"{place}p(x, y) must be in proportion to the counts, entry by entry.")
        return wrong(f"{place}p(x, y) sums to {joint.sum():.4g}, not 1. Divide by the number of all things.")
    for name, values, axis in (("p(x)", p_x, 1), ("p(y)", p_y, 0)):
        if not np.allclose(values, joint.sum(axis=axis)):
            return wrong(f"{place}{name} must sum p(x, y) over the other variable.")
    for name, values, axis in (("p(y | x)", y_given_x, 1), ("p(x | y)", x_given_y, 0)):
        sums = values.sum(axis=axis)
        if np.allclose(values, joint / joint.sum(axis=axis, keepdims=True)):
            continue
        if np.allclose(values.sum(axis=1 - axis), 1):
            return wrong(f"{place}{name} is turned: it must sum to 1 over the variable before the bar.")
        if not np.allclose(sums, 1):
            return wrong(f"{place}{name} must sum to 1 over the variable before the bar, got {sums.round(4).tolist()}.")
        return wrong(f"{place}{name} sums to 1, but the product rule p(x, y) = p(a | b) p(b) does not hold.")
    return right("All five tables follow from the counts.")


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
    missing = unanswered(sums=sums, posterior_solid=posterior_solid)
    if missing is not None:
        return missing
    try:
        sums, posterior = as_array("sums", sums, (3,)), as_array("posterior_solid", posterior_solid, (2,))
    except ValueError as error:
        return wrong(f"{error}.")
    table = joint_table(*three_boxes())
    likelihood = table.probabilities / table.row_marginal[:, None]
    if np.allclose(sums, 1, atol=_TOLERANCE):
        return wrong("sums: these are sums of p(x | y), a distribution over x. Here x stands behind the bar.")
    for name, given, holds in zip(table.columns, sums, likelihood.sum(axis=0)):
        if abs(given - holds) > _TOLERANCE:
            hint = " (that is the sum for dotted)" if abs(given - likelihood[:, 2].sum()) < 0.005 else ""
            return wrong(f"sums: for the {name} box got {given:.4g}{hint}. Add p({name} | cube) and p({name} | ball).")
    if abs(posterior.sum() - 1) > _TOLERANCE:
        return wrong(
            f"posterior_solid: sums to {posterior.sum():.4g}. Multiply the likelihood by p(x), then divide by the sum."
        )
    if np.allclose(posterior, likelihood[:, 0] / likelihood[:, 0].sum(), atol=_TOLERANCE):
        return wrong("posterior_solid: you made the likelihood sum to 1, but left out the prior p(x).")
    if not np.allclose(posterior, bayes_rule(table.row_marginal, likelihood[:, 0]).probabilities, atol=_TOLERANCE):
        return wrong("posterior_solid: it sums to 1, but is not in proportion to p(solid | x) p(x).")
    return right("The sums are not 1, as a likelihood is no distribution over x; prior and evidence make it one.")


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
    missing = unanswered(p_cube=p_cube, p_box=p_box)
    if missing is not None:
        return missing
    try:
        p_cube, p_box = float(as_array("p_cube", p_cube, ())), as_array("p_box", p_box, (3,))
    except ValueError as error:
        return wrong(f"{error}.")
    counts = three_boxes()[0]
    by_lot = bayes_rule(np.full(3, 1 / 3), counts[0] / counts.sum(axis=0))
    if abs(p_cube - 5 / 12) < _TOLERANCE:
        return wrong("p_cube: 5/12 counts all twelve things as equally likely. By lot, one in a full box is rarer.")
    if abs(p_cube - by_lot.evidence) > _TOLERANCE:
        return wrong(f"p_cube: got {p_cube:.4g}. By the sum rule it is the mean of p(cube | y) over the three boxes.")
    if abs(p_box.sum() - 1) > _TOLERANCE:
        return wrong(f"p_box: sums to {p_box.sum():.4g}, not 1. Divide by p(cube).")
    if not np.allclose(p_box, by_lot.probabilities, atol=_TOLERANCE):
        return wrong("p_box: must be in proportion to p(cube | y) p(y), with p(y) = 1/3 now.")
    return right("Another way to draw is another prior, and so another posterior: 5/13, 6/13, 2/13.")


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
    missing = unanswered(predictive_value=predictive_value)
    if missing is not None:
        return missing
    rng = np.random.default_rng(0)
    cases = [(0.01, 0.9, 0.95), *rng.uniform(0.02, 0.98, (30, 3)).round(3).tolist()]
    answers = []
    for p, s, t in cases:
        try:
            answers.append(float(as_array("predictive_value(...)", predictive_value(p, s, t), ())))
        except Exception as error:  # whatever the reader's function raises is an answer to report
            return wrong(
                f"With prevalence {p:g}, sensitivity {s:g}, specificity {t:g}: {type(error).__name__}: {error}."
            )
    truth = [bayes_rule([p, 1 - p], [s, 1 - t]).probabilities[0] for p, s, t in cases]
    if np.allclose(answers, truth, atol=1e-6):
        return right(f"Prior times likelihood, divided by the evidence: {truth[0]:.3f} for the test of this chapter.")
    for reason, slip in _SLIPS:
        if np.allclose(answers, [slip(*case) for case in cases], atol=1e-6):
            return wrong(reason)
    worst = int(np.argmax(np.abs(np.subtract(answers, truth))))
    p, s, t = cases[worst]
    return wrong(
        f"With prevalence {p:g}, sensitivity {s:g}, specificity {t:g} it gives {answers[worst]:.4g}. Of 1000 people "
        f"{1000 * p * s:.1f} are ill and positive, {1000 * (1 - p) * (1 - t):.1f} healthy and positive."
    )


def check_tests_needed(count, prevalence=0.001, sensitivity=0.9, specificity=0.95, belief=0.95):
    """Check how many positive results in a row it takes to believe in the illness.

    Parameters
    ----------
    count : int
        The smallest number after which p(ill | results) is above `belief`.
    prevalence, sensitivity, specificity, belief : float

    Returns
    -------
    Verdict
    """
    missing = unanswered(count=count)
    if missing is not None:
        return missing
    if isinstance(count, bool) or not isinstance(count, int | np.integer) or not 0 <= count <= 100:
        return wrong(f"count: expected a whole number from 0 to 100, got {count!r}.")

    def after(number):
        return bayes_rule(
            [prevalence, 1 - prevalence], [sensitivity**number, (1 - specificity) ** number]
        ).probabilities[0]

    if after(count) <= belief:
        return wrong(f"After {count} positive results p(ill) is {after(count):.4f}: not above {belief:g}.")
    if count and after(count - 1) > belief:
        return wrong(f"After {count} it is, but after {count - 1} p(ill) is {after(count - 1):.4f} already.")
    return right(f"p(ill) is {after(count - 1):.4f} after {count - 1} and {after(count):.4f} after {count}.")


def check_tall_density(density):
    """Check that the reader's function is a density on [0, 1] that somewhere exceeds 3.

    Parameters
    ----------
    density : callable
        ``density(x)`` of a number x from 0 to 1.

    Returns
    -------
    Verdict
    """
    missing = unanswered(density=density)
    if missing is not None:
        return missing
    grid = (np.arange(2000) + 0.5) / 2000
    edges = np.linspace(0, 1, 101)  # panels narrow enough not to miss a peak
    try:
        values = np.array([float(as_array("density(x)", density(float(x)), ())) for x in grid])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an area that does not converge is judged by its value
            area = sum(quad(density, low, high, limit=200)[0] for low, high in pairwise(edges))
    except Exception as error:  # whatever the reader's function raises is an answer to report
        return wrong(f"{type(error).__name__}: {error}.")
    if values.min() < 0:
        return wrong(f"A density is never negative, but density({grid[values.argmin()]:g}) = {values.min():.4g}.")
    if abs(area - 1) > _TOLERANCE:
        return wrong(f"The area from 0 to 1 is {area:.4g}, not 1. Divide by it.")
    if values.max() <= 3:
        return wrong(f"It is a density, but the largest value is {values.max():.4g}. Make it narrower.")
    return right(f"Area 1, largest value {values.max():.4g}: a density above 1 is no probability above 1.")
