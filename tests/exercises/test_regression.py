import numpy as np
import pytest

from mlcore.exercises import regression
from mlcore.exercises.regression import check_dual_of_linear_penalty, check_quadratic_curve, check_theta_program
from mlcore.svm import solve_svr_dual


def theta_program(x, y, C, epsilon, kernel=None, cost=2.0, total=1.0, rows=slice(None)):
    m, eye, zero = len(x), np.eye(len(x)), np.zeros((len(x), len(x)))
    P = np.block([[np.outer(x, x) if kernel is None else kernel, zero], [zero, zero]])
    q = np.concatenate([epsilon - y, cost * epsilon * np.ones(m)])
    G = np.block([[-eye, -eye], [eye, eye], [zero, -eye], [zero, eye]])
    h = np.concatenate([np.zeros(m), C * np.ones(m), np.zeros(m), C * np.ones(m)])
    A = np.concatenate([np.ones(m), np.zeros(m)])[None, :]
    keep = np.arange(4 * m).reshape(4, m)[rows].ravel()
    return P, q, G[keep], h[keep], total * A, np.zeros(1)


class TestThetaProgram:
    def test_a_fault_of_the_solver_is_not_told_as_the_readers(self, monkeypatch):
        def broken(problem):
            raise RuntimeError("ours")

        monkeypatch.setattr(regression, "solve_qp", broken)
        with pytest.raises(RuntimeError, match="ours"):
            check_theta_program(theta_program)

    def test_the_right_program_passes_in_any_order_of_its_rows(self):
        assert check_theta_program(theta_program).passed
        assert check_theta_program(lambda *a: theta_program(*a, rows=[3, 1, 0, 2], total=-2.0)).passed

    @pytest.mark.parametrize(
        ("program", "message"),
        [
            (None, "theta_program is still None"),
            (3, "TypeError"),
            (lambda *a: None, "TypeError"),
            (lambda *a: theta_program(*a)[:2], "the program is unbounded"),
            (lambda *a: theta_program(*a, cost=1.0), "costs"),
            (lambda *a: theta_program(*a, kernel=np.zeros((len(a[0]),) * 2)), "costs"),
            (lambda *a: theta_program(*a, rows=[1, 2, 3]), "α must stay between 0 and C"),
            (lambda *a: theta_program(*a, rows=[0, 1, 3]), "α′ must stay between 0 and C"),
            (lambda *a: theta_program(*a, total=0.0), "sum to 0"),
            (lambda *a: [np.eye(3), np.zeros(3), -np.eye(3), np.zeros(3)], "Expected 8 variables"),
            (lambda *a: [np.zeros((8, 8)), -np.ones(8), -np.eye(8), np.zeros(8)], "the program is unbounded"),
            (lambda x, y, C, e: 1 / 0, "ZeroDivisionError"),
        ],
    )
    def test_a_wrong_answer_is_told_why(self, program, message):
        verdict = check_theta_program(program)
        assert not verdict.passed
        assert message in verdict.message


def curve(x, y, C, epsilon, power=2, offset=1.0, shift=0.0):
    found = solve_svr_dual((np.outer(x, x) + offset) ** power, y, C, epsilon)
    return lambda z: (np.outer(z, x) + offset) ** power @ found.coefficients + found.b + shift


class TestQuadraticCurve:
    def test_the_right_curve_passes(self):
        assert check_quadratic_curve(curve).passed

    @pytest.mark.parametrize(
        ("fit", "message"),
        [
            (None, "fit_curve is still None"),
            ("parabola", "TypeError"),
            (lambda *a: None, "TypeError"),
            (lambda *a: lambda z: z[:2], "f(grid): expected shape"),
            (lambda *a: lambda z: z * np.nan, "got NaN"),
            (lambda *a: curve(*a, power=3), "no parabola"),
            (lambda *a: curve(*a, power=1), "A parabola, but"),
            (lambda *a: curve(*a, offset=0.0), "A parabola, but"),
            (lambda *a: curve(*a, shift=0.5), "A parabola, but"),
            (lambda x, y, C, e: curve(x, y, 10 * C, e), "A parabola, but"),
        ],
    )
    def test_a_wrong_answer_is_told_why(self, fit, message):
        verdict = check_quadratic_curve(fit)
        assert not verdict.passed
        assert message in verdict.message


def objective(beta, K, y, C, epsilon):
    return y @ beta - epsilon * np.abs(beta).sum() - beta @ K @ beta / 2


def allowed(beta, C):
    return abs(beta.sum()) < 1e-9 and np.abs(beta).max() <= C * (1 + 1e-9)


class TestDualOfLinearPenalty:
    def test_the_right_dual_passes(self):
        assert check_dual_of_linear_penalty(objective, allowed).passed

    @pytest.mark.parametrize(
        ("value", "test", "message"),
        [
            (None, None, "objective and allowed are still None"),
            (lambda *a: -objective(*a), allowed, "has the sign turned"),
            (lambda b, K, y, C, e: objective(b, 2 * K, y, C, e), allowed, "misses the factor ½"),
            (lambda b, K, y, C, e: objective(b, K, y, C, 0), allowed, "misses ε Σ |β|"),
            (lambda b, K, y, C, e: objective(b, K, y - e, C, 0), allowed, "without the bars is 0"),
            (lambda b, K, y, C, e: objective(b, K + np.eye(len(y)) / C, y, C, e), allowed, "still has 1/C"),
            (lambda *a: 0.0, allowed, "the Lagrangian's lowest value is"),
            (lambda b: 0.0, allowed, "objective: TypeError"),
            (objective, lambda b: True, "allowed: TypeError"),
            (objective, lambda b, C: True, "Σ β is not 0"),
            (objective, lambda b, C: False, "this β is allowed"),
            (objective, lambda b, C: abs(b.sum()) < 1e-9, "above C"),
            (objective, lambda b, C: allowed(b, 0.99 * C), "may reach C"),
            (objective, lambda b, C: allowed(b, C) and (b >= 0).all(), "this β is allowed"),
        ],
    )
    def test_a_wrong_answer_is_told_why(self, value, test, message):
        verdict = check_dual_of_linear_penalty(value, test)
        assert not verdict.passed
        assert message in verdict.message
