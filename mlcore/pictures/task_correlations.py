"""Picture of chapter 19: the correlations a process has learned, beside Pearson's of the whole signals."""

from functools import partial

import numpy as np
from matplotlib.colors import LinearSegmentedColormap

from mlcore.breathing import NAMES, BreathingSignals, breathing_signals, scenario
from mlcore.explore import FOREGROUND, Explorable, choice
from mlcore.pictures.learned_breathing import learn, learned
from mlcore.pictures.visual_language import minus, panel_axes

__all__ = ["common_training_correlations", "task_correlations"]

_COLOURS = LinearSegmentedColormap.from_list("below, zero, above", ["#E69F00", "white", "#56B4E9"])
_SHOWN = {
    "learned in S2": "S2",
    "learned in S3": "S3",
    "learned in S4": "S4",
    "Pearson's, on common training times": "common",
}


def task_correlations(signals=None):
    """Return the learned correlations of the tasks beside Pearson's of the whole signals (ES Fig. 64).

    Parameters
    ----------
    signals : mlcore.breathing.BreathingSignals, optional
        Another recording than the book's. All parameters are then learned anew, which takes some seconds.

    Returns
    -------
    Explorable

    Raises
    ------
    ValueError
        Signals of another kind.
    """
    if not isinstance(signals, BreathingSignals | None):
        raise ValueError(f"signals: expected BreathingSignals, as breathing_signals() returns them, got {signals!r}")
    recording = breathing_signals() if signals is None else signals
    matrices = {"common": common_training_correlations(recording)}
    for name in ("S2", "S3", "S4"):
        process = learned(name) if signals is None else learn(scenario(recording, name))
        matrices[name] = _padded(process.task_correlation_)
    pearson = recording.correlations
    return Explorable(
        title="Correlations learned from the training data, beside those of the whole signals",
        controls=(choice("shown", "on the left", _SHOWN, start="S4"),),
        frame=partial(_frame, pearson=pearson),
        draw=partial(_draw, matrices=matrices),
        describe=partial(_describe, matrices=matrices, pearson=pearson),
        size=(8.6, 4.1),
        panels=2,
    )


def common_training_correlations(signals):
    """Return Pearson's correlations of the training data, NaN for two signals never seen at the same time.

    Parameters
    ----------
    signals : mlcore.breathing.BreathingSignals

    Returns
    -------
    numpy.ndarray of shape (4, 4)
    """
    count = len(signals.measured)
    matrix = np.full((count, count), np.nan)
    for i in range(count):
        for j in range(count):
            both = signals.training[i] & signals.training[j]
            if both.sum() > 1:
                matrix[i, j] = np.corrcoef(signals.measured[i, both], signals.measured[j, both])[0, 1]
    return matrix


def _padded(matrix):
    whole = np.full((len(NAMES), len(NAMES)), np.nan)
    whole[: len(matrix), : len(matrix)] = matrix
    return whole


def _frame(figure, pearson):
    for axes, title in zip(panel_axes(figure), ("Known to the model", "Pearson's, of the whole signals")):
        axes.set(xlim=(-0.5, 3.5), ylim=(3.5, -0.5), aspect="equal", title=title)
        axes.set_xticks(range(4), NAMES, fontsize=8)
        axes.set_yticks(range(4), NAMES, fontsize=8, rotation=90, va="center")
        axes.tick_params(length=0)
        for i in range(4):
            axes.text(i, i, "1", ha="center", va="center", fontsize=11, zorder=FOREGROUND + 1)
    _draw_matrix(figure.axes[1], pearson, FOREGROUND)


def _draw(figure, shown, matrices):
    _draw_matrix(figure.axes[0], matrices[shown], 1)


def _draw_matrix(axes, matrix, zorder):
    """Draw the lower triangle: cells in colour, and their numbers."""
    cells = np.where(np.tri(len(matrix), dtype=bool) & np.isfinite(matrix), matrix, 0.0)
    axes.imshow(
        cells, cmap=_COLOURS, vmin=-1, vmax=1, interpolation="none", aspect="equal",
        extent=(-0.5, 3.5, 3.5, -0.5), zorder=zorder,
    )  # fmt: skip
    for i, j in zip(*np.tril_indices(len(matrix), -1)):
        text = minus(f"{matrix[i, j]:.2f}") if np.isfinite(matrix[i, j]) else "unknown"
        size = 11 if np.isfinite(matrix[i, j]) else 8
        axes.text(j, i, text, ha="center", va="center", fontsize=size, zorder=zorder + 1)


def _describe(shown, matrices, pearson):
    matrix = matrices[shown]
    lower = np.tril_indices(len(matrix), -1)
    known = np.isfinite(matrix[lower])
    apart = np.abs(matrix - pearson)[lower][known].max()
    pairs = "; ".join(
        f"{NAMES[j]} and {NAMES[i]} {matrix[i, j]:.2f}" for i, j in zip(*lower) if np.isfinite(matrix[i, j])
    )
    where = "On common training times" if shown == "common" else f"Learned in {shown}"
    missing = len(known) - known.sum()
    unknown = f" {missing} pairs are unknown." if missing > 1 else " One pair is unknown." if missing else ""
    return minus(f"{where}: {pairs}.{unknown} At most {apart:.2f} from Pearson's correlation of the whole signals.")
