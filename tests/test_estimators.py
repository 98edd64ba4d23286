"""What holds for every estimator of the package."""

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from mlcore.gaussian_process import GaussianProcessRegressor, MultiTaskGP
from mlcore.linear_model import BayesianLinearRegressor
from mlcore.neighbors import KNeighborsClassifier, KNeighborsRegressor
from mlcore.preprocessing import StandardScaler
from mlcore.svm import SupportVectorClassifier, SupportVectorRegressor
from mlcore.validation import all_or_nothing

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
