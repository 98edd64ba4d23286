"""Joint, marginal and conditional probabilities of two discrete variables, and Bayes' rule.

The joint table p(x, y) is a matrix: a row for every value of x, a column for every value of y. The sum rule adds
along an axis, the product rule p(x, y) = p(x | y) p(y) divides by what was added, and Bayes' rule puts both together.
"""

from dataclasses import dataclass

import numpy as np

from mlcore.errors import ZeroProbabilityEvidence
from mlcore.validation import as_array

__all__ = ["JointTable", "Posterior", "bayes_rule", "joint_table", "three_boxes"]

_ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class JointTable:
    """The joint distribution of two discrete variables.

    Attributes
    ----------
    probabilities : numpy.ndarray of shape (r, c)
        p(x, y), not negative, with the sum 1.
    rows, columns : tuple of str
        Names of the r values of x and of the c values of y.
    """

    probabilities: np.ndarray
    rows: tuple
    columns: tuple

    @property
    def row_marginal(self):
        """The sum rule p(x) = Σ_y p(x, y); shape (r,)."""
        return self.probabilities.sum(axis=1)

    @property
    def column_marginal(self):
        """The sum rule p(y) = Σ_x p(x, y); shape (c,)."""
        return self.probabilities.sum(axis=0)

    def given_row(self, name):
        """Return p(y | x = `name`), shape (c,).

        Raises
        ------
        ValueError
            When no row has this name.
        ZeroProbabilityEvidence
            When the row has probability 0: then nothing is defined.
        """
        return _conditional(self.probabilities[_place("row", self.rows, name)], name)

    def given_column(self, name):
        """Return p(x | y = `name`), shape (r,); the errors are those of `given_row`."""
        return _conditional(self.probabilities[:, _place("column", self.columns, name)], name)


def _place(axis, names, name):
    if name not in names:
        raise ValueError(f"{axis}: expected one of {', '.join(names)}, got {name!r}")
    return names.index(name)


def _conditional(slice_of_joint, name):
    total = slice_of_joint.sum()
    if total == 0:
        raise ZeroProbabilityEvidence(f"{name}: expected a condition of probability above 0, got 0")
    return slice_of_joint / total


def joint_table(counts, rows=None, columns=None):
    """Return the joint distribution p(x, y) = n_xy / N of counted pairs (ES p. 101).

    Parameters
    ----------
    counts : array_like or pandas.DataFrame of shape (r, c)
        How often every pair occurs, not negative; a table from `pandas.crosstab` brings its names along.
        Probabilities are welcome too: they are divided by their sum.
    rows, columns : sequence of str, optional
        Names of the values of x and of y; by default those of the DataFrame, or x₁, x₂, … and y₁, y₂, …

    Returns
    -------
    JointTable

    Raises
    ------
    ValueError
        Counts that are negative, not finite or all 0, or names that do not fit.

    Examples
    --------
    >>> table = joint_table(*three_boxes())
    >>> table.given_row("cube").round(3)
    array([0.2, 0.6, 0.2])
    """
    numbers = as_array("counts", counts, ("r", "c"))
    if (numbers < 0).any():
        raise ValueError(f"counts: expected none below 0, got {numbers.min():g}")
    total = numbers.sum()
    if not 0 < total < np.inf:
        raise ValueError(f"counts: expected a finite sum above 0, got {total:g}")
    named = hasattr(counts, "columns")
    rows = _names("rows", rows, counts.index if named else None, "x", len(numbers))
    columns = _names("columns", columns, counts.columns if named else None, "y", numbers.shape[1])
    return JointTable(numbers / total, rows, columns)


def _names(argument, given, from_table, letter, length):
    names = given if given is not None else from_table
    if names is None:
        digits = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
        return tuple(f"{letter}{str(k + 1).translate(digits)}" for k in range(length))
    names = tuple(str(name) for name in names)
    if len(names) != length or len(set(names)) != length:
        raise ValueError(f"{argument}: expected {length} different names, got {names}")
    return names


@dataclass(frozen=True, eq=False)
class Posterior:
    """What Bayes' rule makes of a prior, with every piece of the formula.

    Attributes
    ----------
    prior : numpy.ndarray of shape (k,)
        p(x), with the sum 1.
    likelihood : numpy.ndarray of shape (k,)
        p(y | x) of what was observed; its sum over x may be anything.
    evidence : float
        p(y) = Σ_x p(y | x) p(x), the marginal likelihood.
    probabilities : numpy.ndarray of shape (k,)
        p(x | y) = p(y | x) p(x) / p(y), with the sum 1.
    """

    prior: np.ndarray
    likelihood: np.ndarray
    evidence: float
    probabilities: np.ndarray


def bayes_rule(prior, likelihood):
    """Return the posterior p(x | y) = p(y | x) p(x) / p(y) over k hypotheses (ES eq. 30).

    Parameters
    ----------
    prior : array_like of shape (k,)
        p(x), not negative, with the sum 1.
    likelihood : array_like of shape (k,)
        p(y | x) of what was observed, not negative. Only ratios matter for the posterior, so it may be a density or
        carry a common factor.

    Returns
    -------
    Posterior

    Raises
    ------
    ValueError
        A prior that is no distribution, or a likelihood of another length, negative or not finite.
    ZeroProbabilityEvidence
        When what was observed has probability 0 under every hypothesis that the prior allows.

    Examples
    --------
    >>> bayes_rule([0.01, 0.99], [0.9, 0.05]).probabilities.round(4)
    array([0.1538, 0.8462])
    """
    prior = as_array("prior", prior, ("k",))
    likelihood = as_array("likelihood", likelihood, prior.shape)
    if (prior < 0).any() or abs(prior.sum() - 1) > _ROUNDING:
        raise ValueError(f"prior: expected probabilities with the sum 1, got {prior} with the sum {prior.sum():g}")
    if (likelihood < 0).any():
        raise ValueError(f"likelihood: expected none below 0, got {likelihood.min():g}")
    # Scaling first keeps the posterior where the evidence itself would underflow.
    largest = likelihood[prior > 0].max()
    if largest == 0:
        raise ZeroProbabilityEvidence("likelihood: expected an observation of probability above 0, got 0 everywhere")
    product = prior * (likelihood / largest)
    scaled_evidence = product.sum()
    return Posterior(prior, likelihood, float(scaled_evidence * largest), product / scaled_evidence)


def three_boxes():
    """Return the three boxes of ES p. 101: how many cubes and balls are in each.

    Returns
    -------
    counts : numpy.ndarray of shape (2, 3)
        A row for cubes, one for balls; a column for every box.
    objects, boxes : tuple of str
        Names of the rows and of the columns.

    Examples
    --------
    >>> counts, objects, boxes = three_boxes()
    >>> int(counts.sum()), objects, boxes
    (12, ('cube', 'ball'), ('solid', 'dashed', 'dotted'))
    """
    return np.array([[1, 3, 1], [1, 2, 4]]), ("cube", "ball"), ("solid", "dashed", "dotted")
