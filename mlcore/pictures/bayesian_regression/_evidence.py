"""The evidence chooses a model: polynomials of several degrees, each with the probability it gives to the data."""

from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
from matplotlib.lines import Line2D
from scipy.special import logsumexp

from mlcore.datasets import noisy_wave
from mlcore.explore import FOREGROUND, Explorable, log_slider, step_scrubber
from mlcore.linear_model import posterior
from mlcore.pictures.bayesian_regression._weight_plane import observations
from mlcore.pictures.drawing.readout import minus
from mlcore.pictures.drawing.sample_data import draw_samples, samples, samples_axes
from mlcore.pictures.drawing.visual_language import (
    ACCENT,
    BOUNDARY,
    LEAVING,
    POSITIVE,
    draw_band,
    legend_below,
    panel_axes,
)

__all__ = ["evidence_of_degrees", "powers"]

_HIGHEST = 8
_TERMS = (  # attribute, colour, line, mark and text in the legend
    ("fit", POSITIVE, "--", "s", "fit"),
    ("complexity", LEAVING, "-.", "^", "complexity"),
    ("log_evidence", ACCENT, "-", "o", "log evidence"),
)


@dataclass(frozen=True)
class _Unit:
    """Where inputs lie and how far they reach, so that powers are taken of numbers from −1 to 1."""

    middle: float
    half: float


def powers(x, degree):
    """Return the matrix whose columns are 1, x, x², … up to the given degree.

    Parameters
    ----------
    x : array_like of shape (n,)
    degree : int

    Returns
    -------
    numpy.ndarray of shape (n, degree + 1)
    """
    return np.vander(np.asarray(x, dtype=float), degree + 1, increasing=True)


def evidence_of_degrees(t=None, y=None, names=None):
    """Return polynomials of degree 0 to 8 with their bands, and the log evidence of each in its terms.

    Parameters
    ----------
    t, y : array_like or pandas.Series of shape (n,), optional
        Observations; twenty of a sine wave if left out. Yours are measured in standard deviations from their mean.
    names : (str, str), optional
        Names of the axes, if the two have none of their own.

    Returns
    -------
    Explorable

    Raises
    ------
    ValueError
        Fewer than three observations, or values that are not finite or all equal.
    """
    data = samples(*noisy_wave(n=20, noise=0.2, seed=5)) if t is None else observations(t, y, names)
    unit = _Unit((max(data.x) + min(data.x)) / 2, (max(data.x) - min(data.x)) / 2)
    return Explorable(
        title="Which degree? The one under which the data were most probable",
        controls=(
            step_scrubber("degree", "degree", _HIGHEST + 1, start=1),
            log_slider("width", "prior width σₚ", 0.3, 30, start=3, steps=5, page_every=2),
            log_slider(
                "noise",
                "std of the noise σₙ",
                0.1,
                1.6,
                start=0.2 if t is None else 0.8,
                steps=5,
                page_every=2,
            ),
        ),  # fmt: skip
        frame=partial(_frame, data=data, unit=unit, wave=t is None),
        draw=partial(_draw, data=data, unit=unit),
        describe=partial(_describe, data=data, unit=unit),
        size=(8.6, 4.6),
        panels=2,
    )


@lru_cache(maxsize=1024)
def _fitted(data, unit, degree, width, noise):
    return posterior(_inputs(data, unit, degree), data.y, width**2, noise**2)


def _inputs(data, unit, degree):
    return powers((np.array(data.x) - unit.middle) / unit.half, degree)


def _all_degrees(data, unit, width, noise):
    return [_fitted(data, unit, degree, width, noise) for degree in range(_HIGHEST + 1)]


def _frame(figure, data, unit, wave):
    curve, terms = panel_axes(figure)
    samples_axes(curve, data, 0.1, "Polynomial, bands of ±2 std", aside=0.1)
    if wave:
        grid = np.linspace(min(data.x), max(data.x), 121)
        curve.plot(grid, np.sin(grid), ":", color=BOUNDARY, linewidth=1.6, zorder=FOREGROUND)
    draw_samples(curve, data, zorder=FOREGROUND)
    terms.set(
        xlim=(-0.4, _HIGHEST + 0.4), ylim=(-16, 16), xlabel="degree", ylabel="log density, against the best degree",
        title="Log evidence in its terms",
    )  # fmt: skip
    terms.axhline(0, color="#cccccc", linewidth=0.8, zorder=0)
    legend_below(figure.subfigs[0], "mean", ("band", "±2 std of f"), ("band with noise", "±2 std with noise"),
                 ("sample", "observation"), *(["truth"] if wave else []))  # fmt: skip
    handles = [_line([], [], *look, label=text) for _, *look, text in _TERMS]
    figure.subfigs[1].legend(handles=handles, loc="outside lower center", ncols=3, columnspacing=1.2)


def _line(x, y, color, style, mark, **more):
    look = dict(markersize=5, markeredgecolor="white", markeredgewidth=0.5, linewidth=1.6)
    return Line2D(x, y, color=color, linestyle=style, marker=mark, **look, **more)


def _draw(figure, degree, width, noise, data, unit):
    curve, terms = figure.axes
    grid = np.linspace(*curve.get_xlim(), 121)
    told = _fitted(data, unit, degree, width, noise).predict(powers((grid - unit.middle) / unit.half, degree))
    draw_band(curve, grid, told.mean, told.std, told.std_with_noise)
    found = _all_degrees(data, unit, width, noise)
    best = _best(found)
    for name, *look, _ in _TERMS:
        values = np.array([getattr(weights, name) for weights in found]) - getattr(found[best], name)
        terms.add_artist(_line(range(_HIGHEST + 1), values, *look, zorder=3))
    terms.add_artist(Line2D([degree, degree], terms.get_ylim(), color=BOUNDARY, linestyle="--", linewidth=1.2))


def _best(found):
    return int(np.argmax([weights.log_evidence for weights in found]))


def _describe(degree, width, noise, data, unit):
    found = _all_degrees(data, unit, width, noise)
    weights, best = found[degree], _best(found)
    evidences = np.array([each.log_evidence for each in found])
    share = np.exp(evidences - logsumexp(evidences))[degree]
    told = f"{share:.3f}" if share >= 0.001 else "less than 0.001"
    error = np.sqrt(np.mean((np.array(data.y) - weights.predict(_inputs(data, unit, degree)).mean) ** 2))
    return minus(
        f"Degree {degree}, σₚ = {width:.3g}, σₙ = {noise:.3g}: log evidence {weights.log_evidence:.2f} = fit "
        f"{weights.fit:.2f}, complexity {weights.complexity:.2f}, constant {weights.constant:.2f}; root mean square "
        f"error {error:.3f}.\n"
        f"The best degree is {best}, log evidence {evidences[best]:.2f}. If all nine degrees were equally probable "
        f"before, this one now has probability {told}."
    )
