"""What a multi-task process learns of the breathing signals in each scenario of chapter 19."""

from dataclasses import dataclass

import numpy as np

from mlcore.datasets import BreathingSignals, breathing_signals, scenario
from mlcore.gaussian_process import MultiTaskGP
from mlcore.kernels import QuasiPeriodic

__all__ = ["BOUNDS", "LEARNED", "OWN_SHARE", "START", "as_recording", "learn", "learned"]

START = QuasiPeriodic(width=1.5, period=4.0, decay=5.0)
BOUNDS = {"period": (3, 6), "decay": (2, 50)}
"""A breath takes 3 to 6 seconds; a rhythm is remembered for 2 to 50."""
OWN_SHARE = (0.1, 10)
"""Bounds of the diagonal of L, within which every signal keeps something of its own."""


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
        QuasiPeriodic(1.929057, 3.925397, 4.581365),
        ((1.325913,),),
        (0.003329325,),
    ),
    "S2": _Parameters(
        QuasiPeriodic(1.685121, 3.764779, 4.059385),
        ((1.150604,), (-1.454899, 0.587977)),
        (0.002810043, 0.003208106),
    ),
    "S3": _Parameters(
        QuasiPeriodic(1.597149, 3.818539, 4.273954),
        ((1.164965,), (-1.556832, 0.5560431), (-0.9312321, 0.5647224, 0.1)),
        (0.002811655, 0.003681032, 0.004592),
    ),
    "S4": _Parameters(
        QuasiPeriodic(1.423864, 3.821345, 4.41622),
        ((1.134066,), (-1.420435, 0.4391867), (-0.8637971, 0.4225783, 0.1), (1.165282, 0.3677591, 0.2345556, 0.1)),
        (0.002877991, 0.003484793, 0.004878182, 0.0101361),
    ),
}


def as_recording(signals):
    """Return the signals given, or those of the book for None.

    Parameters
    ----------
    signals : mlcore.datasets.BreathingSignals or None

    Returns
    -------
    mlcore.datasets.BreathingSignals

    Raises
    ------
    ValueError
        Something else.
    """
    if not isinstance(signals, BreathingSignals | None):
        raise ValueError(f"signals: expected BreathingSignals, as breathing_signals() returns them, got {signals!r}")
    return breathing_signals() if signals is None else signals


def learn(known, **settings):
    """Learn all parameters from the training data of a scenario, starting from independent tasks (ES p. 117).

    Parameters
    ----------
    known : mlcore.datasets.Scenario
    **settings
        For `mlcore.gaussian_process.MultiTaskGP`.

    Returns
    -------
    mlcore.gaussian_process.MultiTaskGP
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
    mlcore.gaussian_process.MultiTaskGP
    """
    found, known = LEARNED[name], scenario(breathing_signals(), name)
    lower = np.zeros((len(known.means), len(known.means)))
    lower[np.tril_indices(len(lower))] = np.concatenate(found.lower)
    process = MultiTaskGP(found.kernel, found.noise, lower @ lower.T, optimize=False, scale_output=True)
    return process.fit(known.times, known.tasks, known.y)
