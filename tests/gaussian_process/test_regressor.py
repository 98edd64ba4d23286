"""The Gaussian process regressor: learning, prediction and scikit-learn's conventions."""

import pickle
import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from mlcore.errors import NotAKernel
from mlcore.gaussian_process import (
    GaussianProcessRegressor,
    gp_posterior,
    log_marginal_likelihood,
    posterior_samples,
    prior_samples,
)
from mlcore.kernels import Constant, Gaussian, Linear, Periodic, QuasiPeriodic, Sigmoid


def data(n=30, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.uniform(0, 10, size=(n, 1))
    return X, np.sin(X[:, 0]) + 0.2 * rng.normal(size=n), np.linspace(-1, 12, 25)[:, None]


@parametrize_with_checks([GaussianProcessRegressor(), GaussianProcessRegressor(restarts=1, scale_output=True)])
def test_scikit_learn_conventions(estimator, check):
    check(estimator)


@pytest.mark.parametrize("kernel", [Gaussian(0.8), 2.0 * QuasiPeriodic(1.0, 6.0, 20.0), Linear() + 1.0], ids=str)
@pytest.mark.parametrize("noise", [0.01, 0.5])
def test_given_parameters_give_the_plain_functions(kernel, noise):
    X, y, X_new = data()
    process = GaussianProcessRegressor(kernel, noise, optimize=False).fit(X, y)
    expected = gp_posterior(kernel, noise, X, y, X_new)
    mean, std = process.predict(X_new, return_std=True)
    np.testing.assert_allclose(mean, expected.mean, atol=1e-10)
    np.testing.assert_allclose(std, expected.std, atol=1e-10)
    np.testing.assert_allclose(process.predict(X_new, return_cov=True)[1], expected.covariance, atol=1e-10)
    noisy = process.predict(X_new, return_std=True, with_noise=True)[1]
    np.testing.assert_allclose(noisy, expected.std_with_noise, atol=1e-10)
    assert process.log_marginal_likelihood_ == pytest.approx(log_marginal_likelihood(kernel, noise, X, y).value)
    assert (process.kernel_, process.noise_, process.optimizer_results_) == (kernel, noise, ())
    assert process.n_iter_ == 0
    drawn = process.sample(X_new, 2, random_state=1)
    np.testing.assert_allclose(drawn, posterior_samples(kernel, noise, X, y, X_new, 2, random_state=1), atol=1e-6)


@pytest.mark.parametrize("scale_output", [False, True])
@pytest.mark.parametrize("with_noise", [False, True])
def test_standard_deviation_is_the_root_of_the_diagonal_of_the_covariance(scale_output, with_noise):
    X, y, X_new = data()
    process = GaussianProcessRegressor(scale_output=scale_output, optimize=False).fit(X, 100 + 40 * y)
    mean, std = process.predict(X_new, return_std=True, with_noise=with_noise)
    same_mean, covariance = process.predict(X_new, return_cov=True, with_noise=with_noise)
    assert np.array_equal(mean, same_mean)
    assert np.array_equal(mean, process.predict(X_new))
    np.testing.assert_allclose(std, np.sqrt(np.diag(covariance)), rtol=1e-10)


def test_scaling_of_the_output_is_undone_everywhere():
    X, y, X_new = data()
    size, shift = 250.0, 1e4
    one = GaussianProcessRegressor(scale_output=True).fit(X, y)
    other = GaussianProcessRegressor(scale_output=True).fit(X, shift + size * y)
    for with_noise in (False, True):
        mean, std = one.predict(X_new, return_std=True, with_noise=with_noise)
        other_mean, other_std = other.predict(X_new, return_std=True, with_noise=with_noise)
        np.testing.assert_allclose(other_mean, shift + size * mean, rtol=1e-6)
        np.testing.assert_allclose(other_std, size * std, rtol=1e-4)
        covariance, other_covariance = (
            process.predict(X_new, return_cov=True, with_noise=with_noise)[1] for process in (one, other)
        )
        np.testing.assert_allclose(other_covariance, size**2 * covariance, rtol=1e-3, atol=1e-5 * size**2)
    assert other.log_marginal_likelihood_ == pytest.approx(one.log_marginal_likelihood_ - len(y) * np.log(size))
    np.testing.assert_allclose(
        other.sample(X_new, 2, random_state=0), shift + size * one.sample(X_new, 2, random_state=0), rtol=1e-4
    )


def test_scaling_is_a_change_of_units_of_the_process():
    X, y, X_new = data()
    scaled = GaussianProcessRegressor(Gaussian(1.0), 0.1, optimize=False, scale_output=True).fit(X, y)
    size = y.std()
    plain = GaussianProcessRegressor(size**2 * Gaussian(1.0), 0.1 * size**2, optimize=False).fit(X, y - y.mean())
    for with_noise in (False, True):
        mean, covariance = scaled.predict(X_new, return_cov=True, with_noise=with_noise)
        plain_mean, plain_covariance = plain.predict(X_new, return_cov=True, with_noise=with_noise)
        np.testing.assert_allclose(mean, plain_mean + y.mean(), atol=1e-12)
        np.testing.assert_allclose(covariance, plain_covariance, atol=1e-12)
    assert scaled.log_marginal_likelihood_ == pytest.approx(plain.log_marginal_likelihood_)


def test_equal_targets_can_be_scaled():
    process = GaussianProcessRegressor(scale_output=True, optimize=False).fit([[0.0], [1.0]], [5.0, 5.0])
    np.testing.assert_allclose(process.predict([[0.5], [9.0]]), 5)


@pytest.mark.parametrize("level", [0.1, 7.0, -1e300, 1e-300, 5e-324])
@pytest.mark.parametrize("n", [1, 3, 1000])
def test_equal_targets_say_the_same_whatever_their_level(level, n):
    X = np.linspace(0, 2, n)[:, None]
    process, at_zero = (
        GaussianProcessRegressor(Gaussian(1.0), 0.1, optimize=False, scale_output=True).fit(X, np.full(n, value))
        for value in (level, 0.0)
    )
    assert process.log_marginal_likelihood_ == at_zero.log_marginal_likelihood_
    mean, std = process.predict([[0.5], [9.0]], return_std=True)
    assert (mean == level).all()
    assert np.array_equal(std, at_zero.predict([[0.5], [9.0]], return_std=True)[1])


def test_constant_targets_of_the_book():
    """y = 7 at three points: computed from the formulas alone."""
    K = Gaussian(1.0)([[0.0], [1.0], [2.0]]) + 0.1 * np.eye(3)
    value = -np.linalg.slogdet(K)[1] / 2 - 1.5 * np.log(2 * np.pi)
    for level in (7.0, 0.1):
        process = GaussianProcessRegressor(Gaussian(1.0), 0.1, optimize=False, scale_output=True)
        assert process.fit([[0], [1], [2]], [level] * 3).log_marginal_likelihood_ == pytest.approx(value)


@pytest.mark.parametrize("size", [1e300, 1e160, 1e-160, 1e-300])
def test_targets_of_any_size_are_scaled_or_refused(size):
    X, y, X_new = data(10)
    one, sized = (
        GaussianProcessRegressor(optimize=False, scale_output=True).fit(X, factor * y) for factor in (1.0, size)
    )
    mean, std = one.predict(X_new, return_std=True)
    sized_mean, sized_std = sized.predict(X_new, return_std=True)
    np.testing.assert_allclose(sized_mean / size, mean, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(sized_std / size, std, rtol=1e-9)
    np.testing.assert_allclose(sized.sample(X_new, 2, 0) / size, one.sample(X_new, 2, 0), rtol=1e-6, atol=1e-9)
    assert sized.log_marginal_likelihood_ == pytest.approx(one.log_marginal_likelihood_ - 10 * np.log(size))
    if size > 1:
        with pytest.raises(ValueError, match="y: expected values whose squares are finite"):
            sized.predict(X_new, return_cov=True)
        for optimize in (False, True):
            with pytest.raises(ValueError, match="y: expected values whose squares are finite"):
                GaussianProcessRegressor(optimize=optimize).fit(X, size * y)
        with pytest.raises(ValueError, match="y: expected values whose squares are finite"):
            log_marginal_likelihood(Gaussian(1.0), 0.1, X, size * y)


@pytest.mark.parametrize("generator", [np.random.default_rng, np.random.RandomState, int])
def test_every_kind_of_seed_is_taken_wherever_something_is_drawn(generator):
    X, y, X_new = data(8)
    first, second = (
        GaussianProcessRegressor(restarts=1, random_state=generator(3)).fit(X, y).optimizer_results_ for _ in range(2)
    )
    assert first[1].start == second[1].start != first[0].start
    for draw in (
        lambda seed: prior_samples(Gaussian(1.0), X, 2, random_state=seed),
        lambda seed: posterior_samples(Gaussian(1.0), 0.1, X, y, X_new, 2, random_state=seed),
        lambda seed: GaussianProcessRegressor(optimize=False).fit(X, y).sample(X_new, 2, random_state=seed),
    ):
        assert np.array_equal(draw(generator(3)), draw(generator(3)))
        with pytest.raises(ValueError, match="random_state: expected a seed, a generator of NumPy or None, got 'one'"):
            draw("one")


def test_learning_finds_a_stationary_point_of_the_likelihood_that_is_no_worse_than_the_start():
    X, y, _ = data()
    kernel = 1.0 * Gaussian(3.0)
    process = GaussianProcessRegressor(kernel, 1.0, restarts=3, random_state=0).fit(X, y)
    at_end = log_marginal_likelihood(process.kernel_, process.noise_, X, y, gradient=True)
    assert process.log_marginal_likelihood_ == pytest.approx(at_end.value)
    for name, slope in at_end.gradient.items():  # with respect to the logarithm
        value = process.noise_ if name == "noise" else process.kernel_.parameters[name]
        assert slope * value == pytest.approx(0, abs=1e-2)
    assert at_end.value > log_marginal_likelihood(kernel, 1.0, X, y).value + 10
    assert process.noise_ == pytest.approx(0.04, rel=0.5)  # the data were made with 0.2²
    assert len(process.optimizer_results_) == 4
    first = process.optimizer_results_[0]
    assert first.start == pytest.approx({"left.value": 1.0, "right.width": 3.0, "noise": 1.0})
    best = max(process.optimizer_results_, key=lambda run: run.log_marginal_likelihood)
    assert best.parameters == process.kernel_.parameters | {"noise": process.noise_}
    assert best.log_marginal_likelihood == pytest.approx(at_end.value)
    assert best.success
    assert best.status == 0
    assert "CONVERGENCE" in best.message
    assert 0 < best.iterations <= best.evaluations
    assert best.slope < 1e-2
    assert best.at_bound == ()
    assert process.n_iter_ == best.iterations


def test_restarts_are_deterministic_under_a_seed_and_can_only_help():
    X, y, _ = data(15, seed=3)
    poor_start = 1.0 * Periodic(1.0, 0.7)
    alone, seeded, again, other = (
        GaussianProcessRegressor(poor_start, 0.1, restarts=restarts, random_state=seed).fit(X, y)
        for restarts, seed in ((0, 0), (4, 0), (4, 0), (4, 1))
    )
    seeded_runs, again_runs, (alone_run,), other_runs = (
        [vars(run) for run in process.optimizer_results_] for process in (seeded, again, alone, other)
    )
    assert seeded_runs == again_runs
    assert seeded.kernel_ == again.kernel_
    assert seeded_runs[0] == alone_run
    assert seeded_runs[1:] != other_runs[1:]
    assert seeded.log_marginal_likelihood_ >= alone.log_marginal_likelihood_
    assert max(run.log_marginal_likelihood for run in seeded.optimizer_results_) == pytest.approx(
        seeded.log_marginal_likelihood_
    )


def test_named_parameters_alone_are_learned():
    X, y, _ = data()
    kernel = 0.7 * Gaussian(1.3)
    process = GaussianProcessRegressor(kernel, 0.3, optimize=["right.width"]).fit(X, y)
    assert process.noise_ == 0.3
    assert process.kernel_.parameters["left.value"] == 0.7
    assert process.kernel_.parameters["right.width"] != 1.3
    assert GaussianProcessRegressor(kernel, 0.3, optimize="noise").fit(X, y).kernel_ == kernel
    assert GaussianProcessRegressor(kernel, 0.3, optimize=[]).fit(X, y).optimizer_results_ == ()


def test_what_is_zero_stays_zero():
    X, y, _ = data(12)
    process = GaussianProcessRegressor(Gaussian(0.8) + Constant(0.0), 0.0).fit(X, y)
    assert process.noise_ == 0
    assert process.kernel_.parameters["right.value"] == 0
    assert process.kernel_.parameters["left.width"] != 0.8
    np.testing.assert_allclose(process.predict(X), y, atol=1e-4)


def test_bounds_hold_and_are_reported():
    X, y, _ = data()
    process = GaussianProcessRegressor(bounds={"noise": (0.09, 1.0), "right.width": (0.2, 0.5)}, noise=0.2)
    process.set_params(kernel=1.0 * Gaussian(0.3)).fit(X, y)
    assert process.noise_ == pytest.approx(0.09)
    assert process.kernel_.parameters["right.width"] == pytest.approx(0.5)
    assert process.optimizer_results_[0].at_bound == ("right.width", "noise")
    assert process.optimizer_results_[0].slope < 1e-2


def test_optimiser_that_is_stopped_warns_and_says_so():
    X, y, _ = data()
    with pytest.warns(ConvergenceWarning, match="not at its maximum.*1 iterations"):
        process = GaussianProcessRegressor(1.0 * Gaussian(5.0), 5.0, max_iter=1).fit(X, y)
    run = process.optimizer_results_[0]
    assert not run.success
    assert run.status == 1
    assert run.iterations == 1


def test_jitter_is_reported():
    X, y, _ = data(5)
    twice = GaussianProcessRegressor(Gaussian(1.0), 0.0, optimize=False).fit(np.tile(X, (2, 1)), np.tile(y, 2))
    assert twice.jitter_ == pytest.approx(1e-12)
    np.testing.assert_allclose(twice.predict(X), y, atol=1e-6)
    assert GaussianProcessRegressor(Gaussian(1.0), 0.1, optimize=False).fit(X, y).jitter_ == 0


def test_likelihood_chooses_the_better_kernel():
    X, y, X_new = data(40)
    wave = GaussianProcessRegressor(1.0 * Periodic(1.0, 6.0), 0.1).fit(X, y)
    line = GaussianProcessRegressor(1.0 * Linear() + 1.0, 0.1).fit(X, y)
    assert wave.log_marginal_likelihood_ > line.log_marginal_likelihood_ + 10
    assert wave.kernel_.parameters["right.period"] == pytest.approx(2 * np.pi, rel=0.02)
    np.testing.assert_allclose(wave.predict(X_new + 2 * np.pi), np.sin(X_new[:, 0]), atol=0.4)


def test_several_features():
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, size=(60, 3))
    y = X[:, 0] - 2 * X[:, 1] * X[:, 2] + 0.05 * rng.normal(size=60)
    assert GaussianProcessRegressor(random_state=0, noise=0.01).fit(X[:45], y[:45]).score(X[45:], y[45:]) > 0.95


def test_works_with_the_rest_of_scikit_learn():
    X, y, _ = data()
    pipeline = make_pipeline(StandardScaler(), GaussianProcessRegressor(optimize=False))
    grid = {"gaussianprocessregressor__kernel": [Gaussian(0.01), Gaussian(0.5)]}
    search = GridSearchCV(pipeline, grid, cv=3).fit(X, y)
    assert search.best_params_["gaussianprocessregressor__kernel"] == Gaussian(0.5)


def test_fitting_twice_copying_and_failing():
    X, y, X_new = data()
    process = GaussianProcessRegressor(restarts=1, random_state=0)
    once = process.fit(X, y).predict(X_new)
    assert np.array_equal(process.fit(X, y).predict(X_new), once)
    assert np.array_equal(pickle.loads(pickle.dumps(process)).predict(X_new), once)
    assert np.array_equal(clone(process).fit(X, y).predict(X_new), once)
    with pytest.raises(ValueError, match="noise"):
        process.set_params(noise=-1.0).fit(X, y)
    with pytest.raises(NotFittedError):
        process.predict(X_new)


def test_training_data_are_copied():
    X, y, X_new = data()
    process = GaussianProcessRegressor(optimize=False).fit(X, y)
    before = process.predict(X_new, return_std=True)
    X[:], y[:] = 0, 0
    assert np.array_equal(process.predict(X_new, return_std=True), before)


def test_new_points_far_away_or_many_do_not_warn():
    X, y, _ = data()
    process = GaussianProcessRegressor(optimize=False).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        mean, std = process.predict([[1e300], [-1e300]], return_std=True)
    np.testing.assert_allclose(mean, 0)
    np.testing.assert_allclose(std, 1)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"kernel": "rbf"}, "kernel: expected a kernel"),
        ({"noise": -0.1}, "noise: expected a finite number of at least 0"),
        ({"restarts": -1}, "restarts: expected a whole number"),
        ({"max_iter": 0}, "max_iter: expected a whole number"),
        ({"optimize": ["width"]}, r"optimize: expected names among .*, got \['width'\]"),
        ({"optimize": ["noise"], "noise": 0.0}, "optimize: expected parameters above 0"),
        ({"optimize": 3}, "optimize: expected True, False or names"),
        ({"bounds": (1.0, 0.1)}, "bounds: expected the lower one first"),
        ({"bounds": (0.0, 1.0)}, "bounds: expected two numbers above 0"),
        ({"bounds": 3}, "bounds: expected two numbers above 0"),
        ({"bounds": {"width": (0.1, 1.0)}}, "bounds: expected names among"),
        ({"noise": 1e-9}, "bounds: expected those of 'noise' to hold its start 1e-09"),
        ({"random_state": "one", "restarts": 1}, "random_state: expected a seed, a generator of NumPy or None"),
    ],
)
def test_bad_parameters(parameters, message):
    X, y, _ = data(5)
    with pytest.raises(ValueError, match=message):
        GaussianProcessRegressor(**parameters).fit(X, y)


def test_bad_calls():
    X, y, X_new = data(5)
    process = GaussianProcessRegressor(optimize=False)
    with pytest.raises(NotFittedError):
        process.predict(X_new)
    process.fit(X, y)
    with pytest.raises(ValueError, match="at most one of return_std and return_cov"):
        process.predict(X_new, return_std=True, return_cov=True)
    with pytest.raises(NotAKernel):
        GaussianProcessRegressor(Sigmoid(1.0, -3.0), 1e-3, optimize=False).fit(X, y)


def test_sampling_from_the_fitted_process_with_noise():
    X, y, _ = data()
    process = GaussianProcessRegressor(Gaussian(1.0), 0.5, optimize=False).fit(X, y)
    drawn = process.sample([[2.0], [2.1]], 20_000, random_state=0, with_noise=True)
    expected = process.predict([[2.0], [2.1]], return_cov=True, with_noise=True)[1]
    np.testing.assert_allclose(np.cov(drawn.T), expected, atol=0.03)


def test_prior_samples_are_offered_here_too():
    assert prior_samples(Gaussian(1.0), [[0.0]], 3, random_state=0).shape == (3, 1)
