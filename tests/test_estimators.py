"""What holds for every estimator of the package."""

import importlib
import pkgutil
from dataclasses import is_dataclass

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from mlcore.gaussian_process import GaussianProcessRegressor, MultiTaskGP
from mlcore.kernels import Kernel
from mlcore.linear_model import BayesianLinearRegressor
from mlcore.neighbors import KNeighborsClassifier, KNeighborsRegressor
from mlcore.preprocessing import StandardScaler
from mlcore.svm import SupportVectorClassifier, SupportVectorRegressor
from mlcore.validation import all_or_nothing

PACKAGES = ("bayes", "gaussian_process", "linear_model", "neighbors")
X = np.linspace(0, 3, 8)[:, None]
y = np.array([0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0, 1.0])
ESTIMATORS = {  # each with parameters that its fit refuses, some of them only after it has looked at the data
    KNeighborsClassifier: [{"k": 9}, {"metric": "euklid"}, {"algorithm": "quick"}],
    KNeighborsRegressor: [{"k": 9}, {"width": -1}, {"algorithm": "quick"}],
    BayesianLinearRegressor: [{"noise": -1}, {"prior_covariance": np.eye(3)}],
    GaussianProcessRegressor: [{"noise": -1}, {"bounds": (1, 0)}, {"restarts": -1}, {"optimize": ["wide"]}],
    MultiTaskGP: [{"noise": [-1, 1]}, {"bounds": (1, 0)}, {"task_covariance": [[1, 2], [2, 1]]}],
    SupportVectorClassifier: [{"C": -1}, {"solver": "quick"}, {"C": np.inf}],
    SupportVectorRegressor: [{"C": -1}, {"epsilon": -1}],
    StandardScaler: [],
}
BROKEN = [  # data that come after good ones
    lambda X: (np.column_stack([X, X, X]) * np.nan, y),
    lambda X: (np.column_stack([X, X, X]), y[:3]),
    lambda X: (X, np.where(y > 0, np.nan, y)),
    lambda X: (X[:0], y[:0]),
]
CASES = [(kind, parameters) for kind, several in ESTIMATORS.items() for parameters in several]


def fitted(kind):
    estimator = kind(k=3) if kind in (KNeighborsClassifier, KNeighborsRegressor) else kind()
    return estimator, (lambda X, y: estimator.fit(X[:, 0], 0, y)) if kind is MultiTaskGP else estimator.fit


def use(estimator):
    if isinstance(estimator, MultiTaskGP):
        return estimator.predict(X[:, 0], 0)
    return estimator.transform(X) if isinstance(estimator, StandardScaler) else estimator.predict(X)


def check_that_nothing_is_left(estimator):
    with pytest.raises(NotFittedError):
        use(estimator)
    if not isinstance(estimator, SupportVectorClassifier | SupportVectorRegressor):
        assert not [name for name in vars(estimator) if name.endswith("_")]


@pytest.mark.parametrize(("kind", "parameters"), CASES, ids=lambda value: getattr(value, "__name__", str(value)))
def test_a_fit_that_fails_leaves_no_model(kind, parameters):
    estimator, fit = fitted(kind)
    fit(X, y)
    before = use(estimator)
    good = {name: estimator.get_params()[name] for name in parameters}
    with pytest.raises(ValueError, match=r"."):
        estimator.set_params(**parameters)
        fit(X, y)
    check_that_nothing_is_left(estimator)
    estimator.set_params(**good)
    fit(X, y)
    assert np.array_equal(use(estimator), before)


@pytest.mark.parametrize("kind", ESTIMATORS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("broken", BROKEN, ids=["nan", "lengths", "targets", "empty"])
def test_data_that_cannot_be_fitted_leave_no_model(kind, broken):
    estimator, fit = fitted(kind)
    fit(X, y)
    data, targets = broken(X)
    if kind is StandardScaler:  # it does not look at targets
        data = np.full((2, 2), np.nan)
    with pytest.raises(ValueError, match=r"."):
        fit(data, targets)
    check_that_nothing_is_left(estimator)


def test_whatever_stops_a_fit_leaves_no_model():
    class Stopped(StandardScaler):
        @all_or_nothing
        def fit(self, X, y=None):
            self.mean_, self._private_, self.parameter = 0.0, 1.0, 2.0
            if y is not None:
                raise KeyboardInterrupt
            return self

    estimator = Stopped().fit(X)
    assert (estimator.mean_, estimator._private_) == (0.0, 1.0)
    with pytest.raises(KeyboardInterrupt):
        estimator.fit(X, y)
    assert vars(estimator) == {"with_mean": True, "with_std": True, "parameter": 2.0}


def results_with_arrays():
    for package in PACKAGES:
        for module in pkgutil.iter_modules(importlib.import_module(f"mlcore.{package}").__path__):
            members = vars(importlib.import_module(f"mlcore.{package}.{module.name}")).values()
            results = (kind for kind in members if isinstance(kind, type) and is_dataclass(kind))
            for kind in results:  # kernels are none: they hold numbers, and are equal by them
                if kind.__dataclass_params__.frozen and not issubclass(kind, Kernel):
                    yield kind


@pytest.mark.parametrize("kind", sorted(set(results_with_arrays()), key=str), ids=lambda kind: kind.__name__)
def test_results_are_compared_by_identity(kind):
    """Two arrays have no truth value: ``==`` of results that hold some would raise, and so would `hash`."""
    assert kind.__eq__ is object.__eq__
    assert kind.__hash__ is object.__hash__


FORMS = {
    "little": lambda a: a.astype(a.dtype.newbyteorder("<")),
    "big": lambda a: a.astype(a.dtype.newbyteorder(">")),
    "fortran": np.asfortranarray,
    "strided": lambda a: np.repeat(a, 2, axis=0)[::2],
    "read-only": lambda a: (lambda copy: (copy.setflags(write=False), copy)[1])(a.copy()),
    "objects": lambda a: a.astype(object),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", [kind for kind in ESTIMATORS if "Support" not in kind.__name__])
def test_the_way_numbers_are_stored_does_not_matter(kind, form):
    change = FORMS[form]
    expected, results = [], []
    for found, (data, targets) in (
        (expected, (X, y)),
        (results, (change(X), y if kind is KNeighborsClassifier else change(y))),
    ):
        estimator, fit = fitted(kind)
        found.append(np.asarray(use(fit(data, targets)), dtype=float))
    np.testing.assert_allclose(results[0], expected[0], rtol=1e-6, atol=1e-9)
