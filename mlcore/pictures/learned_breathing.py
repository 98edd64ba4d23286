"""What a multi-task process learns of the breathing signals in each scenario of chapter 19."""

from dataclasses import dataclass

import numpy as np

from mlcore.breathing import breathing_signals, scenario
from mlcore.kernels import QuasiPeriodic
from mlcore.multitask_gp import MultiTaskGP

__all__ = ["BOUNDS", "LEARNED", "OWN_SHARE", "START", "learn", "learned"]

START = QuasiPeriodic(width=1.5, period=4.0, decay=5.0)
BOUNDS = {"period": (3, 6), "decay": (2, 50)}
"""A breath takes 3 to 6 seconds; a rhythm is remembered for 2 to 50."""
OWN_SHARE = (0.1, 10)
"""Bounds of the diagonal of L: every signal keeps something of its own."""


@dataclass(frozen=True)
class _Parameters:
    """Parameters of one scenario, of signals with mean 0 and standard deviation 1: kernel, rows of L, noises."""

    kernel: QuasiPeriodic
    lower: tuple
    noise: tuple


# Learning takes seconds, too long for a picture to appear: here are the optima for the recording of the book. A test
# learns them anew.
LEARNED = {
    "S1": _Parameters(
        QuasiPeriodic(1.9291, 3.9254, 4.5814),
        ((1.3259,),),
        (0.0033293,),
    ),
    "S2": _Parameters(
        QuasiPeriodic(1.6851, 3.7648, 4.0594),
        ((1.1506,), (-1.4549, 0.58798)),
        (0.00281, 0.0032081),
    ),
    "S3": _Parameters(
        QuasiPeriodic(1.5972, 3.8185, 4.274),
        ((1.165,), (-1.5568, 0.55604), (-0.93123, 0.56472, 0.1)),
        (0.0028117, 0.003681, 0.004592),
    ),
    "S4": _Parameters(
        QuasiPeriodic(1.4239, 3.8213, 4.4162),
        ((1.1341,), (-1.4204, 0.43919), (-0.8638, 0.42258, 0.1), (1.1653, 0.36776, 0.23456, 0.1)),
        (0.002878, 0.0034848, 0.0048782, 0.010136),
    ),
}


def learn(known, **settings):
    """Learn all parameters from the training data of a scenario, starting from independent tasks (ES p. 117).

    Parameters
    ----------
    known : mlcore.breathing.Scenario
    **settings
        For `mlcore.multitask_gp.MultiTaskGP`.

    Returns
    -------
    mlcore.multitask_gp.MultiTaskGP
        Fitted to signals less their means.
    """
    count = len(known.means)
    bounds = BOUNDS | {f"task[{a},{a}]": OWN_SHARE for a in range(count)}
    process = MultiTaskGP(START, noise=[0.01] * count, bounds=bounds, scale_output=True, **settings)
    return process.fit(known.times, known.tasks, known.y)


def learned(name):
    """Return the process of scenario "S1", "S2", "S3" or "S4" of the book's recording, with its learned parameters.

    Parameters
    ----------
    name : str

    Returns
    -------
    mlcore.multitask_gp.MultiTaskGP
    """
    found, known = LEARNED[name], scenario(breathing_signals(), name)
    lower = np.zeros((len(known.means), len(known.means)))
    lower[np.tril_indices(len(lower))] = np.concatenate(found.lower)
    process = MultiTaskGP(found.kernel, found.noise, lower @ lower.T, optimize=False, scale_output=True)
    return process.fit(known.times, known.tasks, known.y)
