"""What solves all machines, and what the support vector classifier and regressor share."""

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from mlcore.errors import InfeasibleProblem
from mlcore.kernels import Gaussian, Linear
from mlcore.optimize import Certificate, Status
from mlcore.svm import SupportVectorClassifier, SupportVectorRegressor, solve_dual
from mlcore.svm._solvers import checked_price, report_end

RANDOM = np.random.default_rng(5)
X = RANDOM.normal(size=(20, 2)) + 1e5  # far off: only counted from the mean do the points keep their digits
Y = np.where(X[:, 0] + RANDOM.normal(size=20) > 1e5, 1.0, -1.0)


@pytest.mark.parametrize("estimator", [SupportVectorClassifier, SupportVectorRegressor])
@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"kernel": "rbf"}, "^kernel: expected a kernel of mlcore.kernels, got 'rbf'"),
        ({"solver": "newton"}, "^solver: expected one of .*, got 'newton'"),
        ({"kernel": Gaussian(1.0), "solver": "primal"}, "^solver: 'primal' expects the kernel Linear"),
        ({"C": 0}, "^C: "),
        ({"C": "1"}, "^C: "),
        ({"tol": -1}, "^tol: "),
        ({"tol": "0.1"}, "^tol: "),
        ({"max_iter": 0.5}, "^max_iter: "),
    ],
)
def test_a_wrong_parameter_is_named(estimator, wrong, message):
    assert checked_price(estimator()) == 1.0
    with pytest.raises(ValueError, match=message):
        checked_price(estimator(**wrong))
    with pytest.raises(ValueError, match=message):
        estimator(**wrong).fit(X, Y)


@pytest.mark.parametrize("solver", ["smo", "dual", "primal"])
def test_the_plane_is_about_the_points_as_they_are(solver):
    machine = SupportVectorClassifier(solver=solver).fit(X, Y)
    centred = solve_dual(Linear()(X - X.mean(axis=0)), Y, 1.0)
    np.testing.assert_allclose(Y * (X @ machine.w_ + machine.b_), centred.margins, atol=1e-8)
    np.testing.assert_allclose(Y * machine.decision_function(X), centred.margins, atol=1e-8)


@pytest.mark.parametrize("kernel", [Linear(), Gaussian(1.0)], ids=str)
def test_with_and_without_a_plane_f_is_that_of_the_solver(kernel):
    machine = SupportVectorClassifier(kernel).fit(X, Y)
    slack = np.maximum(0, 1 - Y * machine.decision_function(X))
    np.testing.assert_allclose(slack, machine.slack_, atol=1e-8)


class Ended:
    """A solution of which only the end matters."""

    def __init__(self, status):
        self.status = status
        self.certificate = Certificate(2.0, 1.0, 1.0, 0.5)


def test_an_optimum_and_an_accepted_end_say_nothing():
    report_end(Ended(Status.OPTIMAL), "It", "no", "smo")
    report_end(Ended(Status.NOT_CONVERGED), "It", "no", "smo", accepted=True)  # warnings are errors here


@pytest.mark.parametrize(("solver", "advice"), [("smo", True), ("dual", False)])
def test_another_end_warns_with_its_certificate_and_advice(solver, advice):
    with pytest.warns(ConvergenceWarning, match=r"^It is not optimal \(iteration_limit\): primal 2, dual 1") as caught:
        report_end(Ended(Status.ITERATION_LIMIT), "It", "no", solver)
    assert ("take solver='dual'" in str(caught[0].message)) is advice


def test_no_solution_is_an_error_with_its_proof():
    with pytest.raises(InfeasibleProblem, match="^why") as caught:
        report_end(Ended(Status.INFEASIBLE), "It", "why", "smo")
    assert caught.value.certificate.residual == 0.5
