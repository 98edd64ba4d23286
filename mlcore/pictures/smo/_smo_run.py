"""Picture of chapter 11: sequential minimal optimisation, one pair update after the other."""

from functools import partial
from typing import NamedTuple

import numpy as np

from mlcore.datasets import sixteen_points
from mlcore.explore import Explorable, choice, step_scrubber
from mlcore.kernels import Linear
from mlcore.pictures.drawing.readout import count, decimals, minus
from mlcore.pictures.drawing.sample_data import LabelledData, labelled_data
from mlcore.pictures.drawing.text_labels import draw_labels
from mlcore.pictures.drawing.visual_language import (
    circle_chosen,
    draw_points,
    draw_street,
    legend_below,
    panel_axes,
    plane_axes,
    ring_points,
)
from mlcore.pictures.smo._pair_box import (
    AFTER,
    BEFORE,
    LINE_IN_BOX,
    UNCLIPPED,
    PairMove,
    box_axes,
    draw_box,
    draw_move,
    outcome,
)
from mlcore.svm import SMOResult, simplified_smo, smo

__all__ = ["SMORun", "VARIANTS", "recorded_runs", "smo_run", "solve_by"]

VARIANTS = {
    "simplified: a random partner": "simplified",
    "largest difference of errors": "largest_difference",
    "second order: largest gain": "second_order",
}
PAGE_STEPS = 39  # positions of the scrubber in the page, for each of three variants
LONGEST = 2000  # steps that are recorded


class SMORun(NamedTuple):
    """A recorded run, and the multipliers before the first step and after each one, a row each."""

    data: LabelledData
    C: float
    result: SMOResult
    alphas: np.ndarray

    def index(self, step):
        """Return `step`, or the last one of a run that is shorter."""
        return min(step, self.result.iterations)

    def machine(self, step):
        """Return w and b after `step` updates; b = 0 before the first."""
        w = (self.alphas[step] * self.data.y) @ self.data.X
        return w, self.result.steps[step - 1].b if step else 0.0

    def errors(self, step):
        """Return E of every point after `step` updates."""
        w, b = self.machine(step)
        return self.data.X @ w + b - self.data.y

    def move(self, step):
        """Return the move of update number `step`, the first being 1."""
        made = self.result.steps[step - 1]
        i, j = made.pair
        product = self.data.y[i] * self.data.y[j]
        return PairMove(made.before, made.after, made.L, made.H, made.unclipped, product)


def solve_by(variant, K, y, C, tolerance, **options):
    """Run one variant.

    Parameters
    ----------
    variant : {"simplified", "largest_difference", "second_order"}
    K : numpy.ndarray of shape (n, n)
    y : numpy.ndarray of shape (n,)
    C, tolerance : float
    **options
        Such as ``trace=True``.

    Returns
    -------
    mlcore.svm.SMOResult
    """
    if variant == "simplified":
        return simplified_smo(K, y, C, tolerance=tolerance, **options)
    return smo(K, y, C, partner=variant, tolerance=tolerance, **options)


def recorded_runs(data, C, tolerance=1e-2):
    """Return the recorded run of each variant with the linear kernel.

    Parameters
    ----------
    data : mlcore.pictures.drawing.sample_data.LabelledData
    C, tolerance : float

    Returns
    -------
    dict of str to SMORun
    """
    K, runs = Linear()(data.X), {}
    for variant in VARIANTS.values():
        result = solve_by(variant, K, data.y, C, tolerance, trace=True, max_iter=LONGEST)
        alphas = np.zeros((result.iterations + 1, len(data.y)))
        for number, step in enumerate(result.steps, start=1):
            alphas[number] = alphas[number - 1]
            alphas[number, list(step.pair)] = step.after
        runs[variant] = SMORun(data, float(C), result, alphas)
    return runs


def smo_run(X=None, y=None, C=1.0, tolerance=1e-2):
    """Return the pair updates of three variants, in the box and among the points, to scrub (ES Fig. 29–32, SN).

    Parameters
    ----------
    X : array_like or pandas.DataFrame of shape (n, 2), optional
        Points; sixteen in two overlapping clouds if left out.
    y : array_like of shape (n,), optional
        Two classes of any name.
    C : float
        Upper bound of the multipliers, finite.
    tolerance : float
        KKT gap at which a run stops.

    Returns
    -------
    Explorable

    Raises
    ------
    ValueError
        Wrong shapes, not two classes, or a parameter out of range.
    """
    data = labelled_data(*(sixteen_points() if X is None else (X, y)))
    runs = recorded_runs(data, C, tolerance)
    steps = 1 + max(run.result.iterations for run in runs.values())
    return Explorable(
        title="Sequential minimal optimisation: two multipliers at a time",
        controls=(
            choice("variant", "choice of the pair", VARIANTS, start="second_order"),
            step_scrubber("step", "pair updates", steps, start=1, page_every=-(-steps // (PAGE_STEPS - 1))),
        ),
        frame=partial(_run_frame, data=data, C=C),
        draw=partial(_draw_run, runs=runs),
        describe=partial(_describe_run, runs=runs),
        size=(8.6, 4.7),
        panels=2,
    )


def _run_frame(figure, data, C):
    box, plane = panel_axes(figure)
    box_axes(box, -0.35 * C, 1.35 * C)
    draw_box(box, C)
    plane_axes(plane, data.X, data.names, title="The machine so far")
    draw_points(plane, data.X, data.y)
    legend_below(figure.subfigs[0], LINE_IN_BOX, BEFORE, UNCLIPPED, AFTER, columns=2)
    legend_below(figure.subfigs[1], *data.signs, "boundary", "margin", "support vector", "chosen pair")


def _draw_run(figure, variant, step, runs):
    box, plane = figure.axes
    run = runs[variant]
    step = run.index(step)
    draw_street(plane, *run.machine(step))
    if step == 0:
        return
    ring_points(plane, run.data.X[run.alphas[step] > 0])
    pair = run.data.X[list(run.result.steps[step - 1].pair)]
    circle_chosen(plane, pair)
    draw_labels(plane, pair, ["    1", "    2"], ha="left", weight="bold", zorder=20)
    draw_move(box, run.move(step))


def _describe_run(variant, step, runs):
    run = runs[variant]
    result, step = run.result, run.index(step)
    if step == 0:
        start = -run.data.y
        return minus(
            f"Start: every α is 0, w = 0 and the dual objective is 0. KKT gap {decimals(start.max() - start.min())}."
        )
    made, move, E = result.steps[step - 1], run.move(step), run.errors(step - 1)
    i, j = made.pair
    signs = ["+" if run.data.y[k] > 0 else "−" for k in made.pair]
    gained = made.objective - (result.steps[step - 2].objective if step > 1 else 0.0)
    text = (
        f"Update {step} of {result.iterations}: points {i + 1} ({signs[0]}) and {j + 1} ({signs[1]}), "
        f"E₁ − E₂ = {decimals(E[i] - E[j])}.\n{outcome(move)}.\n"
        f"Dual objective {decimals(made.objective)}, gained {decimals(gained)}. KKT gap {decimals(made.kkt_gap)}; "
        f"{count(int((run.alphas[step] > 0).sum()), 'support vector')}."
    )
    if step == result.iterations:
        values = result.certificate
        text += (
            f"\nEnd, {str(result.status).replace('_', ' ')}: dual {decimals(values.dual_value)}, primal "
            f"{decimals(values.primal_value)}, largest KKT residual {decimals(values.residual)}."
        )
    return minus(text)
