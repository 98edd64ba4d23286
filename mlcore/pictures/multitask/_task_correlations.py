"""Picture of chapter 19: the correlations a process has learned, beside Pearson's of the whole signals."""

from functools import partial

import numpy as np
from matplotlib.collections import PolyCollection
from matplotlib.colors import LinearSegmentedColormap

from mlcore.datasets import NAMES, scenario
from mlcore.explore import FOREGROUND, Explorable, choice
from mlcore.pictures.drawing.readout import minus
from mlcore.pictures.drawing.visual_language import QUIET, panel_axes
from mlcore.pictures.multitask._learned_breathing import as_recording, learn, learned

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
    signals : mlcore.datasets.BreathingSignals

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
    for axes, title in zip(panel_axes(figure), ("From the training data", "Pearson's, of the whole signals")):
        axes.set(xlim=(-0.5, 3.5), ylim=(3.5, -0.5), aspect="equal", title=title, xlabel="signal", ylabel="signal")
        axes.set_xticks(range(4), NAMES, fontsize=9)
        axes.set_yticks(range(4), NAMES, fontsize=9, rotation=90, va="center")
        axes.tick_params(length=0)
        for i in range(4):
            axes.text(i, i, "1", ha="center", va="center", fontsize=11, zorder=FOREGROUND + 1)
            axes.plot(*_outline(i), color=QUIET, linewidth=0.9, zorder=FOREGROUND)
    _draw_matrix(figure.axes[1], pearson, FOREGROUND)


def _outline(i):
    """Return x and y of the outline of cell (i, i)."""
    return np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5), (-0.5, -0.5)]).T + i


def _draw(figure, shown, matrices):
    _draw_matrix(figure.axes[0], matrices[shown], 1)


def _draw_matrix(axes, matrix, zorder):
    """Draw what is known below the diagonal: cells in colour, and the numbers."""
    known = [(i, j) for i, j in zip(*np.tril_indices(len(matrix), -1)) if np.isfinite(matrix[i, j])]
    cells = [[(j - 0.5, i - 0.5), (j + 0.5, i - 0.5), (j + 0.5, i + 0.5), (j - 0.5, i + 0.5)] for i, j in known]
    colours = _COLOURS([(matrix[pair] + 1) / 2 for pair in known])
    axes.add_collection(PolyCollection(cells, facecolors=colours, linewidths=0, zorder=zorder), autolim=False)
    for i, j in known:
        axes.text(j, i, minus(f"{matrix[i, j]:.2f}"), ha="center", va="center", fontsize=11, zorder=zorder + 1)


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
