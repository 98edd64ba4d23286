"""Picture of chapter 16: Bayes' rule for a measurement, with a density for either class."""

from functools import partial
from typing import NamedTuple

import numpy as np
from matplotlib.lines import Line2D
from scipy.special import expit
from scipy.stats import norm
from sklearn.datasets import load_breast_cancer

from mlcore.explore import Control, Explorable, linear_slider
from mlcore.pictures.bayes._diagnostic_test import percent
from mlcore.pictures.drawing.readout import probability
from mlcore.pictures.drawing.sample_data import two_classes, word
from mlcore.pictures.drawing.visual_language import ACCENT, BOUNDARY, NEGATIVE, POSITIVE, legend_below, panel_axes
from mlcore.validation import as_array

__all__ = ["Measurements", "measured", "two_densities"]

_BINS, _POINTS = 24, 161


class Measurements(NamedTuple):
    """One number for every case of two classes.

    Attributes
    ----------
    groups : (numpy.ndarray, numpy.ndarray)
        Measurements of either class.
    classes : (str, str)
        Names of the classes; the sliders speak of the first.
    name : str
        What is measured.
    """

    groups: tuple
    classes: tuple
    name: str

    def densities(self, x):
        """Return the normal densities p(x | class) with each class's mean and standard deviation; shape (2, …)."""
        return np.array([norm.pdf(x, group.mean(), group.std()) for group in self.groups])

    def posterior(self, x, prior):
        """Return p(first class | x); shape of `x`."""
        # By logarithms: far from both means the densities underflow, their ratio does not.
        first, second = (norm.logpdf(x, group.mean(), group.std()) for group in self.groups)
        return expit(first - second + np.log(prior) - np.log1p(-prior))


def measured(values=None, labels=None, name=None):
    """Read measurements of two classes.

    Parameters
    ----------
    values : array_like of shape (n,), optional
        Numbers; the mean radius of cell nuclei in 569 tumours if left out.
    labels : array_like of shape (n,), optional
        Two classes of any name; the one that sorts last comes first.
    name : str, optional
        What is measured.

    Returns
    -------
    Measurements

    Raises
    ------
    ValueError
        Not two classes, another number of labels, or fewer than two different values in a class.
    """
    if values is None:
        data = load_breast_cancer()
        values, name = data.data[:, 0], "mean radius of the cell nuclei"
        labels = np.where(data.target == 0, "malignant", "benign")
    numbers = as_array("values", values, ("n",))
    signs, classes = two_classes("labels", labels, len(numbers))
    groups = numbers[signs > 0], numbers[signs < 0]
    for label, group in zip(classes, groups):
        if np.ptp(group) == 0:
            raise ValueError(f"values: expected some that differ in class {label}, got {group[0]:g} only")
    if name is None:
        name = getattr(values, "name", None)
    return Measurements(groups, classes, "measurement" if name is None else word(name))


def two_densities(values=None, labels=None, name=None):
    """Return two class densities beside the posterior that they give, with sliders for the measurement and the prior.

    Parameters
    ----------
    values : array_like of shape (n,), optional
        Numbers; the mean radius of cell nuclei in 569 tumours if left out.
    labels : array_like of shape (n,), optional
        Two classes of any name; the sliders speak of the one that sorts last.
    name : str, optional
        What is measured.

    Returns
    -------
    Explorable
    """
    data = measured(values, labels, name)
    everything = np.concatenate(data.groups)
    share = float(f"{len(data.groups[0]) / len(everything):.3g}")
    priors = tuple(sorted({0.01, 0.1, 0.5, 0.9, share}))
    middle = 0.5 * (data.groups[0].mean() + data.groups[1].mean())
    return Explorable(
        title="A measurement, two densities, and the prior decides where the border lies",
        controls=(
            linear_slider("x", data.name, everything.min(), everything.max(), start=middle, steps=24),
            Control("prior", f"prior p({data.classes[0]})", "slider", priors, priors, share, percent),
        ),
        frame=partial(_frame, data=data),
        draw=partial(_draw, data=data),
        describe=partial(_describe, data=data),
        size=(8.6, 4.2),
        panels=2,
    )


def _range(data):
    everything = np.concatenate(data.groups)
    return everything.min(), everything.max()


def _frame(figure, data):
    left, right = panel_axes(figure)
    low, high = _range(data)
    grid, bins = np.linspace(low, high, _POINTS), np.linspace(low, high, _BINS + 1)
    for group, density, color in zip(data.groups, data.densities(grid), (NEGATIVE, POSITIVE)):
        left.hist(group, bins=bins, density=True, color=color, alpha=0.25, zorder=1)
        left.plot(grid, density, color=color, linewidth=2, zorder=2)
    left.set(xlim=(low, high), xlabel=data.name, ylabel="density", title="p(x | class), the likelihoods")
    legend_below(figure.subfigs[0], ("line of −", data.classes[0]), ("line of +", data.classes[1]))
    right.set(
        xlim=(low, high), ylim=(0, 1.02), xlabel=data.name, ylabel="probability",
        title=f"p({data.classes[0]} | x), the posterior",
    )  # fmt: skip


def _draw(figure, x, prior, data):
    left, right = figure.axes
    low, high = _range(data)
    grid = np.linspace(low, high, _POINTS)
    for axes in (left, right):
        axes.add_artist(Line2D([x, x], axes.get_ylim(), color=ACCENT, linewidth=1.4, zorder=3))
    dot = dict(marker="o", markersize=8.5, markeredgecolor="white", zorder=5)
    for density, color in zip(data.densities(x), (NEGATIVE, POSITIVE)):
        left.add_artist(Line2D([x], [density], color=color, **dot))
    right.add_artist(Line2D(grid, data.posterior(grid, prior), color=BOUNDARY, linewidth=2, zorder=4))
    right.add_artist(Line2D([x], [data.posterior(x, prior)], color=ACCENT, **dot))


def _describe(x, prior, data):
    first, second = (float(value) for value in data.densities(x))
    evidence = prior * first + (1 - prior) * second
    return (
        f"x = {x:.2f}: the densities are {first:.3g} ({data.classes[0]}) and {second:.3g} ({data.classes[1]}). With "
        f"the prior {percent(prior)}, p({data.classes[0]} | x) = {prior:g} · {first:.3g} / {evidence:.3g} = "
        f"{probability(float(data.posterior(x, prior)))}."
    )
