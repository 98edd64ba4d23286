"""A real profile of mountains, surveyed at a few places and predicted between them (chapter 18)."""

from functools import lru_cache

import numpy as np

from mlcore.datasets import survey as whole_survey
from mlcore.explore import FOREGROUND, Explorable, choice
from mlcore.gaussian_process import GaussianProcessRegressor
from mlcore.kernels import Gaussian
from mlcore.pictures.drawing.sample_data import Samples, draw_samples
from mlcore.pictures.drawing.visual_language import draw_band, legend_below
from mlcore.pictures.gaussian_processes._fitted_process import draw_truth, fit_process, learn

__all__ = ["learn_profile", "mountain_profile"]

_SPACINGS = (6, 9, 12, 20)
survey = lru_cache(maxsize=16)(whole_survey)  # read from its file once


@lru_cache(maxsize=64)
def learn_profile(every=9, share=1.0):
    """Return what the surveyed heights, less their mean, teach about height, width and noise.

    Parameters
    ----------
    every : int
        As in `survey`.
    share : float
        Other than 1, the width learned is multiplied by it, and height and noise are learned anew.

    Returns
    -------
    kernel : mlcore.kernels.Kernel
    noise : float
        Variance, in square metres.
    """
    bounds = {"left.value": (1e2, 1e7), "right.width": (0.1, 20.0), "noise": (1.0, 1e5)}
    data = _less_mean(survey(every))
    machine = GaussianProcessRegressor(200.0**2 * Gaussian(1.0), noise=400.0, bounds=bounds)
    kernel, noise = learn(machine, data).kernel_, machine.noise_
    if share != 1:
        kernel = kernel.with_parameters({"right.width": share * kernel.right.width})
        machine = GaussianProcessRegressor(kernel, noise, optimize=["left.value", "noise"], bounds=bounds)
        kernel, noise = learn(machine, data).kernel_, machine.noise_
    return kernel, noise


def _less_mean(profile):
    """Return the surveyed heights, counted from their mean."""
    heights = profile.y[profile.surveyed]
    return Samples(tuple(profile.x[profile.surveyed].tolist()), tuple((heights - heights.mean()).tolist()))


def mountain_profile():
    """Return the profile with what a process predicts between the surveyed places.

    Returns
    -------
    Explorable
    """
    spacings = {f"{_metres(every)} m": every for every in _SPACINGS}
    shares = {"as learned": 1.0, "half of it": 0.5, "twice as much": 2.0}
    for every in _SPACINGS:  # so that a choice answers at once
        for share in shares.values():
            _fit(every, share)
    return Explorable(
        title="Heights between surveyed places, with a band that is put to the test",
        controls=(choice("every", "one height every", spacings, start=9), choice("share", "width", shares)),
        frame=_frame,
        draw=_draw,
        describe=_describe,
        size=(7.2, 4.4),
    )


def _metres(every):
    return round(1000 * every * survey().x[1])


def _fit(every, share):
    """Return the profile, what was surveyed, and the prediction, both counted from the mean of the survey."""
    profile = survey(every)
    data, ends = _less_mean(profile), (profile.x[0], profile.x[-1])
    return profile, data, fit_process(data, *learn_profile(every, share), *ends, points=len(profile.x))


def _frame(figure):
    axes, profile = figure.subplots(), survey()
    axes.set(
        xlim=(profile.x[0], profile.x[-1]), ylim=(100, 1300), xlabel="from west to east, in km", ylabel="height in m"
    )
    draw_truth(axes, profile.x, profile.y, zorder=FOREGROUND)
    signs = (("sample", "surveyed height"), "mean", ("truth", "every height"))
    bands = (("band", "± 2 standard deviations"), ("band with noise", "the same with noise"))
    legend_below(figure, *signs, *bands)


def _draw(figure, every, share):
    axes = figure.axes[0]
    profile, data, fit = _fit(every, share)
    base = profile.y[profile.surveyed].mean()
    deviation, noisy = fit.prediction.std, fit.prediction.std_with_noise
    draw_band(axes, fit.grid, base + fit.prediction.mean, deviation, noisy)
    draw_samples(axes, Samples(data.x, tuple(base + height for height in data.y)))


def _describe(every, share):
    profile, data, fit = _fit(every, share)
    kernel, noise = learn_profile(every, share)
    rest = ~profile.surveyed
    error = profile.y - profile.y[profile.surveyed].mean() - fit.prediction.mean
    inside = np.mean(np.abs(error[rest]) <= 2 * fit.prediction.std_with_noise[rest])
    straight = np.interp(profile.x, profile.x[profile.surveyed], profile.y[profile.surveyed]) - profile.y
    return (
        f"{len(data.x)} heights surveyed, one every {_metres(every)} m. Width {kernel.right.width:.2f} km, height "
        f"{np.sqrt(kernel.left.value):.0f} m, σₙ {np.sqrt(noise):.0f} m.\nOf the {rest.sum()} heights between them "
        f"{inside:.0%} lie in the band with noise. Root mean square error: process {_rms(error[rest]):.0f} m, straight "
        f"lines from place to place {_rms(straight[rest]):.0f} m."
    )


def _rms(error):
    return np.sqrt(np.mean(error**2))
