"""Picture of chapter 8: kernel and slack by matrices built by hand, beside the machine of scikit-learn."""

from functools import lru_cache, partial

import numpy as np
from sklearn.svm import SVC

from mlcore.datasets import moons
from mlcore.explore import Explorable, choice, log_slider
from mlcore.kernels import Gaussian, Linear, Polynomial
from mlcore.pictures.drawing.readout import count, minus
from mlcore.pictures.drawing.sample_data import labelled_data
from mlcore.pictures.drawing.visual_language import draw_points, legend_below, panel_axes, plane_axes, ring_points
from mlcore.pictures.duals._multipliers import draw_machine, score_on_grid
from mlcore.svm import solve_dual

__all__ = ["beside_scikit_learn"]


def beside_scikit_learn(X=None, y=None, width=0.7, degree=3):
    """Return the soft margin with a kernel, by the dual program and by scikit-learn's SVC (HJ, last section).

    Parameters
    ----------
    X : array_like or pandas.DataFrame of shape (n, 2), optional
        Points; two moons if left out.
    y : array_like of shape (n,), optional
        Two classes of any name.
    width : float
        Of the Gaussian kernel; scikit-learn's gamma is 1/(2 width²).
    degree : int
        Of the polynomial kernel, with offset 1.

    Returns
    -------
    Explorable
    """
    data = labelled_data(*(moons(n=60, noise=0.2, seed=2) if X is None else (X, y)))
    key = tuple(map(tuple, data.X.tolist())), tuple(data.y.tolist())
    kernels = {
        "linear": Linear(),
        f"polynomial of degree {degree}": Polynomial(degree, 1.0),
        "Gaussian": Gaussian(width),
    }
    return Explorable(
        title="Kernel and slack: six arrays by hand, and SVC",
        controls=(
            log_slider("C", "penalty C", 0.1, 100, start=1, steps=13, page_every=2),
            choice("kernel", "kernel", kernels, start=kernels["Gaussian"]),
        ),
        frame=partial(_frame, data=data),
        draw=partial(_draw, data=data, key=key),
        describe=partial(_describe, key=key),
        size=(8.6, 3.7),
        panels=2,
    )


@lru_cache(maxsize=64)
def _by_hand(X, y, kernel, C):
    """Return the solution of the quadratic program that the chapter writes down array by array."""
    return solve_dual(kernel(np.array(X)), np.array(y), C)


@lru_cache(maxsize=64)
def _peer(X, y, kernel, C):
    """Return the coefficients of all points, b and the number of support vectors of scikit-learn's machine."""
    settings = {"kernel": "linear"}
    if isinstance(kernel, Polynomial):
        settings = {"kernel": "poly", "degree": kernel.degree, "gamma": 1.0, "coef0": kernel.offset}
    elif isinstance(kernel, Gaussian):
        settings = {"kernel": "rbf", "gamma": 1 / (2 * kernel.width**2)}
    machine = SVC(C=C, tol=1e-8, **settings).fit(X, y)
    coefficients = np.zeros(len(y))
    coefficients[machine.support_] = machine.dual_coef_[0]
    return coefficients, float(machine.intercept_[0]), len(machine.support_)


def _frame(figure, data):
    for axes, title in zip(panel_axes(figure), ("P, q, G, h, A, b by hand", "scikit-learn's SVC")):
        plane_axes(axes, data.X, data.names, title=title)
        draw_points(axes, data.X, data.y)
    for panel in figure.subfigs:
        legend_below(panel, *data.signs, "support vector", "boundary", "margin")


def _draw(figure, C, kernel, data, key):
    solution = _by_hand(*key, kernel, C)
    for panel, (coefficients, b) in zip(
        figure.subfigs, ((solution.coefficients, solution.b), _peer(*key, kernel, C)[:2])
    ):
        axes = panel.axes[0]
        draw_machine(axes, *score_on_grid(axes, data.X, kernel, coefficients, b))
        ring_points(axes, data.X[np.abs(coefficients) > 1e-6 * C])


def _describe(C, kernel, key):
    solution, (coefficients, b, _) = _by_hand(*key, kernel, C), _peer(*key, kernel, C)
    theirs = kernel(np.array(key[0])) @ coefficients + b
    ours = solution.margins * np.array(key[1])
    errors = int(np.sum(solution.margins < 0))
    difference = np.abs(ours - theirs).max()
    apart = "less than 0.01" if difference < 0.01 else f"{difference:.3f}"
    return minus(
        f"C = {C:g}: {count(len(solution.support), 'support vector')}, {count(errors, 'training error')} by hand. "
        f"At the training points f differs from SVC by {apart}.\nCertificate: {solution.certificate}."
    )
