"""From a Gaussian in the plane to a curve: two values of a random curve, one of them observed (chapter 18)."""

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D

from mlcore.explore import FOREGROUND, Explorable, choice, linear_slider
from mlcore.gaussian_process import condition
from mlcore.kernels import Gaussian
from mlcore.pictures.drawing.readout import minus
from mlcore.pictures.drawing.sample_data import Samples
from mlcore.pictures.drawing.visual_language import ACCENT, BOUNDARY, POSITIVE, legend_below, panel_axes
from mlcore.pictures.gaussian_processes._fitted_process import draw_process, fit_process
from mlcore.pictures.gaussian_processes._gaussian_slice import draw_ellipses

__all__ = ["two_points_of_a_curve"]

_HEIGHT, _ENDS = 2.6, (-2.0, 4.0)


def two_points_of_a_curve():
    """Return the slice through (f(0), f(d)) beside the band of the whole curve, with a slider for the distance d.

    The curve is a Gaussian process with mean 0 and a Gaussian kernel of height 1, observed at x = 0 without noise.

    Returns
    -------
    Explorable

    Examples
    --------
    >>> print(two_points_of_a_curve().describe(distance=1.0, value=1.5, width=1.0).splitlines()[0])
    k(0, 1) = 0.607. Given f(0) = 1.5: f(1) ~ N(0.91, 0.632), so ± 1.59 (2 standard deviations).
    """
    return Explorable(
        title="The band of a process is the slice of a Gaussian, once for every x",
        controls=(
            linear_slider("distance", "distance d", 0.25, 4, start=1, steps=16, page_every=3),
            linear_slider(
                "value",
                "observed value f(0)",
                -1.5,
                1.5,
                start=1.5,
                steps=7,
                page_every=2,
                text=lambda value: minus(f"{value:g}"),
            ),
            choice("width", "width of the kernel", {"0.5": 0.5, "1": 1.0, "2": 2.0}, start=1.0),
        ),  # fmt: skip
        frame=_frame,
        draw=_draw,
        describe=_describe,
        size=(8.6, 4.2),
        panels=2,
    )


def _slice(distance, value, width):
    covariance = Gaussian(width)([[0.0], [distance]])
    after = condition([0, 0], covariance, [0], [value])
    return covariance, after.mean[0], np.sqrt(after.covariance[0, 0])


def _frame(figure):
    plane, curve = panel_axes(figure)
    limits = (-_HEIGHT, _HEIGHT)
    plane.set(xlim=limits, ylim=limits, xlabel="f(0), observed", ylabel="f(d)", title="Two values of the curve")
    plane.set_aspect("equal", adjustable="box")
    curve.set(xlim=_ENDS, ylim=limits, xlabel="x", ylabel="f(x)", title="The whole curve")
    legend_below(figure.subfigs[0], ("ellipses", "1 and 2 standard deviations"), ("boundary", "the slice"), columns=1)
    signs = (("mean", "mean"), ("band", "± 2 standard deviations"), ("sample", "observed"))
    legend_below(figure.subfigs[1], *signs, columns=2)


def _draw(figure, distance, value, width):
    plane, curve = figure.axes
    covariance, mean, deviation = _slice(distance, value, width)
    draw_ellipses(plane, np.zeros(2), covariance)
    plane.add_artist(Line2D([value, value], plane.get_ylim(), color=BOUNDARY, linewidth=1.6, zorder=3))
    draw_process(curve, fit_process(Samples((0.0,), (value,)), Gaussian(width), 0.0, *_ENDS))
    curve.add_artist(Line2D([distance, distance], curve.get_ylim(), color=BOUNDARY, linewidth=1.0, zorder=2))
    for axes, at in ((plane, value), (curve, distance)):
        bar = [[(at, mean - 2 * deviation), (at, mean + 2 * deviation)]]
        axes.add_collection(LineCollection(bar, colors=ACCENT, linewidths=5, zorder=4), autolim=False)
        axes.add_artist(Line2D([at], [mean], marker="o", markersize=8, color=ACCENT, markeredgecolor="white", zorder=5))
    look = dict(marker="o", markersize=7, color=POSITIVE, markeredgecolor="white", zorder=FOREGROUND)
    curve.add_artist(Line2D([0], [value], **look))


def _describe(distance, value, width):
    covariance, mean, deviation = _slice(distance, value, width)
    correlation = covariance[0, 1]
    return minus(
        f"k(0, {distance:g}) = {correlation:.3f}. Given f(0) = {value:g}: f({distance:g}) ~ N({mean + 0.0:.2f}, "
        f"{deviation**2:.3f}), so ± {2 * deviation:.2f} (2 standard deviations).\n"
        f"At {distance / width:.3g} times the width, {1 - deviation**2:.0%} of the variance of f({distance:g}) is gone."
    )
