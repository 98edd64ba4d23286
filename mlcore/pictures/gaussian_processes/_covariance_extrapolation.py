"""Three covariance functions, trained on the same observations and asked beyond them (chapter 18)."""

from functools import lru_cache, partial

import numpy as np
from matplotlib.lines import Line2D

from mlcore.explore import FOREGROUND, Explorable, choice, linear_slider
from mlcore.gaussian_process import GaussianProcessRegressor
from mlcore.kernels import Gaussian, Periodic, QuasiPeriodic
from mlcore.pictures.drawing.readout import decimals, minus
from mlcore.pictures.drawing.sample_data import Samples, draw_samples
from mlcore.pictures.drawing.visual_language import ACCENT, BOUNDARY, legend_below
from mlcore.pictures.gaussian_processes._fitted_process import draw_process, draw_truth, fit_process, learn

__all__ = ["changing_wave", "covariance_extrapolation", "train", "true_changing_wave"]

NAMES = ("Gaussian", "periodic", "quasi-periodic")
END = 10.0
_LATEST = 5.0
_REACH = 2.6
_LONGEST_DECAY = 50.0


def true_changing_wave(x):
    """Return a wave of period about 1.5 whose shape and strength change slowly."""
    swelling = 1 + 0.35 * np.sin(0.55 * x + 0.4)
    return swelling * np.sin(2 * np.pi * x / 1.5) + 0.35 * np.sin(4 * np.pi * x / 1.5 + 0.25 * x)


def changing_wave(until=_LATEST, noise=0.15, seed=5):
    """Return noisy observations of `true_changing_wave`, eight in a unit of x, from 0 on.

    Parameters
    ----------
    until : float
        Where they end, at most 10.
    noise : float
        Their standard deviation.
    seed : int

    Returns
    -------
    mlcore.pictures.drawing.sample_data.Samples
    """
    x = np.arange(0, END, 0.125)
    y = true_changing_wave(x) + noise * np.random.default_rng(seed).normal(size=len(x))
    seen = x < until
    return Samples(tuple(x[seen].tolist()), tuple(y[seen].round(3).tolist()))


def covariance_extrapolation():
    """Return three covariance functions trained on the same data, inside and beyond them (ES Fig. 59).

    Returns
    -------
    Explorable
    """
    untils = (3.0, 4.0, _LATEST)
    trained = {(name, until): train(name, until) for name in NAMES for until in untils}
    for name, until in trained:  # so that the choice answers at once
        _fit(name, until, trained)
    return Explorable(
        title="Beyond the data, the covariance function is all there is",
        controls=(
            choice("kernel", "covariance function", NAMES),
            choice("until", "observations end at", {f"x = {until:g}": until for until in untils}, start=_LATEST),
            linear_slider("at", "look at x", 0, END, start=8, steps=41, page_every=4),
        ),
        frame=_frame,
        draw=partial(_draw, trained=trained),
        describe=partial(_describe, trained=trained),
        size=(6.4, 4.6),
    )


@lru_cache(maxsize=32)
def train(name, until=_LATEST):
    """Return a covariance function and noise of locally highest marginal likelihood for `changing_wave`.

    Parameters
    ----------
    name : {"Gaussian", "periodic", "quasi-periodic"}
    until : float
        Where the observations end.

    Returns
    -------
    kernel : mlcore.kernels.Kernel
        Its parameters rounded to three digits.
    noise : float
        Variance.
    """
    data = changing_wave(until)
    start = {"Gaussian": Gaussian(0.4), "periodic": Periodic(1.0, 1.5), "quasi-periodic": QuasiPeriodic(1.0, 1.5, 5.0)}
    bounds = {"right.decay": (1.0, _LONGEST_DECAY)} if name == "quasi-periodic" else {}
    machine = learn(GaussianProcessRegressor(1.0 * start[name], noise=0.05, bounds=bounds), data)
    rounded = {key: float(f"{value:.3g}") for key, value in machine.kernel_.parameters.items()}
    return machine.kernel_.with_parameters(rounded), float(f"{machine.noise_:.3g}")


def _frame(figure):
    axes = figure.subplots()
    axes.set(xlim=(0, END), ylim=(-_REACH, _REACH), xlabel="x", ylabel="y")
    grid = np.linspace(0, END, 241)
    draw_truth(axes, grid, true_changing_wave(grid), zorder=FOREGROUND)
    signs = ("sample", "mean", "truth", ("band", "± 2 standard deviations"), ("band with noise", "the same with noise"))
    legend_below(figure, *signs)


def _fit(kernel, until, trained):
    return fit_process(changing_wave(until), *trained[kernel, until], 0.0, END, points=241)


def _draw(figure, kernel, until, at, trained):
    axes, fit = figure.axes[0], _fit(kernel, until, trained)
    draw_process(axes, fit)
    draw_samples(axes, changing_wave(until))
    axes.add_artist(Line2D([at, at], [-_REACH, _REACH], color=BOUNDARY, linewidth=1.0, zorder=3.5))
    mean = np.interp(at, fit.grid, fit.prediction.mean)
    axes.add_artist(Line2D([at], [mean], marker="o", markersize=8, color=ACCENT, markeredgecolor="white", zorder=5))


def _describe(kernel, until, at, trained):
    fit = _fit(kernel, until, trained)
    mean, deviation = (np.interp(at, fit.grid, values) for values in (fit.prediction.mean, fit.prediction.std))
    learned, noise = trained[kernel, until]
    names = {"value": "height", **{name: name for name in ("width", "period", "decay")}}
    values = {names[key.split(".")[1]]: value for key, value in learned.parameters.items()}
    values["height"] = np.sqrt(values["height"])
    listed = ", ".join(f"{name} {value:.3g}" for name, value in values.items())
    return (
        f"Learned, {kernel}: {listed}, σₙ {np.sqrt(noise):.2f}.\nAt x = {at:g}: mean {minus(decimals(mean, 2))} ± "
        f"{2 * deviation:.2f} (2 standard deviations, without noise); the prior has 0 ± {2 * values['height']:.2f}."
    )
