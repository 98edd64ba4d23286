"""Picture of chapter 7: a quadratic objective over a polygon, and when its minimiser is unique."""

import numpy as np

from mlcore.explore import Explorable, linear_slider
from mlcore.optimize import QuadraticProgram, solve_qp
from mlcore.pictures.drawing.readout import minus
from mlcore.pictures.drawing.visual_language import ACCENT, BOUNDARY

__all__ = ["quadratic_bowl"]

_CORNERS = np.array([[0.5, -1.0], [2.5, -1.0], [2.5, 1.0], [0.5, 1.5]])


def quadratic_bowl():
    """Return ½x₁² + ½λx₂² over a polygon, with a slider for the smaller eigenvalue λ (ES p. 25–26, Lemma 2).

    For λ > 0 the bowl has one lowest point; for λ = 0 it is a valley and a whole edge is lowest; for λ < 0 the
    lowest points lie in corners and no method for convex programs applies.

    Returns
    -------
    Explorable
    """
    return Explorable(
        title="Bowl, valley, saddle: one lowest point, many, or none inside",
        controls=(
            linear_slider("curvature", "eigenvalue λ", -1, 1, start=1, steps=21, text=lambda v: minus(f"{v:.1f}")),
        ),
        frame=_bowl_frame,
        draw=_draw_bowl,
        describe=_describe_bowl,
        size=(4.6, 4.0),
    )


def _objective(x1, x2, curvature):
    return x1**2 / 2 + curvature * x2**2 / 2


def _constraints():
    """Return G, h of the polygon Gx ≤ h, one row for each edge."""
    edges = np.roll(_CORNERS, -1, axis=0) - _CORNERS
    outward = np.column_stack([edges[:, 1], -edges[:, 0]])
    return outward, np.einsum("ij,ij->i", outward, _CORNERS)


def _lowest(curvature):
    """Return the ends of the set of lowest points: twice the same where it is a single point."""
    if curvature == 0:
        return _CORNERS[[0, 3]]
    if curvature < 0:
        values = _objective(*_CORNERS.T, curvature)
        return _CORNERS[[int(values.argmin())] * 2]
    G, h = _constraints()
    x = solve_qp(QuadraticProgram(P=np.diag([1.0, curvature]), q=np.zeros(2), G=G, h=h)).x
    return np.array([x, x])


def _bowl_frame(figure):
    axes = figure.subplots()
    axes.set(xlim=(-0.6, 3), ylim=(-1.5, 1.9), xlabel="x₁", ylabel="x₂", aspect="equal")
    axes.fill(*_CORNERS.T, facecolor="#0072B2", alpha=0.10, zorder=0.2)
    axes.fill(*_CORNERS.T, facecolor="none", edgecolor=BOUNDARY, linewidth=1.6, zorder=2)
    axes.text(
        1.9, -0.85, "feasible", color="#444444", zorder=11, bbox={"facecolor": "#e6f1f8", "edgecolor": "none", "pad": 2}
    )


def _draw_bowl(figure, curvature):
    axes = figure.axes[0]
    x1, x2 = np.meshgrid(np.linspace(-0.6, 3, 91), np.linspace(-1.5, 1.9, 86))
    levels = [-1.0, -0.5, -0.25, 0.0, 0.125, 0.3, 0.6, 1.0, 1.6, 2.4, 3.4]
    axes.contour(x1, x2, _objective(x1, x2, curvature), levels=levels, colors="#9a9a9a", linewidths=1.0, zorder=1)
    ends = _lowest(curvature)
    axes.plot(*ends.T, color=ACCENT, linewidth=5, solid_capstyle="round", zorder=3)
    axes.plot(*ends.T, "o", color=ACCENT, markersize=10, markeredgecolor="white", zorder=4)


def _describe_bowl(curvature):
    first, last = _lowest(curvature)
    value = _objective(*first, curvature)
    eigenvalues = minus(f"Eigenvalues of Q: {min(1, curvature):.1f} and {max(1, curvature):.1f}.")
    if curvature > 0:
        return minus(
            f"{eigenvalues} Positive definite: exactly one lowest point, ({first[0]:.2f}, {first[1] + 0.0:.2f}), value "
            f"{value:.3f}."
        )
    if curvature == 0:
        return minus(
            f"{eigenvalues} Positive semidefinite only: every point of the green edge has the lowest value "
            f"{value:.3f}. Two solvers may return two different points, and both are right."
        )
    return minus(
        f"{eigenvalues} Indefinite: the lowest value {value:.3f} lies in a corner, ({first[0]:.2f}, {first[1]:.2f}). "
        "This program is not convex; solve_qp refuses it and says why."
    )
