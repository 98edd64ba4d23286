"""Picture of chapter 11: how fast three choices of the pair come to the optimum."""

from functools import lru_cache, partial

import numpy as np

from mlcore.datasets import two_clouds
from mlcore.explore import Explorable, log_slider
from mlcore.kernels import Gaussian
from mlcore.optimize import Status
from mlcore.pictures.drawing.readout import decimals, minus
from mlcore.pictures.drawing.sample_data import labelled_data
from mlcore.pictures.drawing.visual_language import draw_line, legend_below, panel_axes, power_axis
from mlcore.pictures.smo._smo_run import VARIANTS, solve_by
from mlcore.svm import smo

__all__ = ["smo_variants", "sixty_points"]

TOLERANCE, FINE = 1e-3, 1e-10
WORK = 240_000  # entries of the multipliers looked at by a run: as many updates of n points as this is n
_SIGN = {"simplified": "random pairs", "largest_difference": "largest difference", "second_order": "second order"}
_LOOK = {
    "simplified": dict(color="#767676", linestyle=":"),
    "largest_difference": dict(color="#E69F00", linestyle="--"),
    "second_order": dict(color="#009E73", linestyle="-"),
}


def sixty_points():
    """Return the two overlapping clouds on which the variants compete.

    Returns
    -------
    X : numpy.ndarray of shape (60, 2)
    y : numpy.ndarray of shape (60,)
    """
    return two_clouds(n=60, distance=2.2, seed=0)


def smo_variants(X=None, y=None, kernel=None):
    """Return objective and KKT gap per pair update for three choices of the pair, with a slider for C (SN, ES p. 76).

    A run of n points may take 240,000 / n updates, so that a thousand points take seconds, not minutes; the readout
    says which runs were stopped there.

    Parameters
    ----------
    X : array_like or pandas.DataFrame of shape (n, 2), optional
        Points; sixty in two overlapping clouds if left out.
    y : array_like of shape (n,), optional
        Two classes of any name.
    kernel : mlcore.kernels.Kernel, optional
        Gaussian of width 1 if left out.

    Returns
    -------
    Explorable
    """
    data = labelled_data(*(sixty_points() if X is None else (X, y)))
    K = (Gaussian(1.0) if kernel is None else kernel)(data.X)
    curves = partial(_curves, tuple(map(tuple, K)), tuple(data.y))
    slider = log_slider("C", "penalty C", 0.1, 100, start=1, steps=13)
    for C in slider.values:
        curves(C)  # beforehand: thousands of updates with a random partner are too many for a moving slider
    return Explorable(
        title="Three ways to choose the pair: how far from the optimum, after how many updates",
        controls=(slider,),
        frame=_variants_frame,
        draw=partial(_draw_variants, curves=curves),
        describe=partial(_describe_variants, curves=curves),
        size=(8.6, 4.4),
        panels=2,
    )


@lru_cache(maxsize=64)
def _curves(K, y, C):
    """Return, for each variant, its result and the arrays of missing objective and KKT gap, the start first."""
    K, y = np.array(K), np.array(y)
    limit = max(1, WORK // len(y))
    runs = {v: solve_by(v, K, y, C, TOLERANCE, trace=True, max_iter=limit) for v in VARIANTS.values()}
    fine = smo(K, y, C, tolerance=FINE, max_iter=5 * limit, compiled=False)
    best = max(run.objective for run in (fine, *runs.values()))  # the exact one may have been stopped too
    found = {}
    for variant, result in runs.items():
        missing = best - np.array([0.0, *(step.objective for step in result.steps)])
        gaps = np.array([2.0, *(step.kkt_gap for step in result.steps)])
        found[variant] = result, missing / best, gaps
    return found


def _variants_frame(figure):
    objective, gap = panel_axes(figure)
    for axes in (objective, gap):
        axes.set(xscale="log", yscale="log", xlim=(1, 6000), xlabel="pair updates")
        for axis in (axes.xaxis, axes.yaxis):
            power_axis(axis)
    objective.set(ylim=(1e-10, 2), ylabel="share of W still missing", title="Dual objective")
    gap.set(ylim=(1e-4, 20), ylabel="KKT gap", title="KKT gap: the runs stop at 0.001")
    gap.axhline(TOLERANCE, color="#bbbbbb", linewidth=1, zorder=0)
    legend_below(figure.subfigs[0], *_SIGN.values(), columns=2)


def _draw_variants(figure, C, curves):
    objective, gap = figure.axes
    for variant, (result, missing, gaps) in curves(C).items():
        updates = np.arange(1, result.iterations + 1)
        for axes, values in ((objective, missing[1:]), (gap, gaps[1:])):
            draw_line(axes, updates, np.maximum(values, 1e-16), linewidth=1.6, zorder=3, **_LOOK[variant])
            draw_line(
                axes,
                updates[-1:],
                np.maximum(values[-1:], 1e-16),
                linestyle="none",
                marker="o",
                color=_LOOK[variant]["color"],
                zorder=4,
            )


def _describe_variants(C, curves):
    found = curves(C)
    needed = "; ".join(
        f"{_SIGN[variant]} {result.iterations}" + (" (stopped)" if result.status is Status.ITERATION_LIMIT else "")
        for variant, (result, *_) in found.items()
    )
    best = found["second_order"][0].objective
    worst = max(missing[-1] for _, missing, _ in found.values())
    states = sorted({str(result.status).replace("_", " ") for result, *_ in found.values()})
    return minus(
        f"C = {C:g}. Pair updates until the KKT gap is below 0.001: {needed}.\n"
        f"W = {decimals(best)}; the three differ from the optimum by a share of less than {_power(worst)}. "
        f"All ended: {', '.join(states)}."
    )


def _power(value):
    """Return the smallest power of ten above `value`."""
    return f"1e{int(np.floor(np.log10(max(value, 1e-12)))) + 1}"
