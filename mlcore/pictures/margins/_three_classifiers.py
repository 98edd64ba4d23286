"""Picture of chapter 7: our machine and two of scikit-learn's on the same flowers."""

import warnings
from functools import partial

import numpy as np
from matplotlib.lines import Line2D
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

from mlcore.datasets import iris_pair
from mlcore.explore import Explorable, log_slider
from mlcore.pictures.drawing.readout import count, minus
from mlcore.pictures.drawing.sample_data import labelled_data
from mlcore.pictures.drawing.street import street
from mlcore.pictures.drawing.visual_language import draw_points, plane_axes

__all__ = ["three_classifiers"]


def three_classifiers(X=None, y=None, names=None):
    """Return our machine and scikit-learn's two, drawn on the same scaled data, with a slider for C (HJ).

    Parameters
    ----------
    X : array_like or pandas.DataFrame of shape (n, 2), optional
        Scaled points; iris setosa and versicolor by petal length and width if left out.
    y : array_like of shape (n,), optional
        Two classes of any name.
    names : (str, str), optional
        Names of the axes.

    Returns
    -------
    Explorable
    """
    if X is None:
        X, y, _ = iris_pair(features=("petal length", "petal width"))
        X = StandardScaler().fit_transform(X)
        y = np.where(y > 0, "versicolor", "setosa")
        names = ("petal length (standard deviations)", "petal width (standard deviations)")
    data = labelled_data(X, y, names)
    return Explorable(
        title="Three programs, one data set",
        controls=(log_slider("C", "penalty C", 0.05, 500, start=5, steps=25),),
        frame=partial(_three_frame, data=data),
        draw=partial(_draw_three, data=data),
        describe=partial(_describe_three, data=data),
        size=(4.6, 4.9),
    )


_PASSES = 50_000
_LOOKS = {
    "ours": dict(color="#222222", linewidth=4.5, linestyle="-"),
    "SVC": dict(color="#E69F00", linewidth=2.2, linestyle="-"),
    "LinearSVC": dict(color="#CC79A7", linewidth=2.2, linestyle=(0, (5, 2))),
}


def _three_machines(C, data):
    """Return (w, b) of our machine, of scikit-learn's SVC and of its LinearSVC."""
    ours = street(data, C)
    svc = SVC(kernel="linear", C=C, tol=1e-6).fit(data.X, data.y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the readout says so
        linear = LinearSVC(loss="hinge", C=C, tol=1e-8, max_iter=_PASSES, random_state=0).fit(data.X, data.y)
    name = "LinearSVC (stopped early)" if linear.n_iter_ >= _PASSES else "LinearSVC"
    return {
        "ours": (ours.w, ours.b),
        "SVC": (svc.coef_[0], svc.intercept_[0]),
        name: (
            linear.coef_[0],
            linear.intercept_[0],
        ),
    }


def _three_frame(figure, data):
    axes = figure.subplots()
    plane_axes(axes, data.X, data.names)
    draw_points(axes, data.X, data.y)
    handles = [Line2D([], [], label=name, **look) for name, look in _LOOKS.items()]
    figure.legend(handles=handles, loc="outside lower center", ncols=3)


def _draw_three(figure, C, data):
    axes = figure.axes[0]
    reach = 50 * data.spread * np.array([-1.0, 1.0])
    for name, (w, b) in _three_machines(C, data).items():
        if not np.any(w):  # no line
            continue
        along = np.array([-w[1], w[0]]) / np.linalg.norm(w)
        points = -b * w / (w @ w) + reach[:, None] * along
        axes.plot(*points.T, **_LOOKS[name.split()[0]], zorder=3)


def _describe_three(C, data):
    lines = [f"C = {C:g}"]
    for name, (w, b) in _three_machines(C, data).items():
        wrong = int((np.sign(data.X @ w + b) != data.y).sum())
        lines.append(minus(f"{name}: w = ({w[0]:.3f}, {w[1]:.3f}), b = {b:.3f}, {count(wrong, 'error')}"))
    return "\n".join(lines)
