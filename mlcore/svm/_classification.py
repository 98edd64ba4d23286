"""Support vector classification: the plane with the widest margin, in the space of the features or of a kernel.

The margin problem is in `mlcore.svm._margin`; here it meets data with names, several classes and scikit-learn's
conventions.
"""

from itertools import combinations

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from mlcore.kernels import Linear
from mlcore.svm._dual import DualProblem
from mlcore.svm._margin import MarginSolution
from mlcore.svm._solvers import checked_price, from_solution, plane_of, report_end, solved, training_rows, values

__all__ = ["SupportVectorClassifier"]

LINEAR = Linear()


class SupportVectorClassifier(ClassifierMixin, BaseEstimator):
    """Support vector machine with the decision function f(x) = Σ αᵢyᵢ k(xᵢ, x) + b.

    The second class, in sorted order, is the positive one. More than two classes are told apart by one machine
    for each pair, whose votes are added up.

    Parameters
    ----------
    kernel : mlcore.kernels.Kernel
    C : float
        Price of a unit of slack, above 0. Infinity demands a hard margin, with every point on its side.
    solver : {"smo", "dual", "primal"}
        "smo": the dual problem by sequential minimal optimisation, which computes and stores only the rows of the
        kernel matrix that it needs. "dual", "primal": one of the two quadratic programs; the first needs the whole
        kernel matrix, the second the linear kernel. With C = inf "smo" solves the dual program as well, since only
        there a proof comes out that no plane separates the classes.
    tol : float
        For "smo": gap between the optimality conditions, in the unit of the margin, at which it stops. What it found
        is then refined to full accuracy (residuals near 1e-15, for less than a finer tolerance would cost), unless
        there are more than 1000 multipliers strictly between the bounds: then residual and relative gap are at most
        `tol`. So they are where the refinement fails and further steps, up to `max_iter`, do not help.
    max_iter : int
        For "smo": largest number of pair updates. With large C, data that overlap and features that are not scaled a
        million may be too few, and "dual" is faster.
    allow_indefinite : bool
        For "smo": whether to accept a kernel matrix with negative eigenvalues, such as that of
        `mlcore.kernels.Sigmoid`. The machine is then a stationary point with the status "not converged": no
        certificate can prove it optimal, and no space of features lies behind it.

    Attributes
    ----------
    classes_ : numpy.ndarray of shape (n_classes,)
    n_features_in_ : int
    feature_names_in_ : numpy.ndarray of str
        If the training data came with names.
    machines_ : tuple of SupportVectorClassifier
        With three or more classes, one two-class machine for each pair of classes, in the order (0, 1), (0, 2),
        …, (1, 2), …; each has the attributes below, for the training points of its two classes. Empty with two
        classes, where the classifier itself has them.
    w_ : numpy.ndarray of shape (n_features_in_,)
        Normal vector Σ αᵢyᵢxᵢ of the plane; linear kernel only.
    b_ : float
        Offset of the plane.
    alpha_ : numpy.ndarray of shape (n,)
        Multipliers of all training points.
    support_ : numpy.ndarray of int
        Positions of the support vectors, αᵢ > 0, among the training points.
    slack_ : numpy.ndarray of shape (n,)
        ξᵢ = max(0, 1 − yᵢf(xᵢ)).
    margin_width_ : float
        2/‖w‖, the width of the street between f = −1 and f = 1, in the space of the features or of the kernel.
    n_iter_ : int or numpy.ndarray of int
        Pair updates, or interior-point iterations; with three or more classes one number a machine.
    status_ : mlcore.optimize.Status
    certificate_ : mlcore.optimize.Certificate
        Objectives of the primal and the dual problem, their gap, and the largest scaled violation of the
        Karush-Kuhn-Tucker conditions, recomputed from the data.

    Raises
    ------
    ValueError
        On fitting: an invalid parameter, invalid data, or a single class.
    mlcore.errors.InfeasibleProblem
        On fitting: C is infinite and the classes cannot be separated; `certificate.ray` holds the proof.
    mlcore.errors.NotAKernel
        On fitting: the kernel matrix has a negative eigenvalue, and `allow_indefinite` is not set. With "smo" and
        more than 500 points, only the support vectors, or 500 of them, are looked at for that.

    Notes
    -----
    ES ch. 3, 4, 6 and 7; HJ; MW ch. 8; SN. A fit that misses the optimum warns with scikit-learn's
    ConvergenceWarning, and `certificate_` keeps the gap.

    Examples
    --------
    >>> from mlcore.datasets import four_points
    >>> X, y = four_points()
    >>> machine = SupportVectorClassifier(C=np.inf).fit(X, y)
    >>> machine.w_.round(6).tolist(), round(machine.margin_width_, 6)
    ([-1.0, 1.0], 1.414214)
    """

    def __init__(self, kernel=LINEAR, C=1.0, solver="smo", tol=1e-3, max_iter=1_000_000, allow_indefinite=False):
        self.kernel = kernel
        self.C = C
        self.solver = solver
        self.tol = tol
        self.max_iter = max_iter
        self.allow_indefinite = allow_indefinite

    def fit(self, X, y):
        """Find the widest margin.

        Parameters
        ----------
        X : array_like of shape (n, d)
        y : array_like of shape (n,)
            Labels of two or more classes, of any one type.

        Returns
        -------
        SupportVectorClassifier
            The classifier itself.
        """
        vars(self).pop("_solution", None)  # a fit that fails leaves no machine, not even an older one
        C = checked_price(self)
        X, y = validate_data(self, X, y, dtype=np.float64)
        classes, codes = _classes(y)
        solution, machines = None, ()
        if len(classes) == 2:
            solution = self._solved(X, np.where(codes == 1, 1.0, -1.0), C, classes)
        else:
            pairs = [np.isin(codes, pair) for pair in combinations(range(len(classes)), 2)]
            machines = tuple(clone(self).fit(X[rows], y[rows]) for rows in pairs)
        self.classes_, self.machines_ = classes, machines
        self._solution, self._kernel = solution, self.kernel
        self._support_points = None if solution is None else X[solution.support]
        return self

    def decision_function(self, X):
        """Return how firmly each sample is placed.

        Parameters
        ----------
        X : array_like of shape (m, d)

        Returns
        -------
        numpy.ndarray of shape (m,) or (m, n_classes)
            Two classes: f(x), positive for the second class. More: for each class the number of its machines'
            votes, plus, to break ties, the sum of its confidences squeezed into (−⅓, ⅓).
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        if self.machines_:
            return _votes([machine.decision_function(X) for machine in self.machines_], len(self.classes_))
        return values(self._solution, self._kernel, self._support_points, X)

    def predict(self, X):
        """Return the class on whose side each sample lies.

        Parameters
        ----------
        X : array_like of shape (m, d)

        Returns
        -------
        numpy.ndarray of shape (m,)
            Entries of `classes_`: the second class where `decision_function` is above 0, or, with more than two
            classes, the class whose column is largest.
        """
        decision = self.decision_function(X)
        return self.classes_[decision.argmax(axis=1) if decision.ndim == 2 else (decision > 0).astype(int)]

    b_ = from_solution("b_", "Offset of the plane.")
    alpha_ = from_solution("alpha_", "Multipliers of the training points, of shape (n,).")
    support_ = from_solution("support_", "Positions of the support vectors among the training points.")
    slack_ = from_solution("slack_", "Slack of the training points, of shape (n,).")
    status_ = from_solution("status_", "How the solver ended.")
    certificate_ = from_solution("certificate_", "Objectives, gap and residual, recomputed from the data.")

    @property
    def w_(self):
        """Normal vector of the plane, one number a feature."""
        return plane_of(self._fitted("w_"), self._kernel)

    @property
    def margin_width_(self):
        """Width 2/‖w‖ of the street; infinite if w = 0."""
        norm = self._fitted("margin_width_").norm
        return 2 / norm if norm else np.inf

    @property
    def n_iter_(self):
        """Pair updates or interior-point iterations, of each machine if there are several."""
        check_is_fitted(self)
        if self.machines_:
            return np.array([machine.n_iter_ for machine in self.machines_])
        return self._solution.iterations

    def _fitted(self, name):
        check_is_fitted(self)
        if self.machines_:
            raise AttributeError(f"{name}: {len(self.classes_)} classes have a machine a pair; see machines_[k].{name}")
        return self._solution

    def __sklearn_is_fitted__(self):
        return hasattr(self, "_solution")

    def _solved(self, X, y, C, classes):
        gram, points, centre = training_rows(self.kernel, X)
        problem = DualProblem.of_labels(gram, y, C, points)
        machine, iterations = solved(
            problem, self.solver, self.tol, self.max_iter, allow_indefinite=self.allow_indefinite
        )
        solution = MarginSolution.of(machine, y, iterations, centre)
        first, second = (str(label) for label in classes)
        report_end(
            solution,
            f"The margin between {first} and {second}",
            f"C: a hard margin (C = inf) needs separable classes, but the convex hulls of {first} and {second} "
            "share a point in the space of the kernel; a finite C allows for slack",
            self.solver,
            accepted=self.allow_indefinite and solution.certificate.residual <= self.tol,  # a stationary point
        )
        return solution


def _classes(y):
    """Return the classes in sorted order, and the number of the class of each label."""
    try:
        check_classification_targets(y)
        classes, codes = np.unique(y, return_inverse=True)
    except TypeError as error:
        kinds = sorted({type(label).__name__ for label in y})
        raise ValueError(f"y: expected labels of one type that can be sorted, got {' and '.join(kinds)}") from error
    if len(classes) < 2:
        raise ValueError(f"y: expected labels of at least two classes, got one class, {classes[0]}")
    return classes, codes


def _votes(decisions, n_classes):
    """One column a class: votes won, and the sum of confidences, squeezed below a third of a vote, for ties."""
    votes = np.zeros((len(decisions[0]), n_classes))
    confidence = np.zeros_like(votes)
    for (first, second), decision in zip(combinations(range(n_classes), 2), decisions):
        votes[:, first] += decision <= 0
        votes[:, second] += decision > 0
        confidence[:, first] -= decision
        confidence[:, second] += decision
    return votes + confidence / (3 * (np.abs(confidence) + 1))
