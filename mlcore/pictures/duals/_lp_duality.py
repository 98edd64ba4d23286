"""The main picture of chapter 8: a linear program and its dual side by side, and both optima at the same value."""

from functools import lru_cache, partial

import numpy as np

from mlcore.explore import FOREGROUND, Explorable, linear_slider
from mlcore.optimize import LinearProgram, Status, dual_program, simplex
from mlcore.pictures.drawing.half_planes import HalfPlane, cut, draw_half_plane, row_sum, written
from mlcore.pictures.drawing.readout import minus, number, small, subscript
from mlcore.pictures.drawing.visual_language import ACCENT, FEASIBLE, legend_below, panel_axes

__all__ = ["at_least", "bakery", "draw_feasible", "lp_and_dual", "primal_and_dual_planes", "solve_pair"]

PRICE_NAMES = ("y₁", "y₂")
_NONNEGATIVE = (HalfPlane(-1.0, 0.0, 0.0), HalfPlane(0.0, -1.0, 0.0))


def bakery():
    """Return the program of the bakery: 4 bread + 7 cake under 2 bread + cake ≤ 8 and bread + 3 cake ≤ 9.

    Returns
    -------
    mlcore.optimize.LinearProgram
        Its optimum is (3, 2) with the value 26; the prices of the two rows are (1, 2).
    """
    return LinearProgram([4, 7], [[2, 1], [1, 3]], [8, 9], maximize=True)


def lp_and_dual(
    problem=None, names=("bread", "cake"), resources=("flour", "oven"), limit=(5, 20), gain=(1, 9), windows=None
):
    """Return a linear program and its dual, each in its plane; b₁ and c₂ can be moved (ES 4.1).

    Parameters
    ----------
    problem : mlcore.optimize.LinearProgram, optional
        A maximisation with two variables, both at least 0, and two rows ``A_ub``; the bakery if left out.
    names, resources : (str, str)
        What the two variables and the two rows mean.
    limit, gain : (float, float)
        Ends of the sliders for ``b_ub[0]`` and ``c[1]``.
    windows : (float, float), optional
        Largest coordinate shown of the primal and of the dual; beyond all optima of the page if left out.

    Returns
    -------
    Explorable

    Raises
    ------
    ValueError
        Another form of problem, or a slider whose ends do not enclose its start.
    """
    problem = bakery() if problem is None else problem
    A, b, c = _parts(problem)
    sliders = (
        _slider("limit", f"{resources[0]} b₁", limit, b[0], 18),
        _slider("gain", f"{names[1]} c₂", gain, c[1], 8),
    )
    tops = _windows(A, b, c, sliders) if windows is None else tuple(map(float, windows))
    setting = {"A": A, "b": b, "c": c, "names": tuple(names), "resources": tuple(resources)}
    return Explorable(
        title="A linear program and its dual: one value for two problems",
        controls=sliders,
        frame=partial(_frame, names=names, resources=resources, tops=tops),
        draw=partial(_draw, **setting),
        describe=partial(_describe, **setting),
        size=(8.6, 4.4),
        panels=2,
    )


def _parts(problem):
    """Return A, b and c of max c·x, A x ≤ b, x ≥ 0 as tuples, or say what does not fit the picture."""
    if not isinstance(problem, LinearProgram):
        raise ValueError(f"problem: expected a LinearProgram, got {problem!r}")
    if problem.A_ub.shape != (2, 2) or len(problem.b_eq):
        raise ValueError(
            "problem: expected two variables and two rows A_ub, so that both problems fit into a plane, got "
            f"{problem.c.size} variables, {len(problem.b_ub)} inequalities and {len(problem.b_eq)} equations"
        )
    if not problem.maximize or (problem.bounds != (0.0, np.inf)).any():
        raise ValueError("problem: expected a maximisation over x >= 0")
    if not (problem.A_ub.any(axis=0).all() and problem.A_ub.any(axis=1).all()):
        raise ValueError("problem: expected a coefficient other than 0 in every row and column of A_ub")
    return tuple(map(tuple, problem.A_ub.tolist())), tuple(problem.b_ub.tolist()), tuple(problem.c.tolist())


def _slider(name, label, ends, start, most):
    """Return a slider from end to end that meets `start`, in whole steps where that gives at most `most`."""
    low, high = map(float, ends)
    if not low <= start <= high:
        raise ValueError(f"{name}: expected ends around {start:g}, where the problem stands, got {low:g} and {high:g}")
    step = 1.0 if all(value.is_integer() for value in (low, high, start)) and 4 <= high - low <= most else None
    step = step or (high - low) / 8
    below, above = (int(np.floor(way / step + 1e-9)) for way in (start - low, high - start))
    every = max(1, round((below + above) / 5))
    return linear_slider(
        name, label, start - below * step, start + above * step,
        start=start, steps=below + above + 1, page_every=every, text=number,
    )  # fmt: skip


def _windows(A, b, c, sliders):
    """Return, for the primal and for the dual, a coordinate beyond every optimum of the page."""
    reach = [1.0], [1.0]
    for limit in sliders[0].page_values:
        for gain in sliders[1].page_values:
            for largest, result in zip(reach, solve_pair(A, (limit, b[1]), (c[0], gain))):
                if result.status is Status.OPTIMAL:
                    largest.extend(result.x)
    return tuple(1.15 * max(largest) for largest in reach)


@lru_cache(maxsize=512)
def solve_pair(A, b, c):
    """Return the solved program max c·x, A x ≤ b, x ≥ 0 and its solved dual.

    Parameters
    ----------
    A : tuple of tuples
    b, c : tuple of float

    Returns
    -------
    primal, dual : mlcore.optimize.SimplexResult
    """
    problem = LinearProgram(c, A, b, maximize=True)
    return simplex(problem), simplex(dual_program(problem).program)


def primal_and_dual_planes(A, b, c):
    """Return the half-planes of A x ≤ b and those of Aᵀy ≥ c, without the signs of the variables."""
    A = np.array(A)
    primal = tuple(HalfPlane(*map(float, (*a, limit))) for a, limit in zip(A, b))
    dual = tuple(HalfPlane(*(float(-v) + 0.0 for v in (*a, least))) for a, least in zip(A.T, c))
    return primal, dual


def at_least(plane, names):
    """Return a half-plane as a row with ≥, the form of the dual's rows.

    Examples
    --------
    >>> at_least(HalfPlane(-1, 1, 0), PRICE_NAMES)
    'y₁ − y₂ ≥ 0'
    """
    return f"{row_sum((-plane.a1, -plane.a2), names)} ≥ {number(-plane.limit)}"


def draw_feasible(axes, planes, bold, texts, level=()):
    """Fill what `planes` and the signs leave of `axes`, and draw the lines, active ones bold.

    Their texts keep away from each other and from the half-planes in `level`.
    """
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    region = np.array([[left, bottom], [right, bottom], [right, top], [left, top]])
    for plane in (*planes, *_NONNEGATIVE):
        region = cut(region, plane)
    if len(region) > 2:
        axes.fill(*region.T, color=FEASIBLE, linewidth=0, zorder=0.4)
    for plane, active, text in zip((*planes, *_NONNEGATIVE), (*bold, False, False), (*texts, None, None)):
        draw_half_plane(axes, plane, active, text, (*planes, *_NONNEGATIVE, *level))


def _frame(figure, names, resources, tops):
    for axes, top, title, labels in zip(
        panel_axes(figure),
        tops,
        ("Primal: the largest c·x", "Dual: the smallest b·y"),
        (names, [f"price y{subscript(str(i + 1))} of {resource}" for i, resource in enumerate(resources)]),
    ):
        axes.set(
            xlim=(-0.1 * top, top), ylim=(-0.1 * top, top), aspect="equal",
            xlabel=labels[0], ylabel=labels[1], title=title,
        )  # fmt: skip
    legend_below(figure.subfigs[0], "feasible region", "active constraint", columns=2)
    legend_below(figure.subfigs[1], ("objective", "equal objective"), "optimum", columns=2)


def _draw(figure, limit, gain, A, b, c, names, resources):
    b, c = (limit, b[1]), (c[0], gain)
    primal, dual = solve_pair(A, b, c)
    planes = primal_and_dual_planes(A, b, c)
    uphill = np.array(c), -np.array(b)
    panels = [panel.axes[0] for panel in figure.subfigs]
    texts = [written(plane, names) for plane in planes[0]], [at_least(plane, PRICE_NAMES) for plane in planes[1]]
    for axes, result, own, direction, rows in zip(panels, (primal, dual), planes, uphill, texts):
        optimal = result.status is Status.OPTIMAL
        bold = [optimal and abs(np.dot(p[:2], result.x) - p.limit) < 1e-9 * (1 + abs(p.limit)) for p in own]
        draw_feasible(axes, own, bold, rows, _cross(direction, result.x) if optimal and direction.any() else ())
        if optimal:
            _draw_optimum(axes, own, result.x, direction)


def _cross(direction, x):
    """Return the level line through x and the line of the arrow, both to be kept free of text."""
    across = np.array([-direction[1], direction[0]])
    return HalfPlane(*direction, direction @ x), HalfPlane(*across, across @ x)


def _draw_optimum(axes, planes, x, direction):
    size = np.ptp(axes.get_xlim())
    if direction.any():
        unit = direction / np.linalg.norm(direction)
        along = 3 * size * np.array([-unit[1], unit[0]])
        axes.plot(*np.array([x - along, x + along]).T, color=ACCENT, linewidth=1.8, zorder=2.2)
        look = dict(arrowstyle="-|>", color=ACCENT, linewidth=2.2, shrinkA=0, shrinkB=0, mutation_scale=14)
        axes.annotate("", x + 0.14 * size * unit, x, arrowprops=look, annotation_clip=True, zorder=4)
    edge = _best_edge(planes, x, direction)
    axes.plot(*edge.T, color=ACCENT, linewidth=5, zorder=3)
    axes.plot(*x, "o", color=ACCENT, markersize=10, markeredgecolor="white", zorder=FOREGROUND + 1)


def _best_edge(planes, x, direction):
    """Return the ends of the edge where all points are optimal (cut off far away), or no points."""
    reach = 1e3 * (1 + np.abs(x).max())
    region = reach * np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
    for plane in (*planes, *_NONNEGATIVE):
        region = cut(region, plane)
    best = region[np.abs((region - x) @ direction) <= 1e-9 * reach * (1 + np.abs(direction).max())]
    return best if len(best) and np.ptp(best, axis=0).max() > 1e-6 * reach / 1e3 else best[:0]


def _describe(limit, gain, A, b, c, names, resources):
    b, c = (limit, b[1]), (c[0], gain)
    primal, dual = solve_pair(A, b, c)
    if primal.status is not Status.OPTIMAL:
        return minus(
            f"Primal: {primal.status}, dual: {dual.status}. An unbounded problem leaves nothing feasible in the "
            f"other one: every feasible point there would be a bound.\nCertificate: {primal.certificate}."
        )
    x, y = primal.x, dual.x
    left, surplus = b - np.array(A) @ x, y @ np.array(A) - c
    edges = [
        f" Every point of the green edge is as good in the {name}."
        for name, own, point, way in zip(
            ("primal", "dual"), primal_and_dual_planes(A, b, c), (x, y), (np.array(c), -np.array(b))
        )
        if len(_best_edge(own, point, way))
    ]
    pairs = [f"{resource}: {number(s)} × {number(p)}" for resource, s, p in zip(resources, left, y)]
    duals = [f"{name}: {number(s)} × {number(v)}" for name, s, v in zip(names, surplus, x)]
    return minus(
        f"Largest {row_sum(c, names)} = {number(primal.value)} at ({number(x[0])}, {number(x[1])}); "
        f"smallest {row_sum(b, PRICE_NAMES)} = {number(dual.value)} at ({number(y[0])}, {number(y[1])}): "
        f"gap {small(dual.value - primal.value, '.3g')}.{''.join(edges)}\n"
        f"Slack × price: {', '.join(pairs)}. Loss × amount: {', '.join(duals)}. Each product is 0.\n"
        f"Certificate: {primal.certificate}."
    )
