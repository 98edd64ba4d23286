import numpy as np
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler
from sklearn.svm import SVR

from mlcore.exercises.regression import check_dual_of_linear_penalty, check_quadratic_curve, check_theta_program
from mlcore.svm import solve_svr_dual


def program(x, y, C, epsilon, kernel=None, cost=2.0, total=1.0, rows=slice(None)):
    m, eye, zero = len(x), np.eye(len(x)), np.zeros((len(x), len(x)))
    P = np.block([[np.outer(x, x) if kernel is None else kernel, zero], [zero, zero]])
    q = np.concatenate([epsilon - y, cost * epsilon * np.ones(m)])
    G = np.block([[-eye, -eye], [eye, eye], [zero, -eye], [zero, eye]])
    h = np.concatenate([np.zeros(m), C * np.ones(m), np.zeros(m), C * np.ones(m)])
    A = np.concatenate([np.ones(m), np.zeros(m)])[None, :]
    keep = np.arange(4 * m).reshape(4, m)[rows].ravel()
    return P, q, G[keep], h[keep], total * A, np.zeros(1)


def changed(place, change):
    def answer(*given):
        parts = list(program(*given))
        parts[place] = change(parts[place])
        return parts

    return answer


def curve(x, y, C, epsilon, power=2, offset=1.0, shift=0.0):
    found = solve_svr_dual((np.outer(x, x) + offset) ** power, y, C, epsilon)
    return lambda z: (np.outer(z, x) + offset) ** power @ found.coefficients + found.b + shift


def by_estimator(x, y, C, epsilon, fitted=True):
    machine = SVR(kernel="poly", degree=2, gamma=1, coef0=1, C=C, epsilon=epsilon, tol=1e-9)
    return machine.fit(x[:, None], y) if fitted else machine


def by_its_coefficients(*given):
    grid = np.array([-1.0, 0.0, 1.0])
    return np.poly1d(np.polyfit(grid, curve(*given)(grid), 2))


def objective(beta, K, y, C, epsilon):
    return y @ beta - epsilon * np.abs(beta).sum() - beta @ K @ beta / 2


def split(beta, K, y, C, epsilon):
    up, down = np.maximum(beta, 0), np.maximum(-beta, 0)
    return np.float64(y @ (up - down) - epsilon * (up + down).sum() - beta @ K @ beta / 2)


def allowed(beta, C):
    return abs(beta.sum()) < 1e-9 and np.abs(beta).max() <= C * (1 + 1e-9)


TABLE = {
    check_theta_program: dict(
        right=[
            (program,),
            (lambda *a: program(*a, rows=[3, 1, 0, 2], total=-2.0),),
            (lambda *a: [part.tolist() for part in program(*a)],),
            (changed(0, lambda P: P + np.triu(np.ones(P.shape), 1) - np.tri(len(P), k=-1)),),
            (changed(5, lambda b: b[:, None]),),
            (lambda x, y, C, e: program(x, y, C, e, cost=2.0, rows=[0, 1, 2, 3, 3]),),
        ],
        wrong=[
            (3, "theta_program: expected a function of x, y, C and epsilon"),
            (lambda *a: None, "theta_program still returns None"),
            (lambda *a: program(*a)[:2], "expected 6 results, got 2"),
            (lambda *a: dict(zip("PqGhAb", program(*a))), "theta_program should return P, q, G, h, A, b, got {"),
            (changed(4, lambda A: None), "A is still None"),
            (changed(0, lambda P: -P), "P: expected a matrix without negative eigenvalues"),
            (changed(0, lambda P: P * np.nan), "P[0, 0] is NaN"),
            (changed(0, lambda P: P[:4, :4]), "P: expected numbers in an array of shape (8, 8)"),
            (changed(3, lambda h: h[1:]), "h: expected 16 numbers, got 15 numbers"),
            (changed(2, lambda G: -G), "α must stay between 0 and C"),
            (changed(3, lambda h: h - 9), "Which bound on θ is missing or turned?"),
            (lambda *a: program(*a, cost=1.0), "the slope Σ θᵢxᵢ is"),
            (lambda *a: program(*a, kernel=np.zeros((len(a[0]),) * 2)), "the slope Σ θᵢxᵢ is"),
            (lambda *a: program(*a, rows=[1, 2, 3]), "α must stay between 0 and C"),
            (lambda *a: program(*a, rows=[0, 1, 3]), "α′ must stay between 0 and C"),
            (lambda *a: program(*a, total=0.0), "sum to 0"),
            (lambda x, y, C, e: 1 / 0, "theta_program stopped in line"),
        ],
    ),
    check_quadratic_curve: dict(
        right=[
            (curve,),
            (by_estimator,),
            (by_its_coefficients,),
            (lambda *a: lambda z: curve(*a)(z)[:, None],),
            (lambda *a: lambda z: curve(*a)(z).tolist(),),
        ],
        wrong=[
            ("parabola", "fit_curve: expected a function of x, y, C and epsilon"),
            (lambda *a: None, "fit_curve still returns None"),
            (lambda *a: 3, "The function that fit_curve returns: expected a function of an array of inputs"),
            (lambda *a: lambda z: z[:2], "f(grid): expected 7 numbers, got 2 numbers"),
            (lambda *a: lambda z: z * np.nan, "f(grid)[0] is NaN"),
            (lambda *a: curve(*a, power=3), "no parabola"),
            (lambda *a: curve(*a, power=1), "A parabola, but"),
            (lambda *a: curve(*a, offset=0.0), "A parabola, but"),
            (lambda *a: curve(*a, shift=0.5), "Is the offset b that of this problem?"),
            (lambda x, y, C, e: curve(x, y, 10 * C, e), "A parabola, but"),
            (lambda *a: by_estimator(*a, fitted=False), "the estimator is not fitted. Call its fit first"),
            (
                lambda x, y, C, e: make_pipeline(
                    StandardScaler(), PolynomialFeatures(2), SVR(kernel="linear", C=C, epsilon=e)
                ).fit(x[:, None], y),
                "A parabola, but",
            ),
            (lambda x, y, C, e: np.poly1d(np.polyfit(x, y, 2)), "A parabola, but (square, linear) of it[1]"),
        ],
    ),
    check_dual_of_linear_penalty: dict(
        right=[
            (objective, allowed),
            (split, allowed),
            (lambda *a: np.array(objective(*a)), lambda b, C: np.bool_(allowed(b, C))),
            (lambda *a: float(objective(*a)), lambda b, C: np.array(allowed(b, C))),
            (objective, lambda b, C: bool(np.isclose(b.sum(), 0) and (b <= C + 1e-9).all() and (b >= -C - 1e-9).all())),
        ],
        wrong=[
            (lambda *a: -objective(*a), allowed, "has the sign turned"),
            (lambda b, K, y, C, e: objective(b, 2 * K, y, C, e), allowed, "misses the factor ½"),
            (lambda b, K, y, C, e: objective(b, K, y, C, 0), allowed, "misses ε Σ |β|"),
            (lambda b, K, y, C, e: objective(b, K, y - e, C, 0), allowed, "without the bars is 0"),
            (lambda b, K, y, C, e: objective(b, K + np.eye(len(y)) / C, y, C, e), allowed, "still has 1/C"),
            (lambda *a: 0.0, allowed, "the Lagrangian's lowest value is"),
            (lambda *a: np.nan, allowed, "objective is NaN"),
            (lambda b, *a: b, allowed, "objective: expected one number, got 6 numbers"),
            (lambda b: 0.0, allowed, "objective cannot be called with beta, K, y, C and epsilon: TypeError"),
            (objective, lambda b: True, "allowed cannot be called with beta and C: TypeError"),
            (objective, lambda b, C: True, "Σ β is not 0"),
            (objective, lambda b, C: False, "this β is allowed"),
            (objective, lambda b, C: abs(b.sum()) < 1e-9, "above C"),
            (objective, lambda b, C: abs(b.sum()) < 1e-9 and b.min() >= -C * (1 + 1e-9), "above C"),
            (objective, lambda b, C: abs(b.sum()) < 1e-9 and b.max() <= C * (1 + 1e-9), "above C"),
            (objective, lambda b, C: allowed(b, 0.99 * C), "may reach C"),
            (objective, lambda b, C: allowed(b, C) and (b >= 0).all(), "this β is allowed"),
            (objective, lambda b, C: "yes", "allowed: expected True or False, got 'yes'"),
            (objective, lambda b, C: np.abs(b) <= C, "allowed: expected True or False"),
        ],
    ),
}
