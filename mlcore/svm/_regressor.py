"""Support vector regression: the flattest tube around the data, in the space of the features or of a kernel.

The quadratic programs are in `tube_problems`, sequential minimal optimisation in `tube_smo`; here they meet
scikit-learn's conventions.
"""

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from mlcore.kernels import Linear
from mlcore.svm._gram_rows import GramRows
from mlcore.svm._kernel_machine import check_machine, kernel_sum, plane_of, report_end, solved_by_kernel
from mlcore.svm._svr_problems import LOSSES, solve_tube_dual, solve_tube_primal
from mlcore.svm._svr_smo import solve_tube_smo
from mlcore.validation import as_nonnegative

__all__ = ["SupportVectorRegressor"]

LINEAR = Linear()


class SupportVectorRegressor(RegressorMixin, BaseEstimator):
    """Support vector regression with f(x) = Σ βᵢ k(xᵢ, x) + b, βᵢ = αᵢ − αᵢ′.

    Errors up to ε cost nothing. A point on the edge of the tube f ± ε or outside is a support vector; the others
    could be left out without changing f.

    Parameters
    ----------
    kernel : mlcore.kernels.Kernel
    C : float
        Price of a unit of slack, or of half its square, above 0. Infinity demands a tube that holds every point.
    epsilon : float
        Half the height of the tube, at least 0, in the unit of y.
    loss : {"l1", "l2"}
        Penalty C Σ ξᵢ, which bounds the multipliers by C, or ½ C Σ ξᵢ², which adds 1/C to the diagonal of the kernel
        matrix.
    solver : {"dual", "primal", "smo"}
        "dual", "primal": one of the two quadratic programs; the first needs the whole kernel matrix, the second the
        linear kernel. "smo": the dual problem by sequential minimal optimisation, which computes and stores only the
        rows of the kernel matrix that it needs; for some hundred points and more it is faster, but with C ≥ 1e4 it
        may not get to the optimum. With C = inf it solves the dual program as well, since only there a proof comes
        out that no tube holds every point.
    tol : float
        For "smo": gap between the optimality conditions, relative to half the range of y, at which it stops. What it
        found is then refined to full accuracy, unless there are more than 1000 multipliers strictly between the
        bounds: then residual and relative gap are at most `tol`. So they are where the refinement fails and further
        steps, up to `max_iter`, do not help.
    max_iter : int
        For "smo": largest number of pair updates. With large C and features that are not scaled a million may be
        too few, and "dual" is faster.

    Attributes
    ----------
    n_features_in_ : int
    feature_names_in_ : numpy.ndarray of str
        If the training data came with names.
    w_ : numpy.ndarray of shape (n_features_in_,)
        Slopes Σ βᵢxᵢ; linear kernel only.
    b_ : float
        Offset.
    alpha_, alpha_star_ : numpy.ndarray of shape (n,)
        Multipliers α of the upper and α′ of the lower edge of the tube, for all training points.
    coefficients_ : numpy.ndarray of shape (n,)
        βᵢ = αᵢ − αᵢ′.
    n_iter_ : int
        Pair updates, or interior-point iterations.
    support_ : numpy.ndarray of int
        Positions of the support vectors, βᵢ ≠ 0, among the training points.
    slack_ : numpy.ndarray of shape (n,)
        max(0, |yᵢ − f(xᵢ)| − ε).
    status_ : mlcore.optimize.Status
    certificate_ : mlcore.optimize.Certificate
        Objectives of the primal and the dual problem, their gap, and the largest scaled violation of the
        Karush-Kuhn-Tucker conditions, recomputed from the data.

    Raises
    ------
    ValueError
        On fitting: an invalid parameter or invalid data.
    mlcore.errors.InfeasibleProblem
        On fitting: C is infinite and no tube of this height holds all points; `certificate.ray` holds the proof.
    mlcore.errors.NotAKernel
        On fitting: the kernel matrix has a negative eigenvalue.

    Notes
    -----
    ES ch. 8; MW ch. 9. A fit that misses the optimum warns with scikit-learn's ConvergenceWarning.

    Examples
    --------
    >>> machine = SupportVectorRegressor(C=10, epsilon=0.5).fit([[0], [1], [2]], [0, 1, 2])
    >>> machine.w_.round(6).tolist(), round(machine.b_, 6), machine.support_.tolist()
    ([0.5], 0.5, [0, 2])
    """

    def __init__(self, kernel=LINEAR, C=1.0, epsilon=0.1, loss="l1", solver="dual", tol=1e-3, max_iter=1_000_000):
        self.kernel = kernel
        self.C = C
        self.epsilon = epsilon
        self.loss = loss
        self.solver = solver
        self.tol = tol
        self.max_iter = max_iter

    def fit(self, X, y):
        """Find the flattest tube.

        Parameters
        ----------
        X : array_like of shape (n, d)
        y : array_like of shape (n,)
            Targets.

        Returns
        -------
        SupportVectorRegressor
            The regressor itself.
        """
        vars(self).pop("_solution", None)  # a fit that fails leaves no machine, not even an older one
        self._check_parameters()
        X, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True)
        solution = self._solved(X, y.astype(np.float64))
        self._report(solution)
        self._solution, self._kernel = solution, self.kernel
        self._support_points = X[solution.support]
        return self

    def predict(self, X):
        """Return f(x) for every sample.

        Parameters
        ----------
        X : array_like of shape (m, d)

        Returns
        -------
        numpy.ndarray of shape (m,)
            In the unit of y.
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return kernel_sum(self._solution, self._kernel, self._support_points, X)

    @property
    def w_(self):
        """Slopes of the plane, one number a feature."""
        return plane_of(self._fitted_solution(), self._kernel)

    @property
    def b_(self):
        """Offset."""
        return self._fitted_solution().b

    @property
    def alpha_(self):
        """Multipliers of the upper edge of the tube, of shape (n,)."""
        return self._fitted_solution().alpha

    @property
    def alpha_star_(self):
        """Multipliers of the lower edge of the tube, of shape (n,)."""
        return self._fitted_solution().alpha_star

    @property
    def coefficients_(self):
        """Weights β = α − α′ of the training points, of shape (n,)."""
        return self._fitted_solution().coefficients

    @property
    def support_(self):
        """Positions of the support vectors among the training points."""
        return self._fitted_solution().support

    @property
    def slack_(self):
        """Distance of the training points from the tube, of shape (n,)."""
        return self._fitted_solution().slack

    @property
    def n_iter_(self):
        """Pair updates or interior-point iterations."""
        return self._fitted_solution().iterations

    @property
    def status_(self):
        """How the solver ended."""
        return self._fitted_solution().status

    @property
    def certificate_(self):
        """Objectives, gap and residual, recomputed from the data."""
        return self._fitted_solution().certificate

    def _fitted_solution(self):
        check_is_fitted(self)
        return self._solution

    def __sklearn_is_fitted__(self):
        return hasattr(self, "_solution")

    def _check_parameters(self):
        check_machine(self)
        if self.loss not in LOSSES:
            raise ValueError(f"loss: expected one of {LOSSES}, got {self.loss!r}")
        as_nonnegative("epsilon", self.epsilon)

    def _solved(self, X, y):
        if self.solver == "primal":
            return solve_tube_primal(X, y, self.C, self.epsilon, self.loss)
        return solved_by_kernel(lambda points: self._solved_dual(points, y), self.kernel, X)

    def _solved_dual(self, X, y):
        if self.solver == "dual" or np.isinf(self.C):
            return solve_tube_dual(self.kernel(X), y, self.C, self.epsilon, self.loss)
        gram = GramRows(self.kernel, X)
        return solve_tube_smo(gram, y, self.C, self.epsilon, self.loss, tol=self.tol, max_iter=self.max_iter)

    def _report(self, solution):
        report_end(
            solution,
            "The tube",
            f"C: with C = inf every point must be within epsilon = {self.epsilon} of f, but no function in the "
            "space of the kernel comes so close to all of them; a finite C allows for slack",
            self.solver,
        )
