"""The margin problems and the classifier: the numbers of the sources, optimality conditions, proofs, contracts."""

import pickle
import warnings
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.inspection import DecisionBoundaryDisplay
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from mlcore.datasets import (
    circle_data,
    five_points,
    four_corners,
    four_points,
    iris_pair,
    mislabelled_points,
    moons,
    nine_on_a_line,
    two_clouds,
    two_columns,
    two_points,
    two_points_3d,
)
from mlcore.errors import InfeasibleProblem, NotAKernel
from mlcore.kernels import Gaussian, GramRows, Kernel, Linear, Polynomial, Sigmoid
from mlcore.optimize import Certificate, Status
from mlcore.svm import SupportVectorClassifier, margin_solution, solve_dual, solve_primal, solve_smo
from mlcore.svm import _dual as dual
from mlcore.svm import _solvers as solvers

SOLVERS = ["primal", "dual", "smo"]


@pytest.fixture(params=SOLVERS)
def solver(request):
    return request.param


@parametrize_with_checks(
    [
        *(SupportVectorClassifier(solver=solver) for solver in SOLVERS),
        SupportVectorClassifier(kernel=Gaussian(1.0), C=10.0),
    ]
)
def test_scikit_learn_estimator(estimator, check):
    check(estimator)


# --- numbers of the sources -------------------------------------------------------------------------------------


def hard(data, solver):
    return SupportVectorClassifier(C=np.inf, solver=solver).fit(*data)


def test_two_points(solver):
    machine = hard(two_points(), solver)
    np.testing.assert_allclose(machine.w_, [0.5, 0.5], atol=1e-9)
    assert machine.b_ == pytest.approx(-1)
    assert np.linalg.norm(machine.w_) == pytest.approx(0.70711, abs=5e-6)
    assert machine.margin_width_ == pytest.approx(2 * np.sqrt(2))
    np.testing.assert_allclose(machine.alpha_, 0.25)
    # H: (0, 1)x − 1 = 0 separates as well, with the same values ±1 at the points but the longer normal vector 1.
    X, y = two_points()
    np.testing.assert_allclose(X @ [0, 1] - 1, y)
    assert np.linalg.norm(machine.w_) < 1


def test_four_points(solver):
    machine = hard(four_points(), solver)
    np.testing.assert_allclose(machine.w_, [-1, 1], atol=1e-9)
    assert machine.b_ == pytest.approx(0, abs=1e-9)
    assert machine.margin_width_ == pytest.approx(2 / np.sqrt(2))
    assert machine.alpha_.sum() == pytest.approx(2)


def test_two_points_in_space(solver):
    machine = hard(two_points_3d(), solver)
    np.testing.assert_allclose(machine.w_, [2 / 3] * 3)
    assert machine.b_ == pytest.approx(-1)


def test_two_columns(solver):
    machine = hard(two_columns(), solver)
    np.testing.assert_allclose(machine.w_, [2, 0], atol=1e-9)
    assert machine.b_ == pytest.approx(-9)


def test_fifth_point_on_its_side(solver):
    machine = hard(five_points(label=1), solver)
    np.testing.assert_allclose(machine.w_, [-1, 1], atol=1e-9)
    assert machine.alpha_[4] == 0
    assert 4 not in machine.support_


def test_fifth_point_on_the_wrong_side(solver):
    X, y = five_points(label=-1)
    with pytest.raises(InfeasibleProblem, match="hard margin") as caught:
        hard((X, y), solver)
    assert_common_point(caught.value.certificate, X, y)
    for C, errors in ((0.1, 2), (1.0, 2), (100.0, 1)):
        soft = SupportVectorClassifier(C=C, solver=solver).fit(X, y)
        assert soft.status_ is Status.OPTIMAL
        assert (soft.slack_ > 1).sum() == errors


def test_mislabelled_points(solver):
    machine = hard(mislabelled_points(changed=0), solver)
    np.testing.assert_allclose(machine.w_, [0, 1], atol=1e-9)
    assert machine.b_ == pytest.approx(-3)
    assert machine.support_.tolist() == [0, 1, 6]
    for changed in (1, 2):
        X, y = mislabelled_points(changed)
        with pytest.raises(InfeasibleProblem) as caught:
            hard((X, y), solver)
        assert_common_point(caught.value.certificate, X, y)


def test_iris(solver):
    X, y, _ = iris_pair()
    machine = SupportVectorClassifier(C=1.0, solver=solver).fit(X, y)
    np.testing.assert_allclose(machine.w_, [0.04603432, -0.52172193, 1.00316396, 0.46417912], rtol=2e-6)
    assert abs(machine.b_) == pytest.approx(1.45056012, rel=2e-6)
    assert machine.support_.tolist() == [23, 41, 98]
    assert machine.score(X, y) == 1


def test_squared_kernel_of_the_book():
    # ES p. 65: with k = ⟨x, z⟩², b is the same from every support vector.
    X, y = circle_data(n=40, seed=2)
    kernel = Polynomial(degree=2, offset=0)
    machine = SupportVectorClassifier(kernel, C=np.inf).fit(X, y)
    support = machine.support_
    each_b = y[support] - kernel(X[support], X[support]) @ (machine.alpha_ * y)[support]
    np.testing.assert_allclose(each_b, machine.b_, rtol=1e-7)
    a, b = X.T
    features = np.column_stack([a * a, b * b, np.sqrt(2) * a * b])
    lifted = SupportVectorClassifier(C=np.inf).fit(features, y)
    np.testing.assert_allclose(machine.decision_function(X), lifted.decision_function(features), atol=1e-7)
    assert machine.margin_width_ == pytest.approx(lifted.margin_width_)


def test_four_corners_need_a_kernel(solver):
    with pytest.raises(InfeasibleProblem):
        hard(four_corners(), solver)
    X, y = four_corners()
    machine = SupportVectorClassifier(Polynomial(degree=2, offset=0), C=np.inf).fit(X, y)
    np.testing.assert_allclose(machine.decision_function(X), y)
    linear = SupportVectorClassifier(solver=solver).fit(X, y)
    assert linear.margin_width_ > 1e6
    assert linear.status_ is Status.OPTIMAL


def test_nine_on_a_line_need_a_second_coordinate(solver):
    X, y = nine_on_a_line()
    with pytest.raises(InfeasibleProblem):
        hard((X, y), solver)
    machine = hard((np.column_stack([X, X**2]), y), solver)
    np.testing.assert_allclose(machine.w_, [0, -2 / 5], atol=1e-9)  # between x² = 4 and x² = 9
    assert machine.b_ == pytest.approx(13 / 5)


# --- optimality, checked without the package's own certificate --------------------------------------------------


def assert_optimal(machine, X, y, C, tolerance=1e-6):
    alpha, margins = machine.alpha_, y * machine.decision_function(X)
    assert machine.status_ is Status.OPTIMAL
    assert (alpha >= 0).all()
    assert (alpha <= C).all()
    assert abs(alpha @ y) <= tolerance * alpha.max()
    assert (margins[alpha == 0] >= 1 - tolerance).all()
    np.testing.assert_allclose(margins[(alpha > 0) & (alpha < C)], 1, atol=tolerance)
    assert (margins[alpha == C] <= 1 + tolerance).all()
    np.testing.assert_allclose(machine.slack_, np.maximum(0, 1 - margins), atol=tolerance)
    squared_norm = (alpha * y) @ machine.kernel(X) @ (alpha * y)
    primal = squared_norm / 2 + (0 if np.isinf(C) else C * machine.slack_.sum())
    dual = alpha.sum() - squared_norm / 2
    assert machine.certificate_.primal_value == pytest.approx(primal, rel=1e-9, abs=1e-9)
    assert machine.certificate_.dual_value == pytest.approx(dual, rel=1e-9, abs=1e-9)
    assert abs(primal - dual) <= tolerance * abs(dual)
    assert machine.margin_width_ == pytest.approx(2 / np.sqrt(squared_norm), rel=1e-6)
    assert machine.support_.tolist() == np.flatnonzero(alpha).tolist()


def assert_common_point(certificate, X, y):
    weights = certificate.ray
    assert (weights >= 0).all()
    assert weights.sum() == pytest.approx(1)
    assert weights @ y == pytest.approx(0, abs=1e-9)
    np.testing.assert_allclose((weights * y) @ X, 0, atol=1e-6 * np.abs(X).max())
    assert certificate.residual <= 1e-6


@pytest.mark.parametrize("C", [1e-2, 1.0, 1e3])
@pytest.mark.parametrize("kernel", [Linear(), Polynomial(3, 1.0), Gaussian(0.7), Gaussian(3.0)], ids=str)
@pytest.mark.parametrize("data", [two_clouds(n=40, distance=1.5), moons(n=50, noise=0.25)], ids=["clouds", "moons"])
def test_conditions_hold_at_the_optimum(data, kernel, C):
    X, y = data
    for solver in SOLVERS if kernel == Linear() else ["dual"]:
        assert_optimal(SupportVectorClassifier(kernel, C, solver).fit(X, y), X, y, C)


@settings(deadline=None, max_examples=40)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(2, 25),
    d=st.integers(1, 4),
    C=st.sampled_from([1e-3, 0.1, 1.0, 30.0, np.inf]),
    on_a_grid=st.booleans(),
)
def test_all_solvers_agree_on_random_data(seed, n, d, C, on_a_grid):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(n, d)), np.where(rng.random(n) < 0.5, 1.0, -1.0)
    if on_a_grid:
        X = X.round()  # duplicates, ties and equal points of both classes
    y[:2] = 1, -1
    outcomes = []
    for solver in SOLVERS:
        machine = SupportVectorClassifier(C=C, solver=solver)
        try:
            outcomes.append(machine.fit(X, y))
        except InfeasibleProblem as error:
            assert_common_point(error.certificate, X, y)
            outcomes.append("inseparable")
    if "inseparable" in outcomes:
        assert outcomes == ["inseparable"] * len(SOLVERS)
        assert np.isinf(C)
        return
    primal = outcomes[0]
    for machine in outcomes:
        assert machine.status_ is Status.OPTIMAL
        np.testing.assert_allclose(machine.w_, primal.w_, atol=1e-5 * (1 + np.abs(primal.w_).max()))
        assert machine.certificate_.primal_value == pytest.approx(primal.certificate_.primal_value, rel=1e-5)


def test_margin_from_the_multipliers(solver):
    # ES p. 39 gives the margin 1/‖w‖; for a hard margin 1/‖w‖² = 1/Σα.
    for seed in range(5):
        machine = hard(two_clouds(n=30, distance=9.0, seed=seed), solver)
        assert machine.w_ @ machine.w_ == pytest.approx(machine.alpha_.sum())


def test_a_dearer_slack_narrows_the_street(solver):
    X, y = two_clouds(n=40, distance=2.0, seed=1)
    machines = [SupportVectorClassifier(C=C, solver=solver).fit(X, y) for C in np.logspace(-3, 3, 7)]
    widths, slacks = zip(*[(machine.margin_width_, machine.slack_.sum()) for machine in machines])
    assert (np.diff(widths) <= 1e-6).all()
    assert (np.diff(slacks) <= 1e-6).all()


def test_large_C_is_the_hard_margin(solver):
    X, y = two_clouds(n=30, distance=8.0, seed=2)
    firm = hard((X, y), solver)
    soft = SupportVectorClassifier(C=2 * firm.alpha_.max(), solver=solver).fit(X, y)
    np.testing.assert_allclose(soft.w_, firm.w_, rtol=1e-7)
    np.testing.assert_allclose(firm.slack_, 0, atol=1e-9)


# --- the offset -------------------------------------------------------------------------------------------------


def test_offset_is_the_middle_when_every_support_vector_is_at_its_bound(solver):
    # w is so short that both points stay inside the street: α = C, and every b with |w·x + b| ≤ 1 is optimal.
    X, y = np.array([[0.0], [1.0], [4.0]]), np.array([-1.0, 1.0, 1.0])
    machine = SupportVectorClassifier(C=0.1, solver=solver).fit(X[:2], y[:2])
    np.testing.assert_allclose(machine.alpha_, 0.1)
    assert machine.w_[0] == pytest.approx(0.1)
    assert machine.b_ == pytest.approx((-1 + (1 - 0.1)) / 2)  # f(0) ≥ −1 and f(1) ≤ 1 bound b
    np.testing.assert_allclose(machine.slack_, 1 - y[:2] * machine.decision_function(X[:2]))


def test_offset_when_one_class_outnumbers_the_other(solver):
    X, y = np.array([[0.0], [0.0], [0.0], [1.0]]), np.array([-1.0, -1.0, -1.0, 1.0])
    machine = SupportVectorClassifier(C=0.01, solver=solver).fit(X, y)
    assert machine.alpha_[3] == pytest.approx(0.01)
    assert_optimal(machine, X, y, 0.01)


# --- the proof of inseparability --------------------------------------------------------------------------------


def test_equal_points_with_different_labels_cannot_be_separated_by_any_kernel():
    X = np.array([[0.0, 0.0], [1.0, 2.0], [0.0, 0.0], [3.0, 1.0]])
    y = np.array([1.0, 1.0, -1.0, -1.0])
    for kernel in (Linear(), Polynomial(3, 1.0), Gaussian(0.5)):
        with pytest.raises(InfeasibleProblem) as caught:
            SupportVectorClassifier(kernel, C=np.inf).fit(X, y)
        weights = caught.value.certificate.ray
        signed = weights * y
        assert weights.sum() == pytest.approx(1)
        assert abs(signed.sum()) < 1e-9
        assert abs(signed @ kernel(X) @ signed) < 1e-9


def test_solvers_return_the_status_and_never_raise_it():
    X, y = five_points(label=-1)
    for solution in (solve_primal(X, y, np.inf), solve_dual(X @ X.T, y, np.inf)):
        assert solution.status is Status.INFEASIBLE
        assert np.isnan(solution.alpha).all()
        assert np.isnan(solution.b)
        assert_common_point(solution.certificate, X, y)


def test_message_of_an_inseparable_pair_names_the_classes():
    X = np.array([[0.0], [1.0], [5.0], [0.5]])
    with pytest.raises(InfeasibleProblem, match="^C: .* convex hulls of ham and spam share a point"):
        SupportVectorClassifier(C=np.inf).fit(X, ["ham", "ham", "eggs", "spam"])


# --- solvers as plain functions ---------------------------------------------------------------------------------


def test_solvers_leave_their_input_alone():
    X, y = two_clouds(n=20)
    K = X @ X.T
    before = X.copy(), y.copy(), K.copy()
    solve_primal(X, y, 1.0)
    solve_dual(K, y, 1.0)
    for array, copy in zip((X, y, K), before):
        assert np.array_equal(array, copy)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: solve_primal([1.0, 2.0], [1, -1]), r"^X: expected shape \(n, d\)"),
        (lambda: solve_primal([[1.0], [np.nan]], [1, -1]), "^X: .*NaN"),
        (lambda: solve_primal([[1.0], [2.0]], [1, -1, 1]), r"^y: expected shape \(2,\), got \(3,\)"),
        (lambda: solve_primal([[1.0], [2.0]], [1, 1]), r"^y: expected labels \+1 and -1, both present"),
        (lambda: solve_primal([[1.0], [2.0]], [0, 1]), "^y: expected labels"),
        (lambda: solve_primal([[1.0], [2.0]], [1, -1], C=0), "^C: expected a number above 0"),
        (lambda: solve_primal(np.empty((0, 2)), []), "^y: expected labels"),
        (lambda: solve_dual([[1.0, 2.0]], [1, -1]), "^K: expected shape"),
        (lambda: solve_dual([[1.0, 2.0], [0.0, 1.0]], [1, -1]), "^K: expected a symmetric"),
        (lambda: solve_dual(np.eye(2), [1, -1], C=-1), "^C: "),
        (lambda: solve_dual(np.eye(2), [1, -1], C=np.nan), "^C: "),
        (lambda: solve_dual(np.eye(2), [1, 2]), "^y: "),
    ],
)
def test_bad_arguments_of_the_solvers_raise(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_a_matrix_with_a_negative_eigenvalue_is_no_kernel():
    with pytest.raises(NotAKernel, match="^K: .*positive semidefinite.* eigenvalue -1"):
        solve_dual([[1.0, 2.0], [2.0, 1.0]], [1, -1])


def test_poor_multipliers_are_not_called_optimal():
    X, y = two_clouds(n=30, distance=2.0)
    K = X @ X.T
    best = solve_dual(K, y, 1.0)
    assert margin_solution(best.alpha, K, y, 1.0).status is Status.OPTIMAL
    spoilt = np.clip(best.alpha + 0.01 * y, 0, 1)
    for status in (Status.OPTIMAL, Status.ITERATION_LIMIT):
        solution = margin_solution(spoilt, K, y, 1.0, status=status)
        assert solution.status is (Status.ITERATION_LIMIT if status == "iteration_limit" else Status.NOT_CONVERGED)
        assert solution.certificate.residual > 1e-4


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10**6), st.floats(0.1, 10))
def test_gap_bounds_the_distance_from_the_optimum(seed, C):
    # Any feasible α, however bad, comes with a gap that covers what is missing in the objective.
    rng = np.random.default_rng(seed)
    X, y = two_clouds(n=20, distance=1.0, seed=seed)
    K = X @ X.T
    best = solve_dual(K, y, C).certificate.dual_value
    alpha = C * rng.random(20)
    alpha[y > 0] *= min(1, alpha[y < 0].sum() / alpha[y > 0].sum())
    alpha[y < 0] *= min(1, alpha[y > 0].sum() / alpha[y < 0].sum())
    certificate = margin_solution(alpha, K, y, C).certificate
    assert certificate.gap >= best - certificate.dual_value - 1e-9 * abs(best)


# --- invariances ------------------------------------------------------------------------------------------------


def test_fit_twice_equals_fit_once(solver):
    X, y = two_clouds(n=25, distance=2.0)
    once = SupportVectorClassifier(solver=solver).fit(X, y)
    twice = clone(once).fit(*two_clouds(n=40, seed=9)).fit(X, y)
    assert np.array_equal(once.alpha_, twice.alpha_)
    assert np.array_equal(once.decision_function(X), twice.decision_function(X))


def test_refit_with_another_number_of_classes_leaves_nothing_behind():
    X, y = two_clouds(n=30, distance=2.0)
    three = np.where(X[:, 0] > 1, 2, y)
    machine = SupportVectorClassifier().fit(X, y).fit(X, three)
    assert machine.decision_function(X).shape == (30, 3)
    assert not hasattr(machine, "alpha_")
    machine.fit(X, y)
    assert machine.machines_ == ()
    assert machine.alpha_.shape == (30,)


def test_a_kernel_set_after_fitting_waits_for_the_next_fit():
    X, y = two_clouds(n=20)
    machine = SupportVectorClassifier(Gaussian(1.0)).fit(X, y)
    before = machine.decision_function(X)
    machine.set_params(kernel=Gaussian(0.1))
    assert np.array_equal(machine.decision_function(X), before)
    assert not np.array_equal(machine.fit(X, y).decision_function(X), before)


def test_sample_order_does_not_matter(solver):
    X, y = two_clouds(n=30, distance=1.5)
    order = np.random.default_rng(0).permutation(30)
    machine = SupportVectorClassifier(solver=solver).fit(X, y)
    shuffled = SupportVectorClassifier(solver=solver).fit(X[order], y[order])
    np.testing.assert_allclose(shuffled.alpha_, machine.alpha_[order], atol=1e-7)
    np.testing.assert_allclose(shuffled.decision_function(X), machine.decision_function(X), atol=1e-9)


def test_a_doubled_point_counts_twice(solver):
    X, y = two_clouds(n=20, distance=1.0)
    doubled = SupportVectorClassifier(C=1.0, solver=solver).fit(np.vstack([X, X]), np.concatenate([y, y]))
    single = SupportVectorClassifier(C=2.0, solver=solver).fit(X, y)
    np.testing.assert_allclose(doubled.decision_function(X), single.decision_function(X), atol=1e-7)


def test_flipped_duplicates(solver):
    X, y = two_clouds(n=20, distance=3.0)
    machine = SupportVectorClassifier(solver=solver).fit(np.vstack([X, X[:3]]), np.concatenate([y, -y[:3]]))
    assert machine.status_ is Status.OPTIMAL
    both = SupportVectorClassifier(solver=solver).fit([[1.0, 2.0]] * 4, [1, -1, 1, -1])
    np.testing.assert_allclose(both.decision_function([[1.0, 2.0]]), 0, atol=1e-9)
    assert both.margin_width_ > 1e6


@pytest.mark.parametrize("shift", [1e3, 1e6])
@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_the_units_and_the_origin_of_the_features_do_not_matter(solver, shift, scale):
    X, y = two_clouds(n=30, distance=2.0)
    here = SupportVectorClassifier(C=1.0, solver=solver).fit(X, y)
    there = SupportVectorClassifier(C=1.0 / scale**2, solver=solver).fit(scale * (X + shift), y)
    assert there.status_ is Status.OPTIMAL
    np.testing.assert_allclose(there.w_ * scale, here.w_, rtol=1e-6)
    np.testing.assert_allclose(there.decision_function(scale * (X + shift)), here.decision_function(X), atol=1e-6)


def test_swapping_the_labels_flips_the_sign(solver):
    X, y = two_clouds(n=30, distance=2.0)
    machine = SupportVectorClassifier(solver=solver).fit(X, y)
    swapped = SupportVectorClassifier(solver=solver).fit(X, -y)
    np.testing.assert_allclose(swapped.decision_function(X), -machine.decision_function(X), atol=1e-9)


# --- the estimator ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"C": 0}, "^C: expected a number above 0"),
        ({"C": -1.0}, "^C: "),
        ({"C": np.nan}, "^C: "),
        ({"C": "much"}, "^C: "),
        ({"solver": "simplex"}, r"^solver: expected one of .*'dual'.*, got 'simplex'"),
        ({"tol": 0.0}, "^tol: expected a number above 0"),
        ({"max_iter": 0}, "^max_iter: expected a whole number"),
        ({"solver": "primal", "kernel": Gaussian()}, "^solver: 'primal' expects the kernel Linear"),
        ({"kernel": "rbf"}, "^kernel: expected a kernel of mlcore.kernels, got 'rbf'"),
    ],
)
def test_bad_parameters_raise(parameters, message):
    with pytest.raises(ValueError, match=message):
        SupportVectorClassifier(**parameters).fit(*four_points())


def test_one_class_raises(solver):
    with pytest.raises(ValueError, match="^y: expected labels of at least two classes, got one class, 1.0"):
        SupportVectorClassifier(solver=solver).fit([[0.0], [1.0]], [1.0, 1.0])


def test_a_function_that_is_no_kernel_raises():
    class Distance(Kernel):
        def _matrix(self, X, Z):
            return np.abs(X - Z.T)

        def _diagonal(self, X):
            return np.zeros(len(X))

    for kernel_solver in ("smo", "dual"):
        with pytest.raises(NotAKernel, match="^K: .*positive semidefinite"):
            SupportVectorClassifier(kernel=Distance(), solver=kernel_solver).fit([[0.0], [1.0], [3.0]], [1, -1, 1])


@pytest.mark.parametrize("n", [40, 600])
def test_the_sigmoid_is_refused_unless_allowed_and_never_called_optimal(n):
    X, y = two_clouds(n=n, distance=1.5)
    sigmoid = Sigmoid(slope=1.0, offset=-1.0)
    for kernel_solver in ("smo", "dual"):
        with pytest.raises(NotAKernel, match="^K: .*eigenvalue -"):
            SupportVectorClassifier(sigmoid, solver=kernel_solver).fit(X, y)
    machine = SupportVectorClassifier(sigmoid, C=0.1, allow_indefinite=True).fit(X, y)  # and no warning
    assert machine.status_ is Status.NOT_CONVERGED
    assert machine.certificate_.residual <= machine.tol
    assert ((machine.alpha_ >= 0) & (machine.alpha_ <= 0.1)).all()
    assert machine.alpha_ @ y == pytest.approx(0, abs=1e-10)
    true_kernel = SupportVectorClassifier(Gaussian(1.0), allow_indefinite=True).fit(X, y)
    assert true_kernel.status_ is Status.OPTIMAL


def test_normal_vector_exists_for_the_linear_kernel_only():
    machine = SupportVectorClassifier(kernel=Gaussian(1.0)).fit(*four_points())
    with pytest.raises(AttributeError, match=r"^w_: only the linear kernel .* not Gaussian\(width=1.0\)"):
        _ = machine.w_
    assert not hasattr(machine, "w_")


def test_attributes_before_fitting():
    machine = SupportVectorClassifier()
    for name in ("w_", "b_", "alpha_", "support_", "slack_", "status_", "certificate_", "margin_width_"):
        with pytest.raises(NotFittedError):
            getattr(machine, name)


def test_too_few_pair_updates_warn_and_keep_the_gap():
    X, y = two_clouds(n=40, distance=1.0)
    with pytest.warns(ConvergenceWarning, match=r"not optimal \(iteration_limit\): .*; scale the features, lower C"):
        machine = SupportVectorClassifier(Gaussian(0.7), C=10.0, max_iter=5).fit(X, y)
    assert (machine.status_, machine.n_iter_) == (Status.ITERATION_LIMIT, 5)
    assert machine.certificate_.gap > 1
    assert machine.certificate_.residual > 1e-3


def test_smo_is_refined_to_full_accuracy():
    X, y = moons(n=200, noise=0.25)
    for C in (1.0, 100.0):
        machine = SupportVectorClassifier(Gaussian(0.7), C=C).fit(X, y)
        assert machine.certificate_.residual < 1e-10
        assert machine.n_iter_ < 3000


def test_the_tolerance_decides_with_many_free_multipliers(monkeypatch):
    monkeypatch.setattr(solvers, "CHEAP", 3)
    X, y = moons(n=100, noise=0.25)
    coarse, fine = (SupportVectorClassifier(Gaussian(0.7), C=10.0, tol=tol).fit(X, y) for tol in (1e-2, 1e-7))
    assert coarse.status_ is fine.status_ is Status.OPTIMAL
    assert 1e-6 < coarse.certificate_.residual <= 1e-2
    assert coarse.certificate_.gap <= 1e-2 * coarse.certificate_.dual_value
    assert fine.certificate_.residual <= 1e-7
    assert coarse.n_iter_ < fine.n_iter_


def test_smo_goes_on_where_the_first_active_set_is_not_the_right_one():
    X, y = moons(n=500, noise=0.3)
    machine = SupportVectorClassifier(C=1.0).fit(X, y)
    assert machine.certificate_.residual < 1e-10


def test_few_rows_of_the_kernel_matrix_are_computed():
    X, y = two_clouds(n=1500, distance=5.0)
    gram = GramRows(Gaussian(1.0), X)
    solution = solve_smo(gram, y, 1.0)
    assert solution.status is Status.OPTIMAL
    assert (gram.slot >= 0).sum() < 750
    assert solution.certificate.residual < 1e-10


def test_infinite_C_goes_to_the_quadratic_program():
    X, y = two_clouds(n=30, distance=8.0, seed=2)
    machines = [SupportVectorClassifier(C=np.inf, solver=solver).fit(X, y) for solver in ("smo", "dual")]
    assert np.array_equal(machines[0].alpha_, machines[1].alpha_)


def test_a_fit_that_fails_leaves_no_machine():
    X, y = two_clouds(n=20, distance=8.0)
    machine = SupportVectorClassifier(C=np.inf)
    for _ in range(2):
        with pytest.raises(InfeasibleProblem):
            machine.fit(*four_corners())
        with pytest.raises(NotFittedError):
            machine.predict(X)
        machine.fit(X, y)
        assert (machine.predict(X) == y).all()


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
    X, y = two_clouds(n=20, distance=2.0)
    with pytest.warns(ConvergenceWarning, match=r"between -1.0 and 1.0 is not optimal \(iteration_limit\)"):
        machine = SupportVectorClassifier(solver=solver, max_iter=3).fit(X, y)
    assert machine.status_ is Status.ITERATION_LIMIT
    assert machine.certificate_.gap > 1e-3


def test_labels_of_any_kind():
    X, y = two_clouds(n=20, distance=6.0)
    names = np.where(y > 0, "spam", "ham")
    machine = SupportVectorClassifier().fit(X, names)
    assert machine.classes_.tolist() == ["ham", "spam"]
    assert (machine.predict(X) == names).all()
    assert ((machine.decision_function(X) > 0) == (names == "spam")).all()


def test_predict_is_the_sign_of_the_decision(solver):
    X, y = two_clouds(n=40, distance=0.5)
    machine = SupportVectorClassifier(solver=solver).fit(X, y)
    assert (machine.predict(X) == np.where(machine.decision_function(X) > 0, 1.0, -1.0)).all()


@pytest.mark.parametrize("kernel", [Linear(), Gaussian(1.0)], ids=str)
def test_several_classes_vote(kernel):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(60, 2)) + np.repeat([[0, 0], [2, 0], [1, 2], [3, 3]], 15, axis=0)
    y = np.repeat(["d", "b", "a", "c"], 15)
    machine = SupportVectorClassifier(kernel).fit(X, y)
    pairs = [("a", "b"), ("a", "c"), ("a", "d"), ("b", "c"), ("b", "d"), ("c", "d")]
    assert [tuple(each.classes_) for each in machine.machines_] == pairs
    decision = machine.decision_function(X)
    assert (machine.predict(X) == machine.classes_[decision.argmax(axis=1)]).all()
    for row, x in enumerate(X):
        votes = dict.fromkeys("abcd", 0)
        for each in machine.machines_:
            votes[each.predict(x[None])[0]] += 1
        np.testing.assert_allclose(decision[row], list(votes.values()), atol=1 / 3)
    for each, pair in zip(machine.machines_, pairs):
        assert each.status_ is Status.OPTIMAL
        assert len(each.alpha_) == np.isin(y, pair).sum()
    for name in ("w_", "b_", "alpha_", "certificate_"):
        with pytest.raises(AttributeError, match=rf"^{name}: 4 classes .* machines_\[k\].{name}"):
            getattr(machine, name)


def test_works_with_the_tools_of_scikit_learn():
    X, y = moons(n=60, noise=0.2)
    search = GridSearchCV(
        make_pipeline(StandardScaler(), SupportVectorClassifier()),
        {
            "supportvectorclassifier__kernel": [Linear(), Gaussian(0.3), Gaussian(1.0)],
            "supportvectorclassifier__C": [0.1, 10.0],
        },
        cv=3,
    ).fit(X, y)
    assert search.best_params_["supportvectorclassifier__kernel"] != Linear()
    assert cross_val_score(SupportVectorClassifier(Gaussian(0.5)), X, y, cv=3).mean() > 0.8
    machine = SupportVectorClassifier(Gaussian(0.5)).fit(X, y)
    display = DecisionBoundaryDisplay.from_estimator(machine, X, response_method="decision_function")
    assert np.ptp(display.response) > 1
    again = pickle.loads(pickle.dumps(machine))
    assert np.array_equal(again.decision_function(X), machine.decision_function(X))
    assert repr(machine) == "SupportVectorClassifier(kernel=Gaussian(width=0.5))"


def test_nothing_is_printed_or_warned(capfd, solver):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        SupportVectorClassifier(solver=solver).fit(*two_clouds(n=30, distance=2.0))
        with pytest.raises(InfeasibleProblem):
            hard(four_corners(), solver)
    assert capfd.readouterr() == ("", "")


def test_certificate_reads_well():
    machine = SupportVectorClassifier(C=np.inf).fit(*four_points())
    assert isinstance(machine.certificate_, Certificate)
    assert str(machine.certificate_).startswith("primal 1, dual 1, ")
