"""Picture of chapter 19: two correlations of three leave an interval for the third."""

from functools import partial

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon

from mlcore.explore import FOREGROUND, Explorable, linear_slider
from mlcore.pictures.drawing.readout import minus
from mlcore.pictures.drawing.visual_language import ACCENT, FEASIBLE, POSITIVE, legend_below
from mlcore.validation import as_array

__all__ = ["allowed_interval", "third_correlation"]

_TURN = np.linspace(0, 2 * np.pi, 121)


def allowed_interval(r12, r23):
    """Return the least and the largest r13 for which the three are correlations of something.

    With r12 = cos φ and r23 = cos θ they are cos(θ + φ) and cos(θ − φ): the 3 × 3 matrix is positive semidefinite
    exactly in between.

    Parameters
    ----------
    r12, r23 : float
        From −1 to 1.

    Returns
    -------
    (float, float)

    Raises
    ------
    ValueError
        A correlation outside [−1, 1].

    Examples
    --------
    >>> [round(end, 2) for end in allowed_interval(-0.96, 0.9)]
    [-0.99, -0.74]
    """
    for name, value in (("r12", r12), ("r23", r23)):
        if not -1 <= as_array(name, value, ()) <= 1:
            raise ValueError(f"{name}: expected a correlation from -1 to 1, got {value!r}")
    room = np.sqrt((1 - r12**2) * (1 - r23**2))
    return float(r12 * r23 - room), float(r12 * r23 + room)


def third_correlation():
    """Return the correlations r13 that r12 and r23 allow, with a slider for either (ES p. 118).

    Returns
    -------
    Explorable
    """
    slider = partial(linear_slider, low=-1, high=1, steps=21, page_every=2, text=lambda r: minus(f"{r:.1f}"))
    return Explorable(
        title="Two correlations of three",
        controls=(
            slider("r12", "tasks 1 and 2: r₁₂", start=-0.9),
            slider("r23", "tasks 2 and 3: r₂₃", start=0.9),
        ),
        frame=_frame,
        draw=_draw,
        describe=_describe,
        size=(4.6, 4.7),
    )


def _frame(figure):
    axes = figure.subplots()
    axes.set(
        xlim=(-1.1, 1.1), ylim=(-1.1, 1.1), xlabel="r₂₃, tasks 2 and 3", ylabel="r₁₃, tasks 1 and 3",
        aspect="equal",
    )  # fmt: skip
    axes.plot([-1, 1, 1, -1, -1], [-1, -1, 1, 1, -1], color="#bbbbbb", linewidth=1, zorder=FOREGROUND)
    legend_below(
        figure,
        ("feasible region", "possible at this r₁₂"),
        ("fit", "possible r₁₃ at this r₂₃"),
        columns=1,
    )


def _draw(figure, r12, r23):
    axes = figure.axes[0]
    # r23 = cos θ, r13 = cos(θ + φ), with r12 = cos φ, goes once around all that is possible.
    edge = np.column_stack([np.cos(_TURN), np.cos(_TURN + np.arccos(r12))])
    axes.add_artist(Polygon(edge, facecolor=FEASIBLE, edgecolor=POSITIVE, linewidth=1.2, zorder=1))
    ends = allowed_interval(r12, r23)
    look = dict(color=ACCENT, linewidth=3.5, marker="o", markersize=7, markeredgecolor="white")
    axes.add_artist(Line2D([r23, r23], ends, zorder=3, **look))


def _describe(r12, r23):
    low, high = allowed_interval(r12, r23)
    sign = "it must be negative" if high < -1e-9 else "it must be positive" if low > 1e-9 else "its sign is open"
    return minus(
        f"r₁₂ = {r12:.1f} and r₂₃ = {r23:.1f}: r₁₃ is between {low + 0:.2f} and {high + 0:.2f}, and {sign}. Outside, "
        "the matrix of the three has a negative eigenvalue, and nothing can have such correlations."
    )
