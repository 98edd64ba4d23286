"""Picture of chapter 9: a bump, a path across it, and the one point where level curve and path touch."""

import numpy as np

from mlcore.explore import Explorable, linear_slider
from mlcore.pictures.drawing.readout import decimals, minus
from mlcore.pictures.drawing.visual_language import ACCENT, BOUNDARY, QUIET, draw_arrow, legend_below, panel_axes

__all__ = ["bump", "bump_gradient", "tangent_curves", "touching_point"]

_NORMAL = np.array([1.0, 2.0])  # gradient of g(x, y) = x + 2y
_ALONG = np.array([2.0, -1.0]) / np.sqrt(5)
_SHORT = 0.4  # the gradient of g is drawn that much shorter
_RADII = np.array([0.3, 0.6, 0.9, 1.2, 1.5, 1.8])


def bump(x, y):
    """Return f(x, y) = exp(−x² − y²) of ES p. 43, elementwise."""
    return np.exp(-(np.square(x) + np.square(y)))


def bump_gradient(x, y):
    """Return the gradient (∂f/∂x, ∂f/∂y) of `bump` at one point, shape (2,)."""
    return -2.0 * np.array([x, y]) * bump(x, y)


def touching_point(c):
    """Return the point of x + 2y = c where a level curve of `bump` touches the line, and its multiplier α.

    ∇f = α∇g puts the point on the line through the origin along (1, 2): it is c (1, 2) / 5, and
    α = −(2c/5) exp(−c²/5).

    Examples
    --------
    >>> point, alpha = touching_point(1.0)
    >>> point.tolist(), round(float(alpha), 5)
    ([0.2, 0.4], -0.32749)
    """
    point = c * _NORMAL / 5
    return point, -2 * c / 5 * np.exp(-(c**2) / 5)


def tangent_curves():
    """Return the bump exp(−x² − y²), the line x + 2y = c and a point that walks along it (ES Fig. 21–24).

    Returns
    -------
    Explorable
    """
    return Explorable(
        title="Walk along the line: where is the bump highest?",
        controls=(
            linear_slider("c", "line at c", -2, 2, start=1, steps=17, page_every=2),
            linear_slider("step", "your place", -1.5, 1.5, start=1, steps=25, page_every=2),
        ),
        frame=_frame,
        draw=_draw,
        describe=_describe,
        size=(8.6, 4.3),
        panels=2,
    )


def _point(c, step):
    return touching_point(c)[0] + step * _ALONG


def _frame(figure):
    plane, profile = panel_axes(figure)
    plane.set(xlim=(-2.2, 2.2), ylim=(-2.2, 2.2), xlabel="x", ylabel="y", aspect="equal", title="Seen from above")
    x, y = np.meshgrid(*[np.linspace(-2.2, 2.2, 89)] * 2)
    plane.contour(x, y, bump(x, y), levels=np.exp(-(_RADII[::-1] ** 2)), colors="#b5b5b5", linewidths=1, zorder=1)
    profile.set(
        xlim=(-2.2, 2.2), ylim=(0, 1.05), xlabel="way along the line from the touching point", ylabel="height f",
        title="The bump, cut along the line",
    )  # fmt: skip
    legend_below(figure.subfigs[0], ("constraint", "line g = c, ∇g"), ("objective", "level curve of f, ∇f"), columns=2)
    legend_below(figure.subfigs[1], ("constraint", "f on the line"), ("objective", "slope where you stand"), columns=2)


def _draw(figure, c, step):
    plane, profile = (panel.axes[0] for panel in figure.subfigs)
    here, (touch, _) = _point(c, step), touching_point(c)
    plane.plot(*np.array([touch - 4 * _ALONG, touch + 4 * _ALONG]).T, color=BOUNDARY, linewidth=1.6, zorder=3)
    angle = np.linspace(0, 2 * np.pi, 121)
    radius = np.linalg.norm(here)
    plane.plot(radius * np.cos(angle), radius * np.sin(angle), color=ACCENT, linewidth=1.8, zorder=2)
    draw_arrow(plane, here, here + _SHORT * _NORMAL, color=BOUNDARY)
    draw_arrow(plane, here, here + bump_gradient(*here), color=ACCENT)
    plane.plot(*here, "o", color=ACCENT, markersize=8, markeredgecolor="white", zorder=7)

    way = np.linspace(-2.2, 2.2, 111)
    profile.plot(way, bump(*(touch[:, None] + way * _ALONG[:, None])), color=BOUNDARY, linewidth=1.6, zorder=2)
    height, slope = bump(*here), bump_gradient(*here) @ _ALONG
    reach = 0.45 * np.array([-1, 1]) / np.hypot(1, slope)
    profile.plot(step + reach, height + slope * reach, color=ACCENT, linewidth=2.6, zorder=3)
    profile.plot([step, step], [0, height], color=QUIET, linewidth=1, linestyle=":", zorder=1)
    profile.plot(step, height, "o", color=ACCENT, markersize=8, markeredgecolor="white", zorder=4)


def _describe(c, step):
    here, (_, alpha) = _point(c, step), touching_point(c)
    gradient, height = bump_gradient(*here), bump(*here)
    where = (
        f"c = {c:g}, you stand at ({here[0] + 0.0:.3f}, {here[1] + 0.0:.3f}), height f = {height:.3f}, "
        f"∇f = ({decimals(gradient[0])}, {decimals(gradient[1])}), ∇g = (1, 2). "
    )
    if abs(step) > 1e-9:
        cosine = gradient @ _NORMAL / np.linalg.norm(gradient) / np.linalg.norm(_NORMAL)
        return minus(
            f"{where}The gradients make an angle of {np.degrees(np.arccos(cosine)):.0f}°: the curves cross. A step "
            f"of 1 along the line would change f at the rate {gradient @ _ALONG:.3f}, so this is no extremum."
        )
    if abs(c) < 1e-9:
        return minus(f"{where}The line runs over the top of the bump: ∇f = 0 = α∇g with α = 0. It hinders nobody.")
    return minus(
        f"{where}The curves touch: ∇f = α∇g with the multiplier α = {alpha:.3f}. No place on the line is higher, and "
        f"the highest value changes at the rate α when c grows."
    )
