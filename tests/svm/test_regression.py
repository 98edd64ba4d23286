"""The support vector regressor: facts of the sources, and scikit-learn's contract."""

import pickle
import warnings
from dataclasses import replace

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from mlcore.errors import InfeasibleProblem, NotAKernel
from mlcore.kernels import Gaussian, Linear, Polynomial, Sigmoid, polynomial_features
from mlcore.optimize import Certificate, Status
from mlcore.svm import SupportVectorRegressor
from mlcore.svm import _dual as dual
from mlcore.svm import _solvers as solvers

SOLVERS = ["primal", "dual", "smo"]
LOSSES = ["l1", "l2"]


@pytest.fixture(params=SOLVERS)
def solver(request):
    return request.param


@pytest.fixture(params=LOSSES)
def loss(request):
    return request.param


@parametrize_with_checks(
    [
        SupportVectorRegressor(),
        SupportVectorRegressor(solver="smo"),
        SupportVectorRegressor(solver="smo", loss="l2"),
        SupportVectorRegressor(solver="primal", loss="l2"),
        SupportVectorRegressor(kernel=Gaussian(1.0), C=10.0),
    ]
)
def test_scikit_learn_estimator(estimator, check):
    check(estimator)


def curve(n=40, noise=0.2, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.uniform(-3, 3, size=n)
    return x[:, None], np.sin(1.5 * x) + noise * rng.normal(size=n)


def size_and_weight(n=30, seed=0):
    rng = np.random.default_rng(seed)
    size = rng.uniform(150, 200, size=n)
    return size[:, None], 0.9 * size - 85 + 4 * rng.normal(size=n)


# --- facts ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("epsilon", [0.05, 0.2, 0.6])
@pytest.mark.parametrize("kernel", [Linear(), Polynomial(3, 1.0), Gaussian(0.8)], ids=str)
def test_no_support_vector_is_strictly_inside_the_tube(kernel, epsilon, loss):
    X, y = curve()
    machine = SupportVectorRegressor(kernel, C=5.0, epsilon=epsilon, loss=loss).fit(X, y)
    errors = np.abs(y - machine.predict(X))
    assert len(machine.support_)
    assert (errors[machine.support_] >= epsilon - 1e-7).all()
    assert set(np.flatnonzero(errors > epsilon + 1e-7)) <= set(machine.support_)
    np.testing.assert_allclose(machine.slack_, np.maximum(0, errors - epsilon), atol=1e-7)


@pytest.mark.parametrize("factor", [1.0001, 2.0])
def test_a_tube_higher_than_the_data_is_flat(solver, loss, factor):
    X, y = size_and_weight()
    machine = SupportVectorRegressor(epsilon=factor * np.ptp(y) / 2, solver=solver, loss=loss).fit(X, y)
    assert len(machine.support_) == 0
    assert machine.w_.tolist() == [0.0]
    np.testing.assert_allclose(machine.predict([[0.0], [500.0]]), (y.min() + y.max()) / 2)
    kernel = SupportVectorRegressor(Gaussian(1.0), epsilon=factor * np.ptp(y) / 2, loss=loss).fit(X, y)
    np.testing.assert_allclose(kernel.predict([[0.0], [500.0]]), (y.min() + y.max()) / 2)


def test_points_inside_the_tube_could_be_left_out():
    X, y = curve()
    machine = SupportVectorRegressor(Gaussian(0.8), C=5.0, epsilon=0.25).fit(X, y)
    keep = machine.support_
    assert 2 <= len(keep) < len(y)
    again = SupportVectorRegressor(Gaussian(0.8), C=5.0, epsilon=0.25).fit(X[keep], y[keep])
    np.testing.assert_allclose(again.predict(X), machine.predict(X), atol=1e-6)


def test_linear_penalty_bounds_the_pull_of_an_outlier():
    X = np.arange(20.0)[:, None]
    y = np.where(X[:, 0] == 10, 50.0, 0.1 * X[:, 0])
    slopes = {loss: SupportVectorRegressor(C=1.0, epsilon=0.1, loss=loss).fit(X, y) for loss in LOSSES}
    far = {loss: SupportVectorRegressor(C=1.0, epsilon=0.1, loss=loss).fit(X, y + 50 * (y == 50)) for loss in LOSSES}
    assert slopes["l1"].alpha_.max() == 1.0
    np.testing.assert_allclose(far["l1"].predict(X), slopes["l1"].predict(X), atol=1e-6)
    assert np.abs(far["l2"].predict(X) - slopes["l2"].predict(X)).max() > 1
    np.testing.assert_allclose(slopes["l2"].slack_, np.abs(slopes["l2"].coefficients_), atol=1e-7)  # ξ = α/C


def test_forces_on_the_tube_are_in_balance():
    # The spring picture: the support vectors pull up with α and down with α′, and neither lift nor turn the line.
    X, y = size_and_weight()
    machine = SupportVectorRegressor(C=0.5, epsilon=2.0).fit(X, y)
    assert machine.alpha_.sum() == pytest.approx(machine.alpha_star_.sum())
    np.testing.assert_allclose(machine.w_, machine.coefficients_ @ X, rtol=1e-6)
    assert not (machine.alpha_ * machine.alpha_star_).any()


def test_slopes_and_offset(solver, loss):
    X, y = size_and_weight()
    machine = SupportVectorRegressor(C=100.0, epsilon=2.0, solver=solver, loss=loss).fit(X, y)
    np.testing.assert_allclose(machine.predict(X), X @ machine.w_ + machine.b_, rtol=1e-12)
    assert machine.w_[0] == pytest.approx(0.9, abs=0.2)
    assert machine.score(X, y) > 0.8


def test_kernel_and_its_feature_map_give_one_function(loss):
    # ES p. 82: a regression function, not a line, by F(x) = (x₁², x₂², √2 x₁x₂).
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 2))
    y = X[:, 0] ** 2 - X[:, 0] * X[:, 1] + 0.1 * rng.normal(size=30)
    kernel = SupportVectorRegressor(Polynomial(2, 0), C=2.0, loss=loss).fit(X, y)
    lifted = SupportVectorRegressor(C=2.0, loss=loss, solver="primal").fit(polynomial_features(X, 2, 0), y)
    fresh = rng.normal(size=(10, 2))
    np.testing.assert_allclose(
        kernel.predict(fresh), lifted.predict(polynomial_features(fresh, 2, 0)), rtol=1e-6, atol=1e-6
    )


@pytest.mark.parametrize("C", [1e-3, 1e-1, 1.0, 1e2, 1e4])
@pytest.mark.parametrize("kernel", [Linear(), Polynomial(2, 1.0), Gaussian(0.7)], ids=str)
def test_every_price_of_slack(kernel, C, loss):
    X, y = curve()
    machine = SupportVectorRegressor(kernel, C=C, loss=loss).fit(X, y)
    assert machine.status_ is Status.OPTIMAL
    assert machine.certificate_.residual < 1e-7
    assert np.isfinite(machine.predict(X)).all()


@pytest.mark.parametrize("C", [1e-3, 1e-1, 1.0, 1e2])
@pytest.mark.parametrize("kernel", [Linear(), Polynomial(2, 1.0), Gaussian(0.7)], ids=str)
def test_smo_finds_the_same_machine(kernel, C, loss):
    X, y = curve()
    machine = SupportVectorRegressor(kernel, C=C, loss=loss, solver="smo").fit(X, y + 100)
    peer = SupportVectorRegressor(kernel, C=C, loss=loss).fit(X, y + 100)
    assert machine.status_ is Status.OPTIMAL
    assert machine.certificate_.residual < 1e-7
    assert machine.certificate_.dual_value == pytest.approx(peer.certificate_.dual_value, rel=1e-8)
    np.testing.assert_allclose(machine.predict(X), peer.predict(X), rtol=0, atol=1e-6)
    assert machine.n_iter_ >= 1


def test_too_few_pair_updates_warn_and_keep_the_gap(loss):
    with pytest.warns(ConvergenceWarning, match=r"not optimal \(iteration_limit\): .*; scale the features, lower C"):
        machine = SupportVectorRegressor(Gaussian(0.7), C=10.0, loss=loss, solver="smo", max_iter=5).fit(*curve())
    assert (machine.status_, machine.n_iter_) == (Status.ITERATION_LIMIT, 5)
    assert machine.certificate_.gap > 0.1


def test_more_points_than_are_looked_at_as_a_whole(loss):
    X, y = curve(n=700)
    machine, peer = (
        SupportVectorRegressor(Gaussian(1.0), loss=loss, solver=solver).fit(X, y) for solver in SOLVERS[1:]
    )
    assert machine.certificate_.dual_value == pytest.approx(peer.certificate_.dual_value, rel=1e-8)
    with pytest.raises(NotAKernel, match="^K: .*eigenvalue -"):
        SupportVectorRegressor(Sigmoid(1.0, -1.0), C=0.01, loss=loss, solver="smo").fit(X, y)


def test_dearer_slack_leaves_less_of_it(loss):
    X, y = curve()
    slack = [
        SupportVectorRegressor(Gaussian(0.7), C=C, loss=loss).fit(X, y).slack_.sum() for C in (0.01, 0.1, 1, 10, 100)
    ]
    assert (np.diff(slack) < 0).all()


# --- hard data --------------------------------------------------------------------------------------------------


def test_constant_targets(solver, loss):
    X, _ = size_and_weight()
    machine = SupportVectorRegressor(epsilon=0.0, C=1e4, solver=solver, loss=loss).fit(X, np.full(30, 70.0))
    assert machine.predict(X).tolist() == [70.0] * 30
    assert len(machine.support_) == 0


def test_duplicates(solver, loss):
    X, y = np.array([[1.0]] * 4 + [[2.0]] * 4), np.array([0.0, 1.0, 2.0, 3.0, 5.0, 6.0, 7.0, 8.0])
    machine = SupportVectorRegressor(C=10.0, epsilon=0.5, solver=solver, loss=loss).fit(X, y)
    assert machine.status_ is Status.OPTIMAL
    np.testing.assert_allclose(machine.predict([[1.0], [2.0]]), [1.5, 6.5], atol=0.5)


def test_whole_numbers_and_single_precision():
    X, y = size_and_weight()
    X, y = X.round(), y.round()
    machine = SupportVectorRegressor(C=10.0).fit(X, y)
    for dtype in (int, np.float32):
        other = SupportVectorRegressor(C=10.0).fit(X.astype(dtype), y.astype(dtype))
        np.testing.assert_allclose(other.predict(X), machine.predict(X))


@pytest.mark.parametrize("shift", [1e3, 1e6])
def test_far_off_features(solver, shift):
    X, y = size_and_weight()
    here = SupportVectorRegressor(C=10.0, epsilon=1.0, solver=solver).fit(X, y)
    there = SupportVectorRegressor(C=10.0, epsilon=1.0, solver=solver).fit(X + shift, y)
    assert there.status_ is Status.OPTIMAL
    np.testing.assert_allclose(there.predict(X + shift), here.predict(X), atol=1e-5)


def test_sample_order_does_not_matter(solver):
    X, y = size_and_weight()
    order = np.random.default_rng(0).permutation(30)
    machine = SupportVectorRegressor(solver=solver).fit(X, y)
    shuffled = SupportVectorRegressor(solver=solver).fit(X[order], y[order])
    np.testing.assert_allclose(shuffled.predict(X), machine.predict(X), atol=1e-7)


# --- a hard tube ------------------------------------------------------------------------------------------------


def test_hard_tube(solver):
    X, y = size_and_weight()
    line = np.polynomial.Polynomial.fit(X[:, 0], y, 1)
    enough = np.abs(y - line(X[:, 0])).max()
    machine = SupportVectorRegressor(C=np.inf, epsilon=enough, solver=solver).fit(X, y)
    assert np.abs(y - machine.predict(X)).max() <= enough * (1 + 1e-6)
    assert not machine.slack_.round(5).any()
    with pytest.raises(InfeasibleProblem, match="^C: with C = inf every point must be within epsilon = 0.5") as caught:
        SupportVectorRegressor(C=np.inf, epsilon=0.5, solver=solver).fit(X, y)
    weights = caught.value.certificate.ray
    assert weights.sum() == pytest.approx(0, abs=1e-9)
    assert weights @ X[:, 0] == pytest.approx(0, abs=1e-5)
    assert weights @ y > 0.5
    assert np.abs(weights).sum() == pytest.approx(1)


def test_a_fit_that_fails_leaves_no_machine():
    machine = SupportVectorRegressor(C=np.inf, epsilon=0.1)
    for _ in range(2):
        with pytest.raises(InfeasibleProblem):
            machine.fit([[0.0], [0.0]], [0.0, 1.0])
        with pytest.raises(NotFittedError):
            machine.predict([[0.0]])
        assert machine.fit([[0.0], [1.0]], [0.0, 1.0]).predict([[0.5]]) == pytest.approx(0.5)


# --- the estimator ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"C": 0}, "^C: expected a number above 0"),
        ({"C": -1.0}, "^C: "),
        ({"C": np.nan}, "^C: "),
        ({"C": "much"}, "^C: "),
        ({"epsilon": -0.1}, "^epsilon: expected a finite number of at least 0, got -0.1"),
        ({"epsilon": np.inf}, "^epsilon: "),
        ({"epsilon": None}, "^epsilon: "),
        ({"loss": "huber"}, r"^loss: expected one of \('l1', 'l2'\), got 'huber'"),
        ({"solver": "simplex"}, r"^solver: expected one of .*'dual'.*, got 'simplex'"),
        ({"tol": 0.0}, "^tol: expected a number above 0"),
        ({"max_iter": 0}, "^max_iter: expected a whole number"),
        ({"solver": "primal", "kernel": Gaussian()}, "^solver: 'primal' expects the kernel Linear"),
        ({"kernel": "rbf"}, "^kernel: expected a kernel of mlcore.kernels, got 'rbf'"),
    ],
)
def test_bad_parameters_raise(parameters, message):
    with pytest.raises(ValueError, match=message):
        SupportVectorRegressor(**parameters).fit(*curve())


def test_a_function_that_is_no_kernel_raises(loss):
    for solver in ("dual", "smo"):
        with pytest.raises(NotAKernel, match="^K: "):
            SupportVectorRegressor(Sigmoid(1.0, -1.0), C=0.01, loss=loss, solver=solver).fit(*curve())


def test_slopes_exist_for_the_linear_kernel_only():
    machine = SupportVectorRegressor(Gaussian(1.0)).fit(*curve())
    with pytest.raises(AttributeError, match=r"^w_: only the linear kernel .* not Gaussian\(width=1.0\)"):
        _ = machine.w_
    assert not hasattr(machine, "w_")


def test_attributes_before_fitting():
    names = "w_ b_ alpha_ alpha_star_ coefficients_ support_ slack_ status_ certificate_"
    for name in names.split():
        with pytest.raises(NotFittedError):
            getattr(SupportVectorRegressor(), name)


def test_fit_twice_equals_fit_once(solver, loss):
    X, y = size_and_weight()
    once = SupportVectorRegressor(solver=solver, loss=loss).fit(X, y)
    twice = clone(once).fit(*size_and_weight(n=50, seed=9)).fit(X, y)
    assert np.array_equal(once.coefficients_, twice.coefficients_)
    assert np.array_equal(once.predict(X), twice.predict(X))


def test_a_kernel_set_after_fitting_waits_for_the_next_fit():
    X, y = curve()
    machine = SupportVectorRegressor(Gaussian(1.0)).fit(X, y)
    before = machine.predict(X)
    machine.set_params(kernel=Gaussian(0.1))
    assert np.array_equal(machine.predict(X), before)
    assert not np.array_equal(machine.fit(X, y).predict(X), before)


def test_missing_the_optimum_warns_and_keeps_the_gap(monkeypatch, solver):
    exact = solvers.solve_qp

    def stopped_early(problem):
        result = exact(problem)
        return replace(
            result,
            x=0.9 * result.x,
            inequality_multipliers=0.9 * result.inequality_multipliers,
            status=Status.ITERATION_LIMIT,
        )

    monkeypatch.setattr(solvers, "solve_qp", stopped_early)
    monkeypatch.setattr(dual, "ACTIVE_SET_STEPS", 0)
    with pytest.warns(ConvergenceWarning, match=r"^The tube is not optimal \(iteration_limit\)"):
        machine = SupportVectorRegressor(solver=solver, max_iter=3).fit(*size_and_weight())
    assert machine.status_ is Status.ITERATION_LIMIT
    assert machine.certificate_.gap > 1e-3


def test_works_with_the_tools_of_scikit_learn():
    X, y = curve(n=60)
    search = GridSearchCV(
        make_pipeline(StandardScaler(), SupportVectorRegressor()),
        {
            "supportvectorregressor__kernel": [Linear(), Gaussian(0.1), Gaussian(0.4)],
            "supportvectorregressor__C": [0.1, 10.0],
        },
        cv=3,
    ).fit(X, y)
    assert search.best_params_["supportvectorregressor__kernel"] != Linear()
    assert cross_val_score(SupportVectorRegressor(Gaussian(0.7), C=10.0), X, y, cv=3).mean() > 0.7
    machine = SupportVectorRegressor(Gaussian(0.5)).fit(X, y)
    again = pickle.loads(pickle.dumps(machine))
    assert np.array_equal(again.predict(X), machine.predict(X))
    assert repr(machine) == "SupportVectorRegressor(kernel=Gaussian(width=0.5))"


def test_nothing_is_printed_or_warned(capfd, solver, loss):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        SupportVectorRegressor(solver=solver, loss=loss).fit(*size_and_weight())
    assert capfd.readouterr() == ("", "")


def test_certificate_reads_well():
    machine = SupportVectorRegressor(C=10, epsilon=0.5).fit([[0], [1], [2]], [0, 1, 2])
    assert isinstance(machine.certificate_, Certificate)
    assert str(machine.certificate_).startswith("primal 0.125, dual 0.125, ")
