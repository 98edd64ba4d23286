"""Picture of chapter 16: the density of a coin's probability of heads, as tosses arrive."""

from functools import lru_cache, partial

import numpy as np
from matplotlib.collections import PolyCollection
from matplotlib.lines import Line2D

from mlcore.datasets import recorded_tosses
from mlcore.explore import Explorable, choice, step_scrubber
from mlcore.pictures.drawing.visual_language import ACCENT, BOUNDARY, LEAVING, QUIET, panel_axes
from mlcore.validation import as_array

__all__ = ["PRIORS", "coin_density", "density_of_heads"]

_CELLS = 400  # of the grid over p(heads); the values stand in the middle of the cells
_PAGE_STEPS = 30
PRIORS = {
    "flat: anything goes": lambda q: np.ones_like(q),
    "close to fair": lambda q: (q * (1 - q)) ** 19,
    "rather tails": lambda q: q * (1 - q) ** 7,
    "never below one half": lambda q: np.where(q > 0.5, 1.0, 0.0),
}
_FILL = "#cfeee3"


def coin_density(tosses=None):
    """Return prior, likelihood and posterior of a coin's probability of heads, with a scrubber through the tosses.

    Parameters
    ----------
    tosses : array_like of shape (n,), optional
        1 for heads and 0 for tails, in their order, at least two; twenty-nine of a bent coin if left out.

    Returns
    -------
    Explorable
    """
    if tosses is None:
        tosses = recorded_tosses()
    else:
        numbers = as_array("tosses", tosses, ("n",))
        if len(numbers) < 2 or not np.isin(numbers, (0, 1)).all():
            raise ValueError(f"tosses: expected at least two, each 0 or 1, got {numbers.tolist()[:10]}")
        tosses = tuple(numbers.astype(int).tolist())
    # The page shows every toss of a short series; a longer one is thinned, its end kept.
    page_every = 1 if len(tosses) < _PAGE_STEPS else -(-len(tosses) // (_PAGE_STEPS - 2))
    return Explorable(
        title="A coin of unknown bias: prior times likelihood is, up to a factor, the posterior",
        controls=(
            step_scrubber("n", "tosses seen", len(tosses) + 1, page_every=page_every),
            choice("prior", "prior", tuple(PRIORS)),
        ),
        frame=partial(_frame, tosses=tosses),
        draw=partial(_draw, tosses=tosses),
        describe=partial(_describe, tosses=tosses),
        size=(8.6, 4.2),
        panels=2,
    )


def _grid():
    return (np.arange(_CELLS) + 0.5) / _CELLS


@lru_cache(maxsize=512)
def density_of_heads(heads, tails, prior):
    """Return the density of q = p(heads) before and after the tosses, on a grid of cells.

    Parameters
    ----------
    heads, tails : int
        Numbers of either.
    prior : str
        A key of `PRIORS`.

    Returns
    -------
    q, before, after, log_likelihood : numpy.ndarray of shape (400,)
        Middles of the cells, the two densities (mean 1 over the grid: area 1), and the logarithm of
        q^heads (1 − q)^tails, which itself would underflow after a thousand tosses.
    """
    q = _grid()
    before = PRIORS[prior](q)
    before = before / before.mean()
    log_likelihood = heads * np.log(q) + tails * np.log1p(-q)
    after = before * np.exp(log_likelihood - log_likelihood[before > 0].max())
    return q, before, after / after.mean(), log_likelihood


def _seen(n, tosses):
    heads = sum(tosses[:n])
    return heads, n - heads


def _frame(figure, tosses):
    density, likelihood = panel_axes(figure)
    moments = sorted({*range(0, len(tosses), max(1, len(tosses) // _PAGE_STEPS)), len(tosses)})
    highest = max(density_of_heads(*_seen(n, tosses), prior)[2].max() for n in moments for prior in PRIORS)
    density.set(
        xlim=(0, 1), ylim=(0, 1.08 * highest), xlabel="probability of heads q", ylabel="density",
        title="Prior and posterior density",
    )  # fmt: skip
    likelihood.set(
        xlim=(0, 1), ylim=(0, 1.1), xlabel="probability of heads q", ylabel="share of the largest",
        title="Likelihood of the tosses seen",
    )  # fmt: skip
    density.axhline(1, color="#bbbbbb", linewidth=0.8, linestyle="--", zorder=0)
    handles = [
        Line2D([], [], color=QUIET, linestyle="--", linewidth=1.6, label="prior"),
        Line2D([], [], color=ACCENT, linewidth=2.2, label="posterior"),
        Line2D([], [], color=BOUNDARY, linewidth=1.2, label="its mean"),
    ]
    figure.subfigs[0].legend(handles=handles, loc="outside lower center", ncols=3)
    figure.subfigs[1].legend(
        handles=[Line2D([], [], color=LEAVING, linewidth=2.2, label="likelihood, a function of q")],
        loc="outside lower center",
    )


def _draw(figure, n, prior, tosses):
    density, right = figure.axes
    q, before, after, log_likelihood = density_of_heads(*_seen(n, tosses), prior)
    mean = (q * after).mean()
    outline = np.column_stack([np.concatenate([[0], q, [1]]), np.concatenate([[0], after, [0]])])
    density.add_collection(PolyCollection([outline], facecolor=_FILL, linewidth=0, zorder=1), autolim=False)
    density.add_artist(Line2D(q, before, color=QUIET, linestyle="--", linewidth=1.6, zorder=2))
    density.add_artist(Line2D(q, after, color=ACCENT, linewidth=2.2, zorder=3))
    density.add_artist(Line2D([mean, mean], [0, np.interp(mean, q, after)], color=BOUNDARY, linewidth=1.2, zorder=4))
    right.add_artist(Line2D(q, np.exp(log_likelihood - log_likelihood.max()), color=LEAVING, linewidth=2.2, zorder=2))


def _describe(n, prior, tosses):
    heads, tails = _seen(n, tosses)
    q, _, after, log_likelihood = density_of_heads(heads, tails, prior)
    below = np.cumsum(after) / _CELLS
    low, high = (float(np.interp(share, below, q + 0.5 / _CELLS)) for share in (0.025, 0.975))
    area = np.exp(log_likelihood).mean()
    shown = "".join("HT"[1 - toss] for toss in tosses[:n]) or "none yet"
    return (
        f"Tosses: {shown}, {heads} heads and {tails} tails. Posterior: mean {(q * after).mean():.3f}, which is also "
        f"p(next toss is heads); 95 % of it from {low:.2f} to {high:.2f}. Its density reaches {after.max():.2f}, its "
        f"area is 1.\nArea under the likelihood: {area:.3g}."
    )
