"""Support vector regression: the flattest tube around the data, in the space of the features or of a kernel.

The problem of epsilon-SVR is in `mlcore.svm._epsilon_svr`; here it meets scikit-learn's conventions.
"""

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from mlcore.kernels import Linear
from mlcore.svm._epsilon_svr import SVRSolution, svr_problem
from mlcore.svm._solvers import checked_price, from_solution, plane_of, report_end, solved, training_rows, values

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
    solver : {"smo", "dual", "primal"}
        "smo": the dual problem by sequential minimal optimisation, which computes and stores only the rows of the
        kernel matrix that it needs. "dual", "primal": one of the two quadratic programs; the first needs the whole
        kernel matrix, the second the linear kernel. With C = inf "smo" solves the dual program as well, since only
        there a proof comes out that no tube holds every point.
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

    def __init__(self, kernel=LINEAR, C=1.0, epsilon=0.1, loss="l1", solver="smo", tol=1e-3, max_iter=1_000_000):
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
        C = checked_price(self)
        X, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True)
        gram, points, centre = training_rows(self.kernel, X)
        problem, y = svr_problem(gram, y, C, self.epsilon, self.loss, points)
        machine, iterations = solved(problem, self.solver, self.tol, self.max_iter)
        solution = SVRSolution.of(machine, y, iterations, centre)
        report_end(
            solution,
            "The tube",
            f"C: with C = inf every point must be within epsilon = {self.epsilon} of f, but no function in the "
            "space of the kernel comes so close to all of them; a finite C allows for slack",
            self.solver,
        )
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
        return values(self._solution, self._kernel, self._support_points, X)

    b_ = from_solution("b_", "Offset.")
    alpha_ = from_solution("alpha_", "Multipliers of the upper edge of the tube, of shape (n,).")
    alpha_star_ = from_solution("alpha_star_", "Multipliers of the lower edge of the tube, of shape (n,).")
    coefficients_ = from_solution("coefficients_", "Weights β = α − α′ of the training points, of shape (n,).")
    support_ = from_solution("support_", "Positions of the support vectors among the training points.")
    slack_ = from_solution("slack_", "Distance of the training points from the tube, of shape (n,).")
    status_ = from_solution("status_", "How the solver ended.")
    certificate_ = from_solution("certificate_", "Objectives, gap and residual, recomputed from the data.")
    n_iter_ = from_solution("iterations", "Pair updates or interior-point iterations.")

    @property
    def w_(self):
        """Slopes of the plane, one number a feature."""
        return plane_of(self._fitted("w_"), self._kernel)

    def _fitted(self, name):
        check_is_fitted(self)
        return self._solution

    def __sklearn_is_fitted__(self):
        return hasattr(self, "_solution")
