"""Synthetic breathing: three optical markers and a belt on a chest, each recorded for a time of its own.

The recording of ES p. 116–118 was never published. This one has its intervals, sampling rates and correlations, and
an error that depends on what is known in the same way. It is not drawn from a Gaussian process: a rhythm whose rate
and depth wander and a slow drift are what a chest shows, and a model has to cope with it.
"""

from dataclasses import dataclass

import numpy as np

from mlcore.validation import as_whole_number

__all__ = [
    "CORRELATIONS",
    "INTERVALS",
    "NAMES",
    "RATES",
    "SCENARIOS",
    "BreathingSignals",
    "Scenario",
    "breathing_signals",
    "scenario",
]

NAMES = ("marker 1", "marker 2", "marker 3", "belt")
INTERVALS = ((0.0, 20.0), (10.0, 30.0), (25.0, 40.0), (0.0, 60.0))
"""Seconds between which each signal may be used for training, both ends left out (ES Fig. 61)."""
RATES = (2.6, 2.6, 2.6, 0.52)
"""Samples a second (ES Fig. 61)."""
CORRELATIONS = (1.0, -0.96, -0.9, 0.89)
"""Pearson's correlation of each signal with marker 1, over the whole recording and without noise (ES Fig. 61)."""
SCENARIOS = {"S1": (0,), "S2": (0, 1), "S3": (0, 1, 2), "S4": (0, 1, 2, 3)}
"""Which signals each scenario knows (ES p. 117)."""

_END_OF_TRAINING, _END_OF_RECORDING = 20.0, 70.0
_SPREADS = (2.2, 1.4, 1.0, 0.5)  # standard deviations: markers in millimetres, belt in volts
_MEANS = (3.0, -2.0, 1.0, 2.5)
_NOISE = 0.05  # standard deviation of the noise, in those of the signals
_PERIOD = 4.0  # of a breath, in seconds
_WAVES = 40  # cosines in a wandering function


@dataclass(frozen=True, eq=False)
class BreathingSignals:
    """Four signals of one recording, all at the times of the fastest sensor.

    Attributes
    ----------
    times : numpy.ndarray of shape (182,)
        Seconds, 1/2.6 s apart: all of (0, 70].
    truth : numpy.ndarray of shape (4, 182)
        Signals without noise: three markers in millimetres, the belt in volts.
    measured : numpy.ndarray of shape (4, 182)
        The same with noise.
    training : numpy.ndarray of shape (4, 182)
        True where a sensor recorded within its interval; the belt did so at every fifth time.
    test : numpy.ndarray of shape (182,)
        True in (20, 70] s, where marker 1 is to be predicted.
    """

    times: np.ndarray
    truth: np.ndarray
    measured: np.ndarray
    training: np.ndarray
    test: np.ndarray

    @property
    def correlations(self):
        """Pearson's correlations between the whole measured signals (ES Fig. 64b), 4 × 4."""
        return np.corrcoef(self.measured)


@dataclass(frozen=True, eq=False)
class Scenario:
    """What a model may know, and what it is asked.

    Attributes
    ----------
    name : str
        "S1" to "S4".
    times : numpy.ndarray of shape (n,)
        Seconds of the training data: all of marker 1, then all of marker 2, and so on.
    tasks : numpy.ndarray of shape (n,)
        Which signal each datum belongs to, 0 for marker 1.
    y : numpy.ndarray of shape (n,)
        Values less the mean of the training data of their signal.
    means : numpy.ndarray of shape (s,)
        Those means; predictions of task j need ``means[j]`` added.
    test_times, test_y : numpy.ndarray of shape (130,)
        Times in (20, 70] s, and marker 1 as measured there.
    """

    name: str
    times: np.ndarray
    tasks: np.ndarray
    y: np.ndarray
    means: np.ndarray
    test_times: np.ndarray
    test_y: np.ndarray

    def rmse(self, predicted):
        """Return the root mean square error of predictions of marker 1 at `test_times`, its mean added, in mm."""
        return float(np.sqrt(np.mean((np.asarray(predicted) - self.test_y) ** 2)))


def breathing_signals(random_state=2):
    """Return a recording of a breathing chest by three optical markers and a belt (ES p. 116–117, Fig. 61, 62a).

    Every signal is one breathing rhythm, drift included, plus a share of its own that is as quick. The share is made
    uncorrelated with marker 1 and just so large that the correlations are those of `CORRELATIONS`.

    Parameters
    ----------
    random_state : int
        Seed; equal seeds give equal signals, and 2 those of chapter 19.

    Returns
    -------
    BreathingSignals

    Raises
    ------
    ValueError
        A seed that is not a whole number of at least 0.

    Examples
    --------
    >>> signals = breathing_signals()
    >>> signals.training.sum(axis=1).tolist()
    [51, 51, 38, 31]
    >>> np.corrcoef(signals.truth)[0].round(3).tolist()
    [1.0, -0.96, -0.9, 0.89]
    """
    rng = np.random.default_rng(as_whole_number("random_state", random_state, least=0))
    # Counting samples, not seconds: k/2.6 is exactly inside or outside, whatever the rounding.
    count = np.arange(1, int(_END_OF_RECORDING * RATES[0]) + 1)
    times = count / RATES[0]
    phase = 2 * np.pi * times / _PERIOD + 1.1 * _wandering(times, 5.0, rng)
    common = _standardised(_rhythm(times, phase, rng))
    shapes = [common]
    for correlation in CORRELATIONS[1:]:
        # A quarter of a breath ahead or behind, more or less: what is left when the common rhythm is taken out.
        shift = rng.choice([-1, 1]) * np.pi / 2 + 0.8 * _wandering(times, 5.0, rng)
        own = _rhythm(times, phase + shift, rng)
        own = _standardised(own - own.mean() - common * (common @ own) / len(times))
        shapes.append(correlation * common + np.sqrt(1 - correlation**2) * own)
    spread = np.array(_SPREADS)[:, None]
    truth = np.array(_MEANS)[:, None] + spread * np.array(shapes)
    measured = truth + _NOISE * spread * rng.normal(size=truth.shape)
    training = np.array([_recorded(count, *pair) for pair in zip(INTERVALS, RATES)])
    return BreathingSignals(times, truth, measured, training, test=count > round(_END_OF_TRAINING * RATES[0]))


def _rhythm(times, phase, rng):
    """Return breaths of wandering depth on a slow drift; breathing out takes longer than breathing in."""
    depth = 1 + 0.25 * _wandering(times, 10.0, rng)
    return depth * (np.cos(phase) + 0.2 * np.cos(2 * phase)) + 0.15 * _wandering(times, 20.0, rng)


def _wandering(times, timescale, rng):
    """Return a smooth random function of variance 1 that forgets itself within `timescale` seconds.

    The sum of many random cosines is close to a Gaussian process, and, unlike one, the same on every machine.
    """
    frequencies = rng.normal(size=_WAVES) / timescale
    phases = rng.uniform(0, 2 * np.pi, size=_WAVES)
    return np.sqrt(2 / _WAVES) * np.cos(np.outer(times, frequencies) + phases).sum(axis=1)


def _standardised(values):
    return (values - values.mean()) / values.std()


def _recorded(count, interval, rate):
    """Tell which of the samples `count` of the fastest sensor a sensor of this rate took inside its interval."""
    every = round(RATES[0] / rate)
    low, high = (round(end * RATES[0]) for end in interval)
    return (count % every == 0) & (low < count) & (count < high)


def scenario(signals, name):
    """Return the training data of scenario S1, S2, S3 or S4, and the question (ES p. 117).

    S1 knows marker 1 alone, S2 marker 2 as well, S3 the three markers, S4 the belt too.

    Parameters
    ----------
    signals : BreathingSignals
    name : {"S1", "S2", "S3", "S4"}

    Returns
    -------
    Scenario

    Raises
    ------
    ValueError
        Another name.

    Examples
    --------
    >>> known = scenario(breathing_signals(), "S2")
    >>> len(known.y), known.tasks[[0, -1]].tolist(), len(known.test_y)
    (102, [0, 1], 130)
    """
    if name not in SCENARIOS:
        raise ValueError(f"name: expected one of {', '.join(SCENARIOS)}, got {name!r}")
    recorded = [signals.measured[task, signals.training[task]] for task in SCENARIOS[name]]
    means = np.array([values.mean() for values in recorded])
    return Scenario(
        name=name,
        times=np.concatenate([signals.times[signals.training[task]] for task in SCENARIOS[name]]),
        tasks=np.repeat(SCENARIOS[name], [len(values) for values in recorded]),
        y=np.concatenate([values - mean for values, mean in zip(recorded, means)]),
        means=means,
        test_times=signals.times[signals.test],
        test_y=signals.measured[0, signals.test],
    )
