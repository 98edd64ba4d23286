"""Picture of chapter 9: the bump as a landscape, and the wall that stands on the line across it."""

import numpy as np

from mlcore.explore import Explorable, linear_slider
from mlcore.pictures.drawing.readout import minus
from mlcore.pictures.drawing.visual_language import ACCENT, BOUNDARY
from mlcore.pictures.lagrange._tangent_curves import bump, touching_point

__all__ = ["bump_in_space"]

_REACH = 2.0
_ALONG = np.array([2.0, -1.0]) / np.sqrt(5)


def bump_in_space():
    """Return exp(−x² − y²) as a landscape, with the curve above the line x + 2y = c (ES Fig. 21).

    Returns
    -------
    Explorable
    """
    return Explorable(
        title="The bump, and the path over it",
        controls=(linear_slider("c", "line at c", -2, 2, start=1, steps=17),),
        frame=_frame,
        draw=_draw,
        describe=_describe,
        size=(4.6, 3.7),
    )


def _frame(figure):
    axes = figure.add_subplot(projection="3d")
    axes.view_init(elev=30, azim=60)
    axes.set_box_aspect((4, 4, 2.6), zoom=1.1)
    x, y = np.meshgrid(*[np.linspace(-_REACH, _REACH, 25)] * 2)
    axes.plot_wireframe(x, y, bump(x, y), color="#9a9a9a", linewidth=0.6)
    axes.set(xlabel="x", ylabel="y", zlabel="f", zlim=(0, 1), xticks=[-2, 0, 2], yticks=[-2, 0, 2], zticks=[0, 0.5, 1])


def _draw(figure, c):
    axes = figure.axes[0]
    touch, _ = touching_point(c)
    way = np.linspace(-2, 2, 61)
    path = touch[:, None] + way * _ALONG[:, None]
    path = path[:, (np.abs(path) <= _REACH).all(axis=0)]
    axes.plot(*path, 0 * path[0], color=BOUNDARY, linewidth=1.6)
    axes.plot(*path, bump(*path), color=ACCENT, linewidth=2.6)
    axes.plot(*[[v, v] for v in touch], [0, bump(*touch)], color=ACCENT, linewidth=1.2, linestyle=":")
    axes.plot(*[[v] for v in touch], [bump(*touch)], "o", color=ACCENT, markersize=8, markeredgecolor="white")


def _describe(c):
    touch, alpha = touching_point(c)
    return minus(
        f"The line x + 2y = {c:g} lies on the ground, the green path above it. Its highest point stands above "
        f"({touch[0] + 0.0:.2f}, {touch[1] + 0.0:.2f}) and is {bump(*touch):.3f} high; a larger c changes this "
        f"height at the rate {alpha + 0.0:.3f}."
    )
