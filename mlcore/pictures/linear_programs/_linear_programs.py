"""The main picture of chapter 5: what a linear program leaves of the plane, and which of its points is best."""

from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np

from mlcore.explore import FOREGROUND, Explorable, linear_slider, toggle
from mlcore.optimize import LinearProgram, Status, simplex
from mlcore.pictures.drawing.half_planes import (
    HalfPlane,
    as_program,
    cut,
    draw_half_plane,
    half_planes,
    is_turned,
    row,
    row_sum,
    written,
)
from mlcore.pictures.drawing.readout import minus, number
from mlcore.pictures.drawing.visual_language import ACCENT, FEASIBLE, INFEASIBLE, legend_below

__all__ = ["feasible_region", "three_half_planes"]

_TURNS = 72
_STEPS_IN_PAGE = (1, 2, 3, 6, 9, 12, 18)  # of a turn; each divides a half turn


def three_half_planes(lower=4.0):
    """Return the system x₁ + x₂ ≤ 10, x₁ ≥ 5, x₂ ≥ `lower` of ES p. 16–17, with the objective x₁ to maximise.

    Parameters
    ----------
    lower : float
        4 in system (1), which has solutions; 6 in system (2), which has none.

    Returns
    -------
    mlcore.optimize.LinearProgram
    """
    rows, senses = [[1, 1], [1, 0], [0, 1]], ["<=", ">=", ">="]
    return LinearProgram.from_rows([1, 0], rows, senses, [10, 5, lower], bounds=(None, None), maximize=True)


def feasible_region(problem=None, right_side=None, optional=None, names=None, window=None, title=None):
    """Return the feasible region of a linear program with its best point (ES Fig. 5, 6, 8, 9).

    Parameters
    ----------
    problem : mlcore.optimize.LinearProgram, optional
        In two variables, without equations; system (1) of ES p. 16 if left out.
    right_side : (int, float, float), optional
        A row of `A_ub` whose right-hand side becomes a slider, and the ends of the slider, for the row as the
        picture writes it (with ≥ where that saves minus signs).
    optional : int or "bounds", optional
        A row of `A_ub`, or all bounds, that get a switch.
    names : (str, str), optional
        Names of the variables.
    window : ((float, float), (float, float)), optional
        Ends of both axes; around the corners of the region if left out.
    title : str, optional

    Returns
    -------
    Explorable

    Raises
    ------
    ValueError
        A problem that cannot be drawn in the plane, a row that it does not have, or an objective of zeros.
    """
    if problem is None:
        problem, window = three_half_planes(), window or ((2.5, 10.5), (0, 8))
        right_side, optional = right_side or (2, 2, 6), 0 if optional is None else optional
    setting = _setting(problem, right_side, optional, names or ("x₁", "x₂"))
    return Explorable(
        title=title or "What the constraints leave, and the best of it",
        controls=_controls(setting, right_side),
        frame=partial(_frame, setting=setting, window=window or _window(setting, right_side)),
        draw=partial(_draw, setting=setting),
        describe=partial(_describe, setting=setting),
        size=(4.6, 5.0),
    )


@dataclass(frozen=True)
class _Setting:
    """A problem as half-planes, and what a reader can change about it."""

    rows: tuple
    bounds: tuple
    c: tuple
    maximize: bool
    movable: int | None
    optional: int | str | None
    names: tuple

    def planes(self, right_side=None, keep=True):
        """Return the half-planes in force; `right_side` counts for the movable row as it is written."""
        planes = list(self.rows)
        if right_side is not None:
            plane = planes[self.movable]
            planes[self.movable] = plane._replace(limit=-right_side if is_turned(plane) else right_side)
        if not keep and self.optional != "bounds":
            del planes[self.optional]
        return (*planes, *(self.bounds if keep or self.optional != "bounds" else ()))

    def objective(self, turn=0.0):
        """Return c, turned by an angle in degrees."""
        cosine, sine = np.cos(np.deg2rad(turn)), np.sin(np.deg2rad(turn))
        turned = np.array([[cosine, -sine], [sine, cosine]]) @ self.c
        return tuple((turned.round(12) + 0.0).tolist())  # a quarter of a turn is exactly that


def _setting(problem, right_side, optional, names):
    rows, bounds = half_planes(problem)
    if not problem.c.any():
        raise ValueError("problem: expected an objective with a coefficient other than 0")
    movable = None if right_side is None else right_side[0]
    for argument, index in (("right_side", movable), ("optional", None if optional == "bounds" else optional)):
        if index is not None and index not in range(len(rows)):
            raise ValueError(f"{argument}: expected one of the rows 0 to {len(rows) - 1} of A_ub, got {index!r}")
    if optional == "bounds" and not bounds:
        raise ValueError("optional: expected a problem with bounds, got one without")
    return _Setting(rows, bounds, tuple(problem.c.tolist()), problem.maximize, movable, optional, tuple(names))


def _controls(setting, right_side):
    controls = []
    if right_side is not None:
        controls.append(_right_side_slider(setting, *right_side[1:]))
    if setting.optional is not None:
        kept = setting.bounds if setting.optional == "bounds" else setting.rows[setting.optional : setting.optional + 1]
        controls.append(toggle("keep", "keep " + _list(written(p, setting.names) for p in kept), start=True))
    states = np.prod([len(control.page_values) for control in controls])
    every = next(step for step in _STEPS_IN_PAGE if states * _TURNS / step <= 120)
    turn = linear_slider(
        "turn", "turn c by", -180, 175, start=0, steps=_TURNS, page_every=every, text=lambda v: minus(f"{v:g}°")
    )
    return (turn, *controls)


def _right_side_slider(setting, low, high):
    plane = setting.rows[setting.movable]
    start = -plane.limit if is_turned(plane) else plane.limit
    if not low <= start <= high:
        raise ValueError(f"right_side: expected ends around {start:g}, where the row stands, got {low:g} and {high:g}")
    step = (high - low) / 8
    below, above = (int(np.floor(way / step + 1e-9)) for way in (start - low, high - start))
    label = written(plane, setting.names).rsplit(" ", 1)[0] + " …"
    return linear_slider(
        "right_side", label, start - below * step, start + above * step,
        start=start, steps=below + above + 1, page_every=2, text=number,
    )  # fmt: skip


def _window(setting, right_side):
    """Return limits around every corner that the region has at the ends of the sliders."""
    corners = [np.zeros((1, 2))]
    for value in (None,) if right_side is None else (None, *right_side[1:]):
        for keep in (True,) if setting.optional is None else (True, False):
            planes = setting.planes(value, keep)
            region = _region(planes, _reach(planes))
            corners.append(region[np.abs(region).max(axis=1) < _reach(planes)])  # without those of the cut
    corners = np.vstack(corners)
    low, high = corners.min(axis=0), corners.max(axis=0)
    spans = 1.4 * np.maximum(high - low, 0.1 * (high - low).max() or 1.0)
    if _are_similar(spans):
        spans[:] = spans.max()
    middle = (low + high) / 2
    return tuple(zip(middle - spans / 2, middle + spans / 2))


def _are_similar(spans):
    """Say whether equal scales would leave something to be seen of both axes."""
    return spans.max() < 4 * spans.min()


def _reach(planes):
    """Return a distance far beyond what any picture of the half-planes shows."""
    return 1e3 * (max((abs(limit) / np.hypot(a1, a2) for a1, a2, limit in planes), default=0.0) or 1.0)


def _region(planes, reach):
    """Return the corners of what all `planes` share, cut off at `reach`."""
    polygon = reach * np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
    for plane in planes:
        polygon = cut(polygon, plane)
    return polygon


@lru_cache(maxsize=512)
def _solve(planes, c, maximize):
    solution = simplex(as_program(planes, c, maximize))
    if solution.status not in (Status.OPTIMAL, Status.INFEASIBLE, Status.UNBOUNDED):
        raise ArithmeticError(f"problem: rounding errors spoilt the proof, the simplex method ended {solution.status}")
    return solution


def _weights(planes, solution):
    """Return the multiplier of every half-plane in the proof that goes with the solution."""
    if solution.status is Status.INFEASIBLE:
        ray = solution.certificate.ray[: len(planes)]
        return ray / ray.max()
    return np.zeros(len(planes)) if solution.dual is None else np.abs(solution.dual.ub)


def _is_bold(planes, solution):
    """Say which constraints are active at the solution, or take part in the proof that there is none."""
    if solution.x is None:
        return _weights(planes, solution) > 1e-9
    sizes = [np.abs(p[:2]) @ np.abs(solution.x) + abs(p.limit) for p in planes]
    return [abs(p[:2] @ solution.x - p.limit) <= 1e-9 * size for p, size in zip(planes, sizes)]


def _frame(figure, setting, window):
    axes = figure.subplots()
    axes.set(
        xlim=window[0], ylim=window[1], aspect="equal" if _are_similar(np.ptp(window, axis=1)) else "auto",
        xlabel=setting.names[0], ylabel=setting.names[1],
    )  # fmt: skip
    for line in (axes.axhline, axes.axvline):
        line(0, color="#c4c4c4", linewidth=0.8, zorder=0.2)
    signs = ["feasible region", "constraint", "active constraint", ("objective", "objective, optimum")]
    if setting.optional == "bounds":
        signs.append(("infeasible region", "breaks a bound only"))
    legend_below(figure, *signs, columns=2)


def _draw(figure, turn=0.0, right_side=None, keep=True, *, setting):
    axes = figure.axes[0]
    planes, c = setting.planes(right_side, keep), np.array(setting.objective(turn))
    solution = _solve(planes, tuple(c), setting.maximize)
    if setting.optional == "bounds" and keep:
        axes.fill(*_region(setting.rows, _reach(planes)).T, color=INFEASIBLE, linewidth=0, zorder=0.3)
    polygon = _region(planes, _reach(planes))
    if len(polygon) > 2:
        axes.fill(*polygon.T, color=FEASIBLE, linewidth=0, zorder=0.4)
    for plane, bold in zip(planes, _is_bold(planes, solution)):
        label = None if plane in setting.bounds else written(plane, setting.names)
        draw_half_plane(axes, plane, bold, label, planes)
    if solution.x is not None:
        _draw_objective(axes, planes, solution, c if setting.maximize else -c)


def _draw_objective(axes, planes, solution, uphill):
    """Draw the level line through the best point and where the objective grows, or the way that never ends."""
    unit, x = uphill / np.linalg.norm(uphill), solution.x
    size = np.ptp([axes.get_xlim(), axes.get_ylim()], axis=1).max()
    if solution.status is Status.UNBOUNDED:
        _arrow(axes, x, x + _to_the_edge(axes, x, solution.certificate.ray) * solution.certificate.ray, linewidth=4)
        _arrow(axes, x, x + 0.14 * size * unit)
        return
    axes.plot(*_best_edge(planes, solution, uphill).T, color=ACCENT, linewidth=5, zorder=3)
    along = 5 * size * np.array([-unit[1], unit[0]])
    axes.plot(*np.array([x - along, x + along]).T, color=ACCENT, linewidth=1.8, zorder=2.2)
    _arrow(axes, x, x + 0.14 * size * unit)
    axes.plot(*x, "o", color=ACCENT, markersize=10, markeredgecolor="white", zorder=FOREGROUND + 1)


def _to_the_edge(axes, x, ray):
    """Return how far a ray can be walked before it leaves the picture."""
    low, high = np.array([axes.get_xlim(), axes.get_ylim()]).T
    moving = ray != 0
    return ((np.where(ray > 0, high, low) - x)[moving] / ray[moving]).min()


def _arrow(axes, start, end, linewidth=2.2):
    look = dict(arrowstyle="-|>", color=ACCENT, linewidth=linewidth, shrinkA=0, shrinkB=0, mutation_scale=14)
    axes.annotate("", end, start, arrowprops=look, annotation_clip=False, zorder=4)


def _describe(turn=0.0, right_side=None, keep=True, *, setting):
    planes, c = setting.planes(right_side, keep), np.array(setting.objective(turn))
    solution = _solve(planes, tuple(c), setting.maximize)
    certificate = f"\nCertificate: {solution.certificate}."
    if solution.status is Status.INFEASIBLE:
        proof = _proof(planes, solution, setting)
        return minus(f"Nothing is feasible. Proof: {proof}, which no x can satisfy.{certificate}")
    aim = f"{'Maximise' if setting.maximize else 'Minimise'} {row_sum(c, setting.names)}: "
    if solution.status is Status.UNBOUNDED:
        ray = solution.certificate.ray
        ray = ray / np.abs(ray).max()
        return minus(
            f"{aim}there is no best point. Start at {_point(solution.x)} and walk along {_point(ray)}: no constraint "
            f"is ever in the way, and every such step changes the objective by {number(c @ ray)}.{certificate}"
        )
    value = number(c @ solution.x)
    active = [p for p, bold in zip(planes, _is_bold(planes, solution)) if bold]
    edge = " Every point of the green edge is as good." if len(_best_edge(planes, solution, c)) else ""
    return minus(
        f"{aim}the optimum is {_point(solution.x)}, value {value}.{edge} "
        f"Active: {_list(written(p, setting.names) for p in active)}.\n"
        f"Nothing does better: {_proof(planes, solution, setting)}.{certificate}"
    )


def _best_edge(planes, solution, uphill):
    """Return the ends of the edge where all points are optimal, or none where there is one best point."""
    corners = _region(planes, _reach(planes))
    heights = (corners - solution.x) @ uphill / np.linalg.norm(uphill)
    best = corners[np.abs(heights) <= 1e-9 * _reach(planes)]
    return best if len(best) and np.ptp(best, axis=0).max() > 1e-6 * _reach(planes) else best[:0]


def _proof(planes, solution, setting):
    """Write the weighted sum of the rows that bounds the objective, or contradicts itself."""
    weights = _weights(planes, solution)
    used = [(weight, plane) for weight, plane in zip(weights, planes) if weight > 1e-9]
    a, limit = weights @ [plane[:2] for plane in planes], weights @ [plane.limit for plane in planes]
    terms = " + ".join(f"{number(weight)} × ({row(plane, setting.names)})" for weight, plane in used)
    if solution.status is Status.OPTIMAL and not setting.maximize:
        return f"{terms} adds up to {row_sum(-a, setting.names)} ≥ {number(-limit)}"
    return f"{terms} adds up to {row(HalfPlane(*a, limit), setting.names)}"


def _point(x):
    return f"({number(x[0])}, {number(x[1])})"


def _list(texts):
    return ", ".join(texts)
