"""Picture of chapter 19: the covariance matrix of three tasks, apart or in one process."""

from functools import lru_cache

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.colors import LinearSegmentedColormap

from mlcore.explore import Explorable, choice
from mlcore.gaussian_process import multitask_posterior
from mlcore.kernels import QuasiPeriodic
from mlcore.pictures.drawing.readout import minus
from mlcore.pictures.drawing.visual_language import BOUNDARY

__all__ = ["CORRELATIONS", "KERNEL", "joint_covariance"]

KERNEL = QuasiPeriodic(width=1.5, period=4.0, decay=6.0)
CORRELATIONS = np.array([[1.0, -0.96, -0.9], [-0.96, 1.0, 0.9], [-0.9, 0.9, 1.0]])
_COLOURS = LinearSegmentedColormap.from_list("below, zero, above", ["#D55E00", "white", "#0072B2"])
_TIMES = {
    "the same for all": (np.arange(16.0) * 0.75,) * 3,
    "each task its own": (np.arange(20.0) * 0.5, 4 + np.arange(16.0) * 0.5, 0.7 + np.arange(12.0)),
}


def joint_covariance():
    """Return the covariance matrix of three tasks as an image: separate processes, or one (ES Fig. 60, p. 115).

    Returns
    -------
    Explorable
    """
    return Explorable(
        title="Three processes, or one",
        controls=(
            choice("together", "processes", {"one for each task": False, "one for all": True}),
            choice("times", "times of measurement", list(_TIMES)),
            choice("order", "order of the rows", {"task by task": "task", "by time": "time"}),
        ),
        frame=_frame,
        draw=_draw,
        describe=_describe,
        size=(4.6, 4.6),
    )


@lru_cache(maxsize=8)
def _matrix(together, times, order):
    """Return the covariance matrix, and the task and time of every row."""
    tasks = np.repeat([0, 1, 2], [len(own) for own in _TIMES[times]])
    at = np.concatenate(_TIMES[times])
    rows = np.argsort(at, kind="stable") if order == "time" else np.arange(len(at))
    tasks, at = tasks[rows], at[rows]
    K_c = CORRELATIONS if together else np.eye(3)
    nothing = np.zeros(0)
    prior = multitask_posterior(KERNEL, K_c, 0.0, nothing, nothing.astype(int), nothing, at, tasks)
    return prior.covariance, tasks, at


def _frame(figure):
    axes = figure.subplots()
    axes.set(
        xlim=(0, 48), ylim=(48, 0), aspect="equal", xlabel="measurement", ylabel="measurement",
        title="Covariance: blue above 0, orange below",
    )  # fmt: skip


def _draw(figure, together, times, order):
    axes = figure.axes[0]
    K, tasks, _ = _matrix(together, times, order)
    axes.imshow(
        K, cmap=_COLOURS, vmin=-1, vmax=1, interpolation="none", aspect="equal", extent=(0, 48, 48, 0), zorder=1
    )
    if order == "task":
        ends = np.flatnonzero(np.diff(tasks)) + 1
        lines = [[(0, end), (48, end)] for end in ends] + [[(end, 0), (end, 48)] for end in ends]
        axes.add_collection(LineCollection(lines, colors=BOUNDARY, linewidths=1.2, zorder=3), autolim=False)


def _describe(together, times, order):
    K, tasks, at = _matrix(together, times, order)
    counts = np.bincount(tasks)
    n = len(K)
    joint, apart = n**3, int((counts**3).sum())
    if together:
        text = f"One matrix of {n} × {n}: a factorisation costs about {n}³/3 = {joint // 3:,} steps".replace(",", " ")
        text += f", {joint / apart:.1f} times those of three separate ones."
    else:
        text = (
            f"Three matrices, of {', '.join(f'{c} × {c}' for c in counts)}, on the diagonal of a large one: no task "
            "hears of another."
        )
    if times == "the same for all" and order == "task":
        K_t = KERNEL(at[tasks == 0][:, None])
        same = np.allclose(K, np.kron(CORRELATIONS if together else np.eye(3), K_t), atol=1e-12)
        text += f" Every block is an entry of K_c times the same K_t: {'K = K_c ⊗ K_t' if same else 'no product'}."
    elif times == "the same for all":
        text += " By time instead: the same numbers in other places, K = K_t ⊗ K_c."
    else:
        text += " No Kronecker product: every entry is K_c[l, l′]·k_t(t, t′) all the same."
    return minus(text)
