"""Picture of chapter 6: how pivots and work grow with the number of constraints."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from mlcore.datasets import klee_minty, random_resources
from mlcore.explore import Explorable, choice
from mlcore.optimize import simplex
from mlcore.pictures.drawing.readout import minus
from mlcore.pictures.drawing.visual_language import ACCENT, QUIET, legend_below, panel_axes, power_axis
from mlcore.pictures.simplex._simplex_run import RULES

__all__ = ["Growth", "growth_of", "simplex_growth"]

_FAMILIES = {
    "random, 10 variables": "fixed",
    "random, as many variables as constraints": "equal",
    "Klee–Minty cubes": "cubes",
}
_SIZES = {"fixed": (10, 20, 40, 80, 160), "equal": (10, 20, 40, 80, 160), "cubes": (2, 3, 4, 5, 6, 7, 8)}
_SEEDS = 5


class Growth(NamedTuple):
    """Pivots and work of the simplex method on problems of growing size.

    Attributes
    ----------
    constraints : numpy.ndarray of shape (k,)
        Numbers m of constraints.
    pivots : numpy.ndarray of shape (k, r)
        Of every problem of each size.
    work : numpy.ndarray of shape (k, r)
        Entries of the tableau that were computed anew: each pivot changes (m + 1)(n + m + 1).
    """

    constraints: np.ndarray
    pivots: np.ndarray
    work: np.ndarray

    def exponent(self, amounts, first=1):
        """Return the slope of the straight line through the mean amounts on log scales, from size number `first` on."""
        logs = np.log(self.constraints[first:]), np.log(amounts.mean(axis=1)[first:])
        return float(np.polyfit(*logs, 1)[0])


@lru_cache(maxsize=32)
def growth_of(family, rule):
    """Return how pivots and work grow on a family of problems under a rule.

    Parameters
    ----------
    family : {"fixed", "equal", "cubes"}
        Random problems with 10 variables or with as many as constraints, or the cubes of Klee and Minty.
    rule : str
        As for `mlcore.optimize.simplex`.

    Returns
    -------
    Growth
    """
    sizes = np.array(_SIZES[family])
    pivots = np.array([[simplex(problem, rule).iterations for problem in _problems(family, m)] for m in sizes.tolist()])
    variables = np.full_like(sizes, 10) if family == "fixed" else sizes
    return Growth(sizes, pivots, pivots * ((sizes + 1) * (variables + sizes + 1))[:, None])


def _problems(family, m):
    if family == "cubes":
        return [klee_minty(m)]
    return [random_resources(m, 10 if family == "fixed" else m, seed) for seed in range(_SEEDS)]


def simplex_growth():
    """Return pivots and work against the number of constraints, beside the growth that ES A.4 names.

    Returns
    -------
    Explorable
    """
    return Explorable(
        title="How the simplex method grows",
        controls=(choice("family", "problems", _FAMILIES), choice("rule", "rule", RULES)),
        frame=_frame,
        draw=_draw,
        describe=_describe,
        size=(8.6, 3.8),
        panels=2,
    )


def _frame(figure):
    pivots, work = panel_axes(figure)
    looks = dict(xscale="log", yscale="log", xlabel="number m of constraints", xlim=(1.7, 220))
    pivots.set(ylim=(0.7, 3000), title="Pivots", **looks)
    work.set(ylim=(8, 2e8), title="Tableau entries computed", **looks)
    for axes in (pivots, work):
        axes.set_xticks([2, 5, 10, 20, 50, 100, 200], labels=["2", "5", "10", "20", "50", "100", "200"])
        axes.minorticks_off()
        power_axis(axes.yaxis)
        axes.grid(True)
    sizes = np.array([1.7, 220])
    work.plot(sizes, 8.0 * sizes**3, color=QUIET, linestyle="--", zorder=1)
    pivots.plot(sizes, sizes, color=QUIET, linestyle="--", zorder=1)
    legend_below(figure.subfigs[0], ("training", "as m"), ("objective", "mean"))
    legend_below(figure.subfigs[1], ("training", "as m³ (ES)"), ("objective", "mean"))


def _draw(figure, family, rule):
    growth = growth_of(family, rule)
    for axes, amounts in zip(figure.axes, (growth.pivots, growth.work)):
        points = np.broadcast_to(growth.constraints[:, None], amounts.shape)
        axes.plot(points.ravel(), amounts.ravel(), "o", color=QUIET, markersize=3.5, alpha=0.7, zorder=2)
        axes.plot(growth.constraints, amounts.mean(axis=1), "o-", color=ACCENT, markersize=6, zorder=3)


def _describe(family, rule):
    growth = growth_of(family, rule)
    pairs = ", ".join(f"{mean:g} at m = {m}" for m, mean in zip(growth.constraints, growth.pivots.mean(axis=1)))
    if family == "cubes":
        every = " That is 2ᵐ − 1: the way through every vertex." if _is_exhaustive(growth) else ""
        return minus(f"Pivots: {pairs}.{every}")
    return minus(
        f"Mean number of pivots: {pairs}. From m = {growth.constraints[1]} on the pivots grow about as "
        f"m to the power {growth.exponent(growth.pivots):.1f}, the entries to be computed as m to the power "
        f"{growth.exponent(growth.work):.1f}."
    )


def _is_exhaustive(growth):
    return bool((growth.pivots[:, 0] == 2**growth.constraints - 1).all())
