"""Picture of chapter 7: the hinge loss, and the trade between norm and slack that C decides."""

from functools import partial

import numpy as np

from mlcore.datasets import overlapping_clouds
from mlcore.explore import Explorable, log_slider
from mlcore.pictures.drawing.readout import count, minus
from mlcore.pictures.drawing.sample_data import labelled_data
from mlcore.pictures.drawing.street import street
from mlcore.pictures.drawing.visual_language import ACCENT, draw_points, legend_below, panel_axes

__all__ = ["hinge_loss"]


def hinge_loss(X=None, y=None):
    """Return the hinge loss of every point, and the trade between norm and slack that C decides (SN).

    Parameters
    ----------
    X : array_like or pandas.DataFrame of shape (n, 2), optional
        Points; two overlapping clouds if left out.
    y : array_like of shape (n,), optional
        Two classes of any name.

    Returns
    -------
    Explorable
    """
    data = labelled_data(*(overlapping_clouds() if X is None else (X, y)))
    slider = log_slider("C", "penalty C", 0.01, 100, start=1, steps=25)
    path = [street(data, C) for C in slider.values]
    trade = np.array([[s.norm**2 / 2, s.slack.sum()] for s in path])
    return Explorable(
        title="What a point pays, and what the machine trades",
        controls=(slider,),
        frame=partial(_hinge_frame, data=data, trade=trade),
        draw=partial(_draw_hinge, data=data),
        describe=partial(_describe_hinge, data=data),
        size=(8.6, 4.1),
        panels=2,
    )


def _hinge_frame(figure, data, trade):
    loss, frontier = panel_axes(figure)
    margins = np.linspace(-3, 4, 200)
    loss.plot(margins, np.maximum(0, 1 - margins), color="#333333", zorder=1)
    loss.set(
        xlim=(-3, 4), ylim=(-0.25, 4), xlabel="functional margin y (w·x + b)", ylabel="slack",
        title="Hinge loss: nothing to pay from 1 on",
    )  # fmt: skip
    loss.axvline(0, color="#bbbbbb", linewidth=0.8, zorder=0)
    loss.axvline(1, color="#bbbbbb", linewidth=0.8, linestyle="--", zorder=0)
    frontier.plot(*trade.T, color="#333333", zorder=1)
    low, high = trade.min(axis=0), trade.max(axis=0)
    room = 0.08 * np.where(high > low, high - low, 1.0)
    frontier.set(
        xlim=(low[0] - room[0], high[0] + room[0]), ylim=(low[1] - room[1], high[1] + room[1]),
        xlabel="½‖w‖², large when the street is narrow", ylabel="sum of slacks",
        title="The best trades, one for every C",
    )  # fmt: skip
    legend_below(figure.subfigs[0], *data.signs)


def _draw_hinge(figure, C, data):
    loss, frontier = figure.axes
    solution = street(data, C)
    margins = data.y * (data.X @ solution.w + solution.b)
    draw_points(loss, np.column_stack([margins, solution.slack]), data.y, zorder=3)
    here = np.array([solution.norm**2 / 2, solution.slack.sum()])
    # Equal objective ½‖w‖² + C·Σξ: a line of slope −1/C, which the best trade touches.
    reach = np.array(frontier.get_xlim())
    frontier.plot(reach, here[1] - (reach - here[0]) / C, color=ACCENT, linewidth=1.4, zorder=2)
    frontier.plot(*here, "o", color=ACCENT, markersize=9, markeredgecolor="white", zorder=3)


def _describe_hinge(C, data):
    solution = street(data, C)
    half, slack = solution.norm**2 / 2, solution.slack.sum()
    paying = int((solution.slack > 1e-6).sum())
    return (
        f"C = {C:g}: {count(paying, 'point')} of {len(data.y)} pay. ½‖w‖² = {half:.3f}, sum of slacks = {slack:.3f}, "
        f"objective ½‖w‖² + C·Σξ = {half + C * slack:.3f}. The green line of equal objective has slope "
        f"−1/C = {minus(f'{-1 / C:.3g}')} and touches the curve here. The same machine minimises the mean hinge loss "
        f"plus λ‖w‖² with λ = 1/(2nC) = {1 / (2 * len(data.y) * C):.3g}."
    )
