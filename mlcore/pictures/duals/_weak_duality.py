"""Picture of chapter 8: any plan and any prices, and the gap between them in four parts that are never negative."""

from functools import partial

import numpy as np

from mlcore.explore import FOREGROUND, Explorable, linear_slider
from mlcore.pictures.drawing.half_planes import written
from mlcore.pictures.drawing.readout import minus, number, subscript
from mlcore.pictures.drawing.visual_language import ACCENT, LEAVING, legend_below
from mlcore.pictures.duals._lp_duality import PRICE_NAMES, at_least, bakery, draw_feasible, primal_and_dual_planes

__all__ = ["gap_in_parts", "plan_and_prices"]

_TOP = 5.4
_NAMES, _RESOURCES = ("bread", "cake"), ("flour", "oven")


def plan_and_prices():
    """Return the bakery with a plan x and prices y to be set, and the gap b·y − c·x in four parts.

    Returns
    -------
    Explorable
    """
    problem = bakery()
    data = {"A": problem.A_ub, "b": problem.b_ub, "c": problem.c}
    return Explorable(
        title="A plan, a price list, and the gap between them",
        controls=(
            linear_slider("bread", "plan: bread", 0, 5, start=1, steps=11, page_every=4),
            linear_slider("cake", "plan: cake", 0, 3, start=1, steps=7, page_every=2),
            linear_slider("flour", "price of flour", 0, 2, start=2, steps=9, page_every=4),
            linear_slider("oven", "price of oven", 1, 3, start=2, steps=9, page_every=4),
        ),
        frame=partial(_frame, **data),
        draw=partial(_draw, **data),
        describe=partial(_describe, **data),
        size=(8.6, 5.4),
        panels=2,
    )


def gap_in_parts(x, y, A, b, c):
    """Return the two lists of products that b·y − c·x is the sum of.

    Parameters
    ----------
    x, y : array_like of shapes (n,) and (m,)
    A, b, c : array_like of shapes (m, n), (m,) and (n,)

    Returns
    -------
    rows : numpy.ndarray of shape (m,)
        yᵢ(b − Ax)ᵢ, price times what is left over.
    columns : numpy.ndarray of shape (n,)
        xⱼ(Aᵀy − c)ⱼ, amount times what the ingredients cost beyond the gain.

    Examples
    --------
    >>> rows, columns = gap_in_parts([1, 1], [2, 2], [[2, 1], [1, 3]], [8, 9], [4, 7])
    >>> rows.tolist(), columns.tolist()
    ([10, 10], [2, 1])
    """
    x, y, A, b, c = map(np.asarray, (x, y, A, b, c))
    return y * (b - A @ x), x * (y @ A - c)


def _frame(figure, A, b, c):
    titles = "The baker's plan, worth c·x", "The merchant's prices, worth b·y"
    labels = _NAMES, [f"price y{subscript(str(i + 1))} of {name}" for i, name in enumerate(_RESOURCES)]
    write = partial(written, names=_NAMES), partial(at_least, names=PRICE_NAMES)
    bars = ("price × left over", _RESOURCES), ("amount × loss", _NAMES)
    for panel, planes, text, title, label, (meaning, rows) in zip(
        figure.subfigs, primal_and_dual_planes(A, b, c), write, titles, labels, bars
    ):
        plane, parts = panel.subplots(2, 1, height_ratios=(4.2, 1))
        plane.set(xlim=(-0.3, _TOP), ylim=(-0.3, _TOP), aspect="equal", title=title, xlabel=label[0], ylabel=label[1])
        draw_feasible(plane, planes, (False, False), [text(p) for p in planes])
        parts.set(xlim=(-14, 24), ylim=(1.6, -0.6), xlabel=meaning)
        parts.set_yticks([0, 1], rows)
        parts.axvline(0, color="#767676", linewidth=0.8)
    legend_below(figure.subfigs[0], "feasible region", ("optimum", "what you set"), columns=2)
    legend_below(figure.subfigs[1], ("path", "part of the gap"), ("what stops it", "below 0: infeasible"), columns=2)


def _draw(figure, bread, cake, flour, oven, A, b, c):
    x, y = np.array([bread, cake]), np.array([flour, oven])
    for panel, point, products in zip(figure.subfigs, (x, y), gap_in_parts(x, y, A, b, c)):
        plane, parts = panel.axes
        plane.plot(*point, "o", color=ACCENT, markersize=11, markeredgecolor="white", zorder=FOREGROUND + 1)
        colours = [ACCENT if product >= 0 else LEAVING for product in products]
        parts.barh([0, 1], products, height=0.7, color=colours, zorder=3)
        for position, product in enumerate(products):
            parts.text(max(product, 0) + 0.6, position, number(product), va="center", fontsize=10, zorder=4)


def _describe(bread, cake, flour, oven, A, b, c):
    x, y = np.array([bread, cake]), np.array([flour, oven])
    rows, columns = gap_in_parts(x, y, A, b, c)
    left, loss = b - A @ x, y @ A - c
    faults = [f"{name} is short by {number(-s)}" for name, s in zip(_RESOURCES, left) if s < 0]
    faults += [
        f"the ingredients of {name} cost {number(-s)} less than it brings" for name, s in zip(_NAMES, loss) if s < 0
    ]
    gap = b @ y - c @ x
    if faults:
        end = f"Not a feasible pair: {'; '.join(faults)}, so the gap proves nothing."
    elif gap > 1e-9:
        end = "Both are feasible: the best plan and the best prices lie between these two values."
    else:
        end = "Both are feasible and the gap is 0: both are optimal, and this is the proof."
    parts = zip((*rows, *columns), (*_RESOURCES, *_NAMES))
    total = " ".join(f"{'−' if part < 0 else '+'} {number(abs(part))} ({name})" for part, name in parts)
    return minus(
        f"Plan worth {number(c @ x)}, prices worth {number(b @ y)}, gap {number(gap)} = "
        f"{total.removeprefix('+ ')}.\n{end}"
    )
