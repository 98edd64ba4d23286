"""Picture of chapter 10: the feature map of a kernel on a finite set, read off its eigenvectors."""

from functools import lru_cache, partial

import numpy as np

from mlcore.datasets import nine_on_a_line
from mlcore.explore import Explorable, linear_slider
from mlcore.kernels import Gaussian, check_positive_semidefinite
from mlcore.pictures.drawing.readout import count, minus
from mlcore.pictures.drawing.visual_language import ACCENT, BOUNDARY, panel_axes
from mlcore.pictures.kernels._width_slider import gamma, width_slider
from mlcore.validation import as_array

__all__ = ["eigen_feature_map", "eigen_features"]

_GAMMAS = (0.02, 0.05, 0.1, 0.3, 0.5, 1, 2)


def eigen_feature_map(K):
    """Return vectors with the inner products K: row i is F(xᵢ) = (√λ₁ v₁ᵢ, √λ₂ v₂ᵢ, …), largest λ first.

    Parameters
    ----------
    K : array_like of shape (n, n)
        Gram matrix, positive semidefinite.

    Returns
    -------
    numpy.ndarray of shape (n, n)
        The first entry of each feature that is at least half its largest is positive.

    Raises
    ------
    ValueError
        No square symmetric matrix of finite numbers.
    mlcore.errors.NotAKernel
        A negative eigenvalue.

    Notes
    -----
    ES p. 60, step 1 of the proof of Mercer's theorem.

    Examples
    --------
    >>> eigen_feature_map([[2, 1], [1, 2]]).round(4) + 0
    array([[ 1.2247,  0.7071],
           [ 1.2247, -0.7071]])
    """
    check_positive_semidefinite(K)
    eigenvalues, vectors = np.linalg.eigh(np.asarray(K, dtype=float))
    features = (np.sqrt(np.maximum(eigenvalues, 0)) * vectors)[:, ::-1]
    heavy = np.abs(features) >= 0.5 * np.abs(features).max(axis=0)
    leading = np.take_along_axis(features, heavy.argmax(axis=0)[None], axis=0)[0]
    return features * np.where(leading < 0, -1.0, 1.0)


def eigen_features(X=None):
    """Return the features that the eigenvectors of a Gaussian Gram matrix give, and how well the first ones do.

    Parameters
    ----------
    X : array_like of shape (n,), optional
        At least two different points of a line; the whole numbers from −4 to 4 if left out.

    Returns
    -------
    Explorable

    Raises
    ------
    ValueError
        Fewer than two different points, or values that are not finite.
    """
    points = np.unique(as_array("X", nine_on_a_line()[0][:, 0] if X is None else X, ("n",)))
    n = len(points)
    if n < 2:
        raise ValueError(f"X: expected at least two different points, got {n}")
    solve = partial(_solve, tuple(points.tolist()))
    return Explorable(
        title="Features made to measure for a few points",
        controls=(
            linear_slider("kept", "features kept", 1, n, start=min(3, n), steps=n, page_every=-(-n // 17)),
            width_slider(_GAMMAS, start=0.3),
        ),
        frame=partial(_frame, points=points),
        draw=partial(_draw, points=points, solve=solve),
        describe=partial(_describe, solve=solve),
        size=(8.6, 4.1),
        panels=2,
    )


@lru_cache(maxsize=64)
def _solve(points, width):
    K = Gaussian(width)(np.array(points)[:, None])
    return K, eigen_feature_map(K)


def _frame(figure, points):
    features, products = panel_axes(figure)
    room = 0.06 * np.ptp(points)
    features.set(
        xlim=(points[0] - room, points[-1] + room), ylim=(-1.05, 1.05), xlabel="x", ylabel="feature",
        title="The newest feature, and those before",
    )  # fmt: skip
    features.axhline(0, color="#bbbbbb", linewidth=0.8, zorder=0)
    products.set(
        xlim=(-0.15, 1.1), ylim=(-0.15, 1.1), aspect="equal", xlabel="k(xᵢ, xⱼ)",
        ylabel="inner product of the features kept", title="Every pair of points",
    )  # fmt: skip
    products.plot([-1, 2], [-1, 2], color=BOUNDARY, linewidth=1, zorder=0)


def _draw(figure, kept, width, points, solve):
    features, products = figure.axes
    K, F = solve(width)
    kept = int(kept)
    for column in F[:, : kept - 1].T:
        features.plot(points, column, color="#b5b5b5", linewidth=1.2, zorder=1)
    features.plot(points, F[:, kept - 1], "o-", color=ACCENT, linewidth=2.2, markersize=6, zorder=3)
    pairs = np.triu_indices(len(K))
    approximation = F[:, :kept] @ F[:, :kept].T
    products.plot(K[pairs], approximation[pairs], "o", color=ACCENT, markersize=5, markeredgecolor="white", zorder=3)


def _describe(kept, width, solve):
    K, F = solve(width)
    kept = int(kept)
    worst = float(np.abs(F[:, :kept] @ F[:, :kept].T - K).max())
    share = float((F[:, :kept] ** 2).sum() / np.trace(K))
    return minus(
        f"Width {width:.3g} (γ = {gamma(width):.3g}), {count(kept, 'feature')} of {len(K)} kept, with {share:.4f} of "
        "the sum of all eigenvalues. Largest difference between an inner product of the features and k: "
        f"{'< 1e-6' if worst < 1e-6 else f'{worst:.6f}'}."
    )
