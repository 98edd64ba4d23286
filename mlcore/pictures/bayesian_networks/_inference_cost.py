"""Picture of chapter 20: what a question costs, by adding up the joint distribution and by elimination."""

from functools import lru_cache

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, NullLocator

from mlcore.bayes import query
from mlcore.datasets import band_network
from mlcore.explore import Control, Explorable
from mlcore.pictures.drawing.visual_language import ACCENT, LEAVING, QUIET, power_axis

__all__ = ["inference_cost", "operations"]

_COUNTS = (2, 4, 6, 8, 10, 12, 14, 16, 20, 24, 28, 32, 36, 40)
_LARGEST_ENUMERATION = 16  # nodes; from there on the cost is known without paying it
_PARENTS = (1, 2, 3, 4, 6, 8)


@lru_cache(maxsize=256)
def operations(count, parents, method="elimination"):
    """Return how many multiplications the distribution of the last node of a `band_network` takes.

    Parameters
    ----------
    count, parents : int
        As for `band_network`.
    method : {"elimination", "enumeration"}

    Returns
    -------
    int
    """
    return query(band_network(count, parents), f"x{count - 1}", method=method).operations


def inference_cost():
    """Return counted multiplications against the number of nodes, with a slider for the parents of a node (ES 11.1).

    Returns
    -------
    Explorable
    """
    return Explorable(
        title="The price of a question: all combinations, or one sum at a time",
        controls=(Control("parents", "parents of a node", "slider", _PARENTS, _PARENTS, 2, str),),
        frame=_frame,
        draw=_draw,
        describe=_describe,
        size=(4.6, 4.6),
    )


def _by_enumeration(count):
    """Return what enumeration takes: every table multiplied into all 2ⁿ combinations of states."""
    return (count - 1) * 2.0**count


def _frame(figure):
    axes = figure.subplots()
    axes.set(
        yscale="log", xlim=(0, 42), ylim=(1, 1e14), xlabel="nodes of the network",
        ylabel="multiplications for one question",
    )  # fmt: skip
    axes.yaxis.set_major_locator(FixedLocator(10.0 ** np.arange(0, 15, 2)))
    axes.yaxis.set_minor_locator(NullLocator())
    power_axis(axes.yaxis)
    measured = [count for count in _COUNTS if count <= _LARGEST_ENUMERATION]
    beyond = np.arange(_LARGEST_ENUMERATION, 41)
    axes.plot(measured, [operations(count, 1, "enumeration") for count in measured], "s-", color=LEAVING, markersize=5)
    axes.plot(beyond, _by_enumeration(beyond), "--", color=LEAVING)
    axes.axhline(1e9, color=QUIET, linewidth=0.9, linestyle=":", zorder=0)
    axes.text(1, 1.5e9, "about a second", fontsize=9, color=QUIET)
    handles = [
        Line2D([], [], color=LEAVING, marker="s", markersize=5, label="all combinations, counted"),
        Line2D([], [], color=LEAVING, linestyle="--", label="the same, by its formula"),
        Line2D([], [], color=ACCENT, marker="o", markersize=5, label="elimination, counted"),
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=2, columnspacing=1.2)


def _draw(figure, parents):
    counts = [operations(count, parents) for count in _COUNTS]
    look = dict(marker="o", color=ACCENT, markersize=5.5, markeredgecolor="white", zorder=3)
    figure.axes[0].add_artist(Line2D(_COUNTS, counts, **look))


def _describe(parents):
    before, forty = operations(36, parents), operations(40, parents)
    here = operations(_LARGEST_ENUMERATION, parents)
    each = f"At most {parents} parents each" if parents > 1 else "At most one parent each"
    factor = _by_enumeration(40) / _by_enumeration(36)
    return (
        f"{each}: 16 nodes take {_spaced(here)} multiplications by elimination and "
        f"{_spaced(operations(_LARGEST_ENUMERATION, parents, 'enumeration'))} over all combinations; 40 nodes take "
        f"{_spaced(forty)} and {_by_enumeration(40):.1e}. From 36 to 40 nodes elimination pays "
        f"{_spaced(forty - before)} more, the sum over all combinations becomes {factor:.0f} times as dear."
    ).replace("e+", "e")


def _spaced(number):
    return f"{number:,}".replace(",", " ")
