"""What the chapters claim in words: each law with its condition, each number at the position that the text names."""

from math import comb, prod, sqrt

import numpy as np
import pytest
from scipy.optimize import linprog, minimize_scalar
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import log_loss
from sklearn.svm import LinearSVC

from mlcore.bayes import BayesNet, query
from mlcore.datasets import beale, circle_data, metal_and_wood, two_points
from mlcore.linear_model import posterior
from mlcore.optimize import LinearProgram, extreme_points, separating_plane, simplex
from mlcore.svm import SupportVectorClassifier


def separable(X, y):
    return separating_plane(X, y).separable


class TestLinearPrograms:
    def test_all_corners_and_yet_inseparable(self):
        cloud = np.random.default_rng(0).normal(size=(60, 10))
        assert len(extreme_points(cloud)) == 60
        rng = np.random.default_rng(1)
        halvings = [rng.permutation(np.repeat([-1.0, 1.0], 30)) for _ in range(10)]
        assert not any(separable(cloud, y) for y in halvings)

    def test_covers_count(self):
        def share(n, d):
            return 2 * sum(comb(n - 1, k) for k in range(d + 1)) / 2**n

        assert share(60, 10) == pytest.approx(1.4e-7, rel=0.05)
        assert share(22, 10) == 0.5 and share(11, 10) == 1
        points = np.random.default_rng(2).normal(size=(6, 2))  # all 64 labellings of six points in the plane
        labellings = (np.array(np.unravel_index(np.arange(64), (2,) * 6)).T * 2.0 - 1)[1:-1]
        assert 2 + sum(separable(points, y) for y in labellings) == share(6, 2) * 64 == 32

    def test_a_plane_with_room_keeps_the_samples_off_and_its_street_is_chance(self):
        X, y, _ = metal_and_wood()
        widest = 1 / np.linalg.norm(SupportVectorClassifier(C=np.inf).fit(X, y).w_)
        shares = []
        for labels in (-y, y):
            plane = separating_plane(X, labels)
            room = labels * (X @ plane.w + plane.b)
            assert room.min() > 1 - 1e-9
            shares.append(room.min() / np.linalg.norm(plane.w) / widest)
        assert shares == pytest.approx([0.73, 0.23], abs=0.005)


class TestSimplex:
    def test_a_coefficient_of_zero_may_be_a_ray_or_a_degenerate_vertex(self):
        ray = simplex(LinearProgram([1, 0], [[1, 0]], [1], maximize=True))
        assert ray.value == 1  # x2 is free to grow for ever: no second vertex
        corner = LinearProgram([1, 0], [[1, 0], [1, 1]], [1, 1], maximize=True)
        assert simplex(corner).x == pytest.approx([1, 0])
        most = linprog([0, -1], [[1, 0], [1, 1], [-1, 0]], [1, 1, -1])
        assert most.fun == 0  # among the optima x2 = 0: there is but one

    def test_the_central_path_ends_in_the_analytic_centre(self):
        # The bakery's edge of optima from (40, 70) to (100, 40): x1 + 2 x2 = 180.
        def slacks(x1):
            x2 = (180 - x1) / 2
            return [120 - x1, 70 - x2, 140 - x1 - x2, x1, x2]

        inside = minimize_scalar(lambda x1: -np.log(slacks(x1)).sum(), bounds=(41, 99), method="bounded")
        assert inside.x == pytest.approx(65, abs=0.05)

    def test_beale_with_two_rows_exchanged_does_not_cycle(self):
        program = beale()
        order = [1, 0, *range(2, len(program.b_ub))]
        exchanged = LinearProgram(program.c, program.A_ub[order], program.b_ub[order], maximize=program.maximize)
        assert len(simplex(exchanged, rule="dantzig", trace=True).steps) - 1 == 2


class TestMargins:
    def test_without_slack_another_program_than_ours(self):
        X, y = two_points()
        X = X + [3.0, 0.0]
        ours = SupportVectorClassifier(C=np.inf).fit(X, y)
        for C in (1e2, 1e4):
            theirs = LinearSVC(C=C, loss="hinge", dual=True, max_iter=10**6, tol=1e-8, random_state=0).fit(X, y)
            assert abs(theirs.intercept_ - ours.b_) > 0.1
            shorter = theirs.coef_ @ theirs.coef_.T + theirs.intercept_**2
            assert shorter < ours.w_ @ ours.w_ + ours.b_**2


class TestDuals:
    def test_a_price_list_that_charges_every_tight_row(self):
        A, b, c = np.array([[1, 1], [-1, 0], [0, 1]]), np.array([2, -1, 1]), np.array([0, 1])
        for t in (0, 0.5, 1):
            y = np.array([t, t, 1 - t])
            assert (A.T @ y >= c).all() and b @ y == 1


class TestLagrange:
    def test_where_the_mountain_is_steepest(self):
        slope = lambda c: 2 * c / 5 * np.exp(-(c**2) / 5)  # noqa: E731 (the height along the path is exp(−c²/5))
        best = minimize_scalar(lambda c: -slope(c), bounds=(0, 2), method="bounded").x
        assert (best, slope(best)) == (pytest.approx(1.58, abs=5e-3), pytest.approx(0.384, abs=5e-4))
        assert (slope(1), slope(2)) == (pytest.approx(0.327, abs=5e-4), pytest.approx(0.359, abs=5e-4))

    def test_a_stationary_point_of_an_indefinite_program_is_a_saddle(self):
        P, A = np.diag([1.0, -1.0]), np.array([[1.0, 0.0]])
        system = np.block([[P, A.T], [A, np.zeros((1, 1))]])
        x = np.linalg.solve(system, [0, 0, 1])[:2]
        assert x == pytest.approx([1, 0])
        assert all((x + [0, t]) @ P @ (x + [0, t]) < x @ P @ x for t in (-1, 0.5, 100))

    def test_without_room_to_spare_no_multiplier(self):
        # x + λ x² has its lowest value −1/(4λ): it approaches the optimum 0 and never arrives.
        lowest = [minimize_scalar(lambda x, m=m: x + m * x * x).fun for m in (1, 100, 10_000)]
        assert lowest == pytest.approx([-1 / 4, -1 / 400, -1 / 40_000])


class TestKernels:
    def test_the_lift_from_which_planes_separate(self):
        X, y = circle_data(n=120)

        def lifted(height):
            top = np.column_stack([X[:, 0] ** 2, X[:, 1] ** 2, sqrt(2) * X[:, 0] * X[:, 1]])
            return (1 - height) * np.column_stack([X, np.zeros(len(X))]) + height * top

        assert [separable(lifted(height), y) for height in (0.9, 0.92, 0.94, 1.0)] == [False, False, True, True]

    def test_features_of_the_polynomial_kernel(self):
        points = np.random.default_rng(0).normal(size=(20, 2))
        ranks = [np.linalg.matrix_rank((points @ points.T + c) ** 2) for c in (0, 1)]
        assert ranks == [comb(3, 2), comb(4, 2)] == [3, 6]

    def test_inner_products_do_not_hang_on_how_functions_are_written(self):
        # With k(x, z) = xz the functions 2k(·, 1) and k(·, 2) are the same.
        k = np.multiply.outer
        d, z = np.array([1.0, -3.0]), np.array([0.5, 4.0])
        one, other = 2 * k([1.0], z)[0] @ d, 1 * k([2.0], z)[0] @ d
        assert one == other


class TestBayes:
    def test_flat_in_q_is_not_flat_in_its_square(self):
        q = np.linspace(0, 1, 100_001)
        assert (q**2 < 0.25).mean() == pytest.approx(0.5, abs=1e-4)


class TestBayesianRegression:
    @pytest.mark.parametrize(("seen", "waist"), [(0, 0.0), (1, 1.6), (2, 2.03)])
    def test_the_prior_pulls_the_waist_of_the_band(self, seen, waist):
        from mlcore.datasets import ten_observations
        from mlcore.pictures.bayesian_regression import design

        seen_at, values = ten_observations()
        S = np.eye(2)
        if seen:
            X = design(seen_at[:seen])
            S = posterior(X, values[:seen], np.eye(2), noise=1.0).covariance
        t = np.linspace(-1, 7, 8001)
        variance = np.einsum("ij,jk,ik->i", design(t), S, design(t))
        assert t[variance.argmin()] == pytest.approx(waist, abs=0.01)


class TestGaussianProcesses:
    def test_from_the_smallest_width_only_the_near_valley_is_found(self):
        from mlcore.pictures.gaussian_processes import two_explanations

        picture = two_explanations()
        width, noise = picture.controls
        for value in noise.values:
            assert "width 0.60" in picture.describe(**{width.name: width.values[0], noise.name: value})
        noisy = [value for value in noise.values if value > 0.4]
        ends = [picture.describe(**{width.name: w, noise.name: s}) for w in width.values[1:] for s in noisy]
        assert sum("width 1.60" in text for text in ends) > 0.75 * len(ends)


class TestBayesianNetworks:
    @pytest.mark.parametrize(
        ("table", "heard", "both"),
        [
            ([[0.01, 0.01], [0.01, 0.99]], 0.545, 0.917),  # allies
            ([[0.02, 0.1], [0.1, 0.5]], None, None),  # a product of a factor for each cause: still independent
        ],
    )
    def test_an_observed_effect_need_not_make_rivals(self, table, heard, both):
        table = np.array(table)
        tables = {"A": [0.9, 0.1], "B": [0.9, 0.1], "C": np.stack([1 - table, table], axis=-1)}
        net = BayesNet.from_tables(tables, {"A": (), "B": (), "C": ("A", "B")}, dict.fromkeys("ABC", (0, 1)))
        once = query(net, "A", {"C": 1}).factor.value(A=1)
        twice = query(net, "A", {"C": 1, "B": 1}).factor.value(A=1)
        if heard is None:
            assert once == pytest.approx(twice, abs=1e-12)
        else:
            assert (once, twice) == (pytest.approx(heard, abs=5e-4), pytest.approx(both, abs=5e-4))

    def test_any_tables_make_a_joint_distribution_that_keeps_the_promises(self):
        rng = np.random.default_rng(0)
        a, b, c = rng.dirichlet([1, 1]), rng.dirichlet([1, 1], size=2), rng.dirichlet([1, 1], size=2)
        joint = np.einsum("i,ij,jk->ijk", a, b, c)  # A → B → C
        assert joint.sum() == pytest.approx(1)
        given_both = joint / joint.sum(axis=2, keepdims=True)
        assert given_both[0] == pytest.approx(given_both[1]) and given_both[0] == pytest.approx(c)

    def test_more_honest_is_not_honest(self):
        data = load_breast_cancer(as_frame=True)
        features = ["mean radius", "mean perimeter", "mean area", "mean texture"]
        cuts = data.data[features][::2].quantile([1 / 3, 2 / 3])
        cases = np.column_stack([data.target, *(np.digitize(data.data[n], cuts[n]) for n in features)])
        train, fresh = cases[::2], cases[1::2]

        def table(column, parents):
            counts = np.ones([2 if p == 0 else 3 for p in (*parents, column)])
            np.add.at(counts, tuple(train[:, [*parents, column]].T), 1)
            return counts / counts.sum(axis=-1, keepdims=True)

        def predicted(parents):
            tables = {column: table(column, above) for column, above in parents.items()}
            scores = np.empty((len(fresh), 2))
            for benign in (0, 1):
                known = fresh.copy()
                known[:, 0] = benign
                factors = [tables[c][tuple(known[:, [*above, c]].T)] for c, above in parents.items()]
                scores[:, benign] = prod(factors)
            return scores / scores.sum(axis=1, keepdims=True)

        naive = {0: ()} | dict.fromkeys((1, 2, 3, 4), (0,))
        losses = [log_loss(fresh[:, 0], predicted(p)) for p in (naive, {0: (), 1: (0,), 4: (0,)}, {0: ()})]
        assert losses == pytest.approx([0.828, 0.378, 0.669], abs=1e-3)
        arrows = predicted(naive | {2: (0, 1), 3: (0, 1)})
        assert arrows.max(axis=1).mean() == pytest.approx(0.918, abs=1e-3)
        assert (arrows.argmax(axis=1) == fresh[:, 0]).mean() == pytest.approx(0.859, abs=1e-3)
        assert log_loss(fresh[:, 0], arrows) == pytest.approx(0.412, abs=1e-3)
