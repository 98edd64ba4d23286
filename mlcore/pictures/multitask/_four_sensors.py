"""Picture of chapter 19: four breathing signals, and the first of them predicted with the help of the others."""

from dataclasses import dataclass
from functools import partial

import numpy as np
from matplotlib.collections import PolyCollection
from matplotlib.lines import Line2D

from mlcore.datasets import INTERVALS, NAMES, SCENARIOS, Scenario, scenario
from mlcore.explore import FOREGROUND, Explorable, choice
from mlcore.pictures.drawing.readout import minus
from mlcore.pictures.drawing.visual_language import (
    BOUNDARY,
    FEASIBLE,
    POSITIVE,
    QUIET,
    draw_band,
    legend_below,
    panel_axes,
)
from mlcore.pictures.multitask._learned_breathing import as_recording, learn, learned

__all__ = ["WINDOWS", "four_sensors", "window_errors"]

WINDOWS = ((20, 30), (30, 40), (40, 60), (60, 70))
"""Parts of the test range in seconds, each of which ends where a sensor falls silent."""
_PROCESSES = {"one for all signals": True, "a separate one for each": False}
_GRID = np.linspace(0, 70, 351)
_SPACING = 4.5  # between the signals on the left, in standard deviations


@dataclass(frozen=True, eq=False)
class _Prediction:
    """Marker 1 on the grid, and how far the prediction is off at the times of the test."""

    known: Scenario
    mean: np.ndarray
    std: np.ndarray
    rmse: float
    by_window: tuple
    inside: float
    hyperparameters: int


def four_sensors(signals=None):
    """Return the prediction of marker 1 in the scenarios S1 to S4 beside the signals known (ES Fig. 62, 63).

    Parameters
    ----------
    signals : mlcore.datasets.BreathingSignals, optional
        Another recording than the book's. All parameters are then learned anew, which takes some seconds.

    Returns
    -------
    Explorable

    Raises
    ------
    ValueError
        Signals of another kind.
    """
    recording = as_recording(signals)
    predictions = {}
    for name in SCENARIOS:
        known = scenario(recording, name)
        predictions[name] = _predicted(known, learned(name) if signals is None else learn(known))
    return Explorable(
        title="Four sensors on a chest: the first falls silent after 20 s",
        controls=(
            choice("name", "signals known", {f"{name}: {_listed(name)}": name for name in SCENARIOS}, start="S1"),
            choice("together", "Gaussian process", _PROCESSES),
        ),
        frame=partial(_frame, recording=recording),
        draw=partial(_draw, recording=recording, predictions=predictions),
        describe=partial(_describe, predictions=predictions),
        size=(8.6, 4.1),
        panels=2,
    )


def window_errors(known, predicted):
    """Return the root mean square errors of predictions of marker 1, in millimetres, for each of `WINDOWS`.

    Parameters
    ----------
    known : mlcore.datasets.Scenario
    predicted : array_like of shape (130,)
        At its test times.

    Returns
    -------
    tuple of float
    """
    error = np.asarray(predicted) - known.test_y
    parts = [(known.test_times > low) & (known.test_times <= high + 1e-9) for low, high in WINDOWS]
    return tuple(float(np.sqrt(np.mean(error[part] ** 2))) for part in parts)


def _predicted(known, process):
    mean, std = process.predict(_GRID, 0, return_std=True)
    at_test, std_at_test = process.predict(known.test_times, 0, return_std=True, with_noise=True)
    at_test = at_test + known.means[0]
    return _Prediction(
        known=known,
        mean=mean + known.means[0],
        std=std,
        rmse=known.rmse(at_test),
        by_window=window_errors(known, at_test),
        inside=float(np.mean(np.abs(at_test - known.test_y) <= 2 * std_at_test)),
        hyperparameters=process.n_hyperparameters_,
    )


def _listed(name):
    tasks = SCENARIOS[name]
    numbers = ", ".join(str(task + 1) for task in tasks if task < 3)
    return f"marker{'s' if len(tasks) > 1 else ''} {numbers}{' and belt' if 3 in tasks else ''}"


def _lifted(recording):
    """Return the signals, each with standard deviation 1, one below the other."""
    values = recording.truth
    standard = (values - values.mean(axis=1, keepdims=True)) / values.std(axis=1, keepdims=True)
    return standard - _SPACING * np.arange(len(values))[:, None]


def _frame(figure, recording):
    signals, prediction = panel_axes(figure)
    lifted = _lifted(recording)
    signals.set(xlim=(0, 70), ylim=(lifted.min() - 1, lifted.max() + 1), xlabel="time in s", title="What is recorded")
    signals.set_yticks(-_SPACING * np.arange(len(lifted)), NAMES)
    for curve in lifted:
        signals.plot(recording.times, curve, color=QUIET, linewidth=0.9, zorder=FOREGROUND)
    first = recording.truth[0]
    middle, reach = first.mean(), 1.5 * np.abs(first - first.mean()).max()
    prediction.set(
        xlim=(0, 70), ylim=(middle - reach, middle + reach), xlabel="time in s", ylabel="marker 1 in mm",
        title="Marker 1, predicted from 20 s on",
    )  # fmt: skip
    prediction.axvline(20, color=QUIET, linewidth=1, zorder=FOREGROUND)
    prediction.plot(recording.times, first, ":", color=BOUNDARY, linewidth=1.4, zorder=FOREGROUND)
    legend_below(figure.subfigs[0], ("sample", "known to the model"))
    legend_below(figure.subfigs[1], "truth", "mean", ("band", "±2 standard deviations"))


def _draw(figure, name, together, recording, predictions):
    signals, prediction = figure.axes
    tasks = SCENARIOS[name]
    lifted = _lifted(recording)
    spans = [
        [(low, -_SPACING * task - 2.2), (high, -_SPACING * task - 2.2),
         (high, -_SPACING * task + 2.2), (low, -_SPACING * task + 2.2)]
        for task, (low, high) in enumerate(INTERVALS) if task in tasks
    ]  # fmt: skip
    signals.add_collection(PolyCollection(spans, facecolors=FEASIBLE, linewidths=0, zorder=1), autolim=False)
    known = np.concatenate([np.column_stack([recording.times, lifted[a]])[recording.training[a]] for a in tasks])
    _dots(signals, *known.T)
    found = predictions[name if together else "S1"]
    draw_band(prediction, _GRID, found.mean, found.std)
    _dots(prediction, recording.times[recording.training[0]], recording.measured[0, recording.training[0]])


def _dots(axes, x, y):
    look = dict(marker="o", markersize=3.2, color=POSITIVE, markeredgewidth=0)
    axes.add_artist(Line2D(x, y, linestyle="none", zorder=5, **look))


def _describe(name, together, predictions):
    found = predictions[name if together else "S1"]
    count = len(predictions[name].known.y)
    parts = ", ".join(f"{error:.1f} in ({low}, {high}]" for error, (low, high) in zip(found.by_window, WINDOWS))
    if together:
        model = f"one process with {found.hyperparameters} hyperparameters for {count} measurements"
    else:
        model = f"of the {count} measurements the process of marker 1 hears only its own {len(found.known.y)}"
    return minus(
        f"{name}, {_listed(name)}: {model}. Root mean square error of marker 1 in (20, 70] s: {found.rmse:.2f} mm; "
        f"{parts} s. {100 * found.inside:.0f} % of the test values lie within ±2 standard deviations, noise included "
        "(drawn without it; it would hardly show)."
    )
