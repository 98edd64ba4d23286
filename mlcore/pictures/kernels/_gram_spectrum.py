"""Picture of chapter 10: the Gram matrix of a kernel as an image, and its eigenvalues."""

from functools import lru_cache, partial

import numpy as np
from matplotlib.collections import PolyCollection
from matplotlib.colors import LinearSegmentedColormap

from mlcore.datasets import two_clouds
from mlcore.errors import NotAKernel
from mlcore.explore import Explorable, choice, log_slider
from mlcore.kernels import Gaussian, Linear, Polynomial, Sigmoid, check_positive_semidefinite
from mlcore.pictures.drawing.readout import count, minus
from mlcore.pictures.drawing.visual_language import ACCENT, BOUNDARY, LEAVING, panel_axes
from mlcore.validation import as_array

__all__ = ["gram_spectrum"]

NEGLIGIBLE = 1e-10  # of the largest eigenvalue: rounding
_RED = "#C00000"
_COLOURS = LinearSegmentedColormap.from_list("below, zero, above", [LEAVING, "white", ACCENT])

_KERNELS = {
    "linear": ("linear kernel p·(x·z)", lambda p: p * Linear()),
    "polynomial": ("polynomial kernel (x·z + p)³", lambda p: Polynomial(3, p)),
    "Gaussian": ("Gaussian kernel of width p", Gaussian),
    "sum": ("sum of the linear kernel and a Gaussian of width p", lambda p: Linear() + Gaussian(p)),
    "product": ("product of (x·z + 1)² and a Gaussian of width p", lambda p: Polynomial(2, 1) * Gaussian(p)),
    "sigmoid": ("sigmoid tanh(p·(x·z) − 1)", lambda p: Sigmoid(p, -1.0)),
}


def gram_spectrum(X=None):
    """Return the Gram matrix of some points as an image beside its spectrum, with a choice of kernels (ES 6.3, HJ).

    Parameters
    ----------
    X : array_like of shape (n, d), optional
        At least two points in the order of the image; two clouds of twelve, one after the other, if left out.

    Returns
    -------
    Explorable

    Raises
    ------
    ValueError
        Fewer than two points, or values that are not finite.
    """
    points = as_array("X", two_clouds(n=24, distance=3, seed=1)[0] if X is None else X, ("n", "d"))
    if len(points) < 2:
        raise ValueError(f"X: expected at least two points, got {len(points)}")
    gram = partial(_gram, tuple(map(tuple, points)))
    return Explorable(
        title="A Gram matrix and its eigenvalues",
        controls=(
            choice("kernel", "kernel", list(_KERNELS), start="Gaussian"),
            log_slider("p", "parameter p", 0.25, 4, start=1, steps=17, page_every=2),
        ),
        frame=partial(_frame, n=len(points)),
        draw=partial(_draw, gram=gram),
        describe=partial(_describe, gram=gram),
        size=(8.6, 4.1),
        panels=2,
    )


@lru_cache(maxsize=64)
def _gram(X, kernel, p):
    """Return the Gram matrix and its eigenvalues, largest first, without rounding errors for zeros."""
    _, make_kernel = _KERNELS[kernel]
    K = make_kernel(p)(X)
    eigenvalues = np.linalg.eigvalsh(K)[::-1]
    largest = np.abs(eigenvalues).max() or 1.0
    return K, np.where(np.abs(eigenvalues) > NEGLIGIBLE * largest, eigenvalues, 0.0)


def _frame(figure, n):
    image, bars = panel_axes(figure)
    image.set(
        xlim=(-0.5, n - 0.5), ylim=(n - 0.5, -0.5), aspect="equal", xlabel="point j", ylabel="point i",
        title="k(xᵢ, xⱼ): green above 0, orange below",
    )  # fmt: skip
    bars.set(
        xlim=(0.3, n + 0.7), xlabel="number of the eigenvalue", ylabel="share of the largest",
        title="Eigenvalues, negative ones in red",
    )  # fmt: skip
    bars.set_yscale("symlog", linthresh=1e-3, linscale=0.6)
    bars.set_ylim(-1.6, 1.6)
    bars.set_yticks([-1, -0.1, -0.01, 0, 0.01, 0.1, 1], ["−1", "−0.1", "−0.01", "0", "0.01", "0.1", "1"])
    bars.minorticks_off()
    bars.axhline(0, color=BOUNDARY, linewidth=0.9)


def _draw(figure, kernel, p, gram):
    image, bars = figure.axes
    K, eigenvalues = gram(kernel, p)
    n = len(K)
    # The square root keeps small values visible beside a few large ones.
    shade = np.sign(K) * np.sqrt(np.abs(K) / (np.abs(K).max() or 1.0))
    image.imshow(
        shade, cmap=_COLOURS, vmin=-1, vmax=1, interpolation="none", aspect="equal",
        extent=(-0.5, n - 0.5, n - 0.5, -0.5), zorder=1,
    )  # fmt: skip
    shares = eigenvalues / (np.abs(eigenvalues).max() or 1.0)
    # One collection a colour: twenty-four patches of `bar` take five times as long.
    left = np.arange(1, n + 1) - 0.375
    for chosen, colour in ((shares >= 0, ACCENT), (shares < 0, _RED)):
        corners = [
            [(x, 0), (x, share), (x + 0.75, share), (x + 0.75, 0)] for x, share in zip(left[chosen], shares[chosen])
        ]
        bars.add_collection(PolyCollection(corners, facecolor=colour, zorder=2), autolim=False)


def _describe(kernel, p, gram):
    K, eigenvalues = gram(kernel, p)
    name = _KERNELS[kernel][0]
    positive, negative = int((eigenvalues > 0).sum()), int((eigenvalues < 0).sum())
    text = (
        f"{name[0].upper()}{name[1:]}, p = {p:g}, on {len(K)} points: {positive} eigenvalues above 0, "
        f"{len(K) - positive - negative} zero (below 1e-10 of the largest), {negative} negative. "
    )
    try:
        check_positive_semidefinite(K)
    except NotAKernel:
        return minus(
            f"{text}The lowest is {eigenvalues[-1]:.3g}, the highest {eigenvalues[0]:.3g}. These points alone prove "
            "that it is no kernel: for the eigenvector z of the lowest, z·Kz < 0, and no squared length is negative."
        )
    return minus(
        f"{text}The highest is {eigenvalues[0]:.3g}. K is positive semidefinite: {count(positive, 'feature')} "
        f"{'is' if positive == 1 else 'are'} enough to write it as inner products on these points."
    )
