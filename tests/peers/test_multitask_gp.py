"""Our multi-task processes against scikit-learn, where a kernel of one's own stands for the tasks."""

import numpy as np
import pytest
from sklearn.gaussian_process import GaussianProcessRegressor as PeerRegressor
from sklearn.gaussian_process.kernels import RBF, DotProduct, Kernel

from mlcore.gaussian_process import MultiTaskGP, multitask_log_marginal_likelihood
from mlcore.kernels import Gaussian


class OnColumns(Kernel):
    """A kernel of scikit-learn that looks at some columns only."""

    def __init__(self, kernel, columns):
        self.kernel = kernel
        self.columns = columns

    def __call__(self, X, Y=None, eval_gradient=False):
        return self.kernel(X[:, self.columns], None if Y is None else Y[:, self.columns])

    def diag(self, X):
        return self.kernel.diag(X[:, self.columns])

    def is_stationary(self):
        return False


@pytest.mark.parametrize("s", [2, 3])
@pytest.mark.parametrize("seed", range(3))
def test_same_as_a_product_kernel_on_times_and_rows_of_the_factor(s, seed):
    """K_c[a, b] = ⟨row a of L, row b of L⟩: a linear kernel, if every observation carries the row of its task."""
    rng = np.random.default_rng(seed)
    lower = np.tril(rng.normal(size=(s, s)), -1) + np.diag(rng.uniform(0.3, 1.5, s))
    noise = rng.uniform(0.05, 0.5, s)
    times, tasks, y = rng.uniform(0, 5, 25), np.append(np.arange(s), rng.integers(0, s, 25 - s)), rng.normal(size=25)
    new_times, new_tasks = rng.uniform(0, 7, 10), rng.integers(0, s, 10)

    def rows(times, tasks):
        return np.column_stack([times, lower[tasks]])

    process = MultiTaskGP(Gaussian(0.9), noise, lower @ lower.T, optimize=False).fit(times, tasks, y)
    kernel = OnColumns(RBF(0.9), slice(0, 1)) * OnColumns(DotProduct(sigma_0=0.0), slice(1, None))
    peer = PeerRegressor(kernel, alpha=noise[tasks], optimizer=None).fit(rows(times, tasks), y)
    for with_what in ("return_std", "return_cov"):
        ours = process.predict(new_times, new_tasks, **{with_what: True})
        theirs = peer.predict(rows(new_times, new_tasks), **{with_what: True})
        np.testing.assert_allclose(ours[0], theirs[0], atol=1e-8)
        np.testing.assert_allclose(ours[1], theirs[1], atol=1e-8)
    value = multitask_log_marginal_likelihood(Gaussian(0.9), lower @ lower.T, noise, times, tasks, y).value
    assert value == pytest.approx(peer.log_marginal_likelihood_value_, abs=1e-8)
