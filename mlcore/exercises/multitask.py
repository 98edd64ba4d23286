"""Checks of the exercises of chapter 19. They test what makes an answer right, not one stored answer."""

import numpy as np

from mlcore.errors import NotAKernel
from mlcore.exercises import _answers
from mlcore.exercises._answers import array, function, number, parts
from mlcore.exercises._verdict import check, refuse
from mlcore.gaussian_process import (
    MultiTaskModel,
    gp_posterior,
    log_marginal_likelihood,
    multitask_log_marginal_likelihood,
    multitask_posterior,
)
from mlcore.kernels import Gaussian, Periodic, QuasiPeriodic

__all__ = ["check_hyperparameter_count", "check_separate_kernels", "check_third_correlation"]

TOLERANCE = 1e-8


@check
def check_hyperparameter_count(count):
    """Check the reader's formula for the number of hyperparameters against models that are asked for theirs.

    Parameters
    ----------
    count : callable
        ``count(s, p)`` returns the number for s tasks with a noise each and a temporal kernel of p parameters.

    Returns
    -------
    Verdict
    """
    ask = function("count", count, "s and p")
    for s in (5, 1, 2, 3, 8):
        for kernel in (Periodic(), Gaussian(), QuasiPeriodic()):
            p = len(kernel.parameters)
            answer = number(f"count({s}, {p})", ask(s, p))
            needed = len(MultiTaskModel(kernel, np.eye(s), 0.1).parameters)
            if answer != needed:
                refuse(f"With s = {s} and p = {p} you count {answer:g}. {_what_was_missed(s, p, answer, needed)}")
    return "Every model tried has as many as you say. The tasks make it grow with s², the kernel does not."


def _what_was_missed(s, p, answer, needed):
    triangle = s * (s + 1) // 2
    misses = {
        needed - s: "Every task has a noise of its own, and the diagonal of L, the heights of the tasks, counts too.",
        needed - s + 1: "One noise for all would not do: every sensor has its own.",
        needed - triangle + s * s: "K_c is symmetric, and L is triangular: not all s² entries are free.",
        needed + (s - 1) * p: "All tasks share one temporal kernel.",
        needed - p: "The temporal kernel has parameters as well.",
        needed - s - p: "That is L alone; kernel and noises are learned too.",
    }
    return misses.get(answer, "Add what L, the kernel and the noises contribute.")


@check
def check_separate_kernels(kernels):
    """Check the reader's kernels of the separate processes that a diagonal L stands for.

    With a diagonal L the joint process must predict what these do, with the same bands, and its likelihood must be
    the sum of theirs.

    Parameters
    ----------
    kernels : callable
        ``kernels(L, kernel)`` returns a list of s kernels of `mlcore.kernels`.

    Returns
    -------
    Verdict
    """
    ask = function("kernels", kernels, "L and kernel")
    rng = np.random.default_rng(19)
    for L, kernel in (
        (np.diag([1.0, 2.0]), Gaussian(1.2)),
        (np.diag([0.5, 3.0, 1.5]), QuasiPeriodic(1.0, 3.0, 5.0)),
        (np.diag([2.0]), Periodic(1.0, 2.5)),
    ):
        s = len(L)
        names = tuple(f"kernel {a + 1}" for a in range(s))
        answer = parts("kernels", ask(L, kernel), names)
        fault = _difference([_answers.kernel(*pair) for pair in zip(names, answer)], L, kernel, rng)
        if fault:
            refuse(fault)
    return (
        "Means, bands and likelihoods agree: with a diagonal L no task hears of another, and its entries are the "
        "heights of separate processes that share one temporal kernel."
    )


def _difference(kernels, L, kernel, rng):
    """Say where separate processes differ from the joint one, or return None."""
    s = len(L)
    noise = rng.uniform(0.05, 0.3, size=s)
    tasks = np.repeat(np.arange(s), rng.integers(4, 8, size=s))
    times, y, new = rng.uniform(0, 6, len(tasks)), rng.normal(size=len(tasks)), np.linspace(-1, 8, 7)
    joint = multitask_log_marginal_likelihood(kernel, L @ L.T, noise, times, tasks, y).value
    apart = 0.0
    for a, own in enumerate(kernels):
        seen = (times[tasks == a, None], y[tasks == a])
        together = multitask_posterior(kernel, L @ L.T, noise, times, tasks, y, new, a)
        try:
            alone = gp_posterior(own, noise[a], *seen, new[:, None])
        except (ValueError, NotAKernel) as error:
            refuse(f"kernel {a + 1}: {error}.")
        for name in ("mean", "std"):
            off = np.abs(getattr(together, name) - getattr(alone, name)).max()
            if off > TOLERANCE:
                hint = "Which variance does K_c = L Lᵀ give it?" if L[a, a] != 1 else "Is the kernel the same?"
                return f"With the diagonal {np.diag(L).tolist()} the {name} of task {a + 1} is off by {off:.3g}. {hint}"
        apart += log_marginal_likelihood(own, noise[a], *seen).value
    if abs(joint - apart) > TOLERANCE * max(1.0, abs(joint)):
        return f"The likelihoods of the separate processes sum to {apart:.6g}, not {joint:.6g}."
    return None


@check
def check_third_correlation(interval):
    """Check the reader's interval of r13 by the eigenvalues of the correlation matrix.

    Parameters
    ----------
    interval : callable
        ``interval(r12, r23)`` returns the least and the largest r13.

    Returns
    -------
    Verdict
    """
    ask = function("interval", interval, "r12 and r23")
    for r12, r23 in ((-0.96, 0.9), (0.6, 0.8), (0.0, 0.5), (-0.3, -0.7)):
        low, high = array(f"interval({r12}, {r23})", ask(r12, r23), (2,))
        if low >= high:
            refuse(f"For r12 = {r12}, r23 = {r23}: expected the lower end first, got {low:.3g} and {high:.3g}.")
        for end, outward in ((low, -1), (high, 1)):
            lowest = _lowest_eigenvalue(r12, end, r23)
            if abs(lowest) < 1e-6 and _lowest_eigenvalue(r12, end + outward * 1e-3, r23) < 0:
                continue
            what = "has a negative eigenvalue" if lowest < 0 else "is still positive definite: there is room beyond"
            refuse(f"For r12 = {r12}, r23 = {r23} and r13 = {end:.4g} the matrix {what}.")
    return "At both ends the matrix just loses an eigenvalue to 0, and beyond them it goes negative."


def _lowest_eigenvalue(r12, r13, r23):
    return float(np.linalg.eigvalsh([[1, r12, r13], [r12, 1, r23], [r13, r23, 1]])[0])
