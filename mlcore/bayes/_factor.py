"""Factors: tables of nonnegative numbers over named variables, the material of inference in Bayesian networks.

A conditional probability table is a factor, and so is every table that arises on the way to an answer::

    (f · g)(x, y, z)   = f(x, y) g(y, z)              product: variables meet by name, never by position
    (Σ_y f)(x)         = Σ_y f(x, y)                  summing a variable out
    f(x, y = e)                                       reducing to evidence
    f(x) / Σ_x f(x)                                   normalising

Sources: ES p. 124–135; Koller and Friedman, *Probabilistic Graphical Models*, 2009, sections 4.2 and 9.3.
"""

from dataclasses import dataclass
from math import prod

import numpy as np

from mlcore.validation import as_array

__all__ = ["LARGEST_FACTOR", "Factor", "as_mapping", "as_names", "state_index"]

LARGEST_FACTOR = 2**25  # entries that a product may have: 256 MB
MOST_AXES = 64  # NumPy's own limit


@dataclass(frozen=True, eq=False)
class Factor:
    """A nonnegative number for every combination of the states of some variables.

    Parameters
    ----------
    variables : iterable of str
        One name per axis of `values`.
    states : mapping or sequence
        The states of every variable: a mapping from name to states (others may be in it), or a sequence of
        states in the order of `variables`.
    values : array_like, shape (number of states of each variable)
        Nonnegative and finite; kept as a copy that cannot be written to.

    Attributes
    ----------
    variables : tuple of str
    states : dict
        Name to tuple of states, in the order of `variables`.
    values : numpy.ndarray

    Raises
    ------
    ValueError
        Repeated variables or states, a shape that does not fit, negative or infinite values.

    Notes
    -----
    ES p. 124. States may be of any hashable type; they are compared by ``==``.

    Examples
    --------
    >>> rain = Factor(["rain"], [("yes", "no")], [0.2, 0.8])
    >>> wet = Factor(["rain", "wet"], [("yes", "no"), ("yes", "no")], [[0.9, 0.1], [0.3, 0.7]])
    >>> joint = rain.product(wet)
    >>> round(joint.sum_out("rain").value(wet="yes"), 12)
    0.42
    >>> joint.reduce({"wet": "yes"}).normalise().values.round(4).tolist()
    [0.4286, 0.5714]
    """

    variables: tuple
    states: dict
    values: np.ndarray

    def __post_init__(self):
        variables = as_names("variables", self.variables)
        states = _as_states(variables, self.states)
        values = as_array("values", self.values, tuple(len(states[name]) for name in variables))
        if (values < 0).any():
            raise ValueError(f"values: expected numbers of at least 0, got {values.min():g}")
        self._fill(variables, states, values)

    @classmethod
    def trusted(cls, variables, states, values):
        """Return a factor of parts that are known to fit: a tuple, a dict that may hold more, and an array."""
        factor = object.__new__(cls)
        factor._fill(variables, {name: states[name] for name in variables}, values)
        return factor

    def _fill(self, variables, states, values):
        values = np.asarray(values)
        values.flags.writeable = False
        for name, part in (("variables", variables), ("states", states), ("values", values)):
            object.__setattr__(self, name, part)

    @property
    def size(self):
        """Number of entries."""
        return self.values.size

    def product(self, *others):
        """Return the product with other factors: their variables follow those of this one.

        Parameters
        ----------
        *others : Factor

        Returns
        -------
        Factor

        Raises
        ------
        ValueError
            A variable that two factors share has other states, or the same ones in another order; or
            the product would have more than 2²⁵ entries.
        """
        states = dict(self.states)
        for other in others:
            for name, theirs in other.states.items():
                if states.setdefault(name, theirs) != theirs:
                    raise ValueError(f"product: expected {name!r} with the states {states[name]}, got {theirs}")
        scope = tuple(states)
        size = prod(len(states[name]) for name in scope)
        if size > LARGEST_FACTOR or len(scope) > MOST_AXES:
            raise ValueError(
                f"product: expected at most {LARGEST_FACTOR} entries and {MOST_AXES} variables, got {size:.3g} entries "
                f"over {len(scope)} variables"
            )
        values = np.ones(())
        for factor in (self, *others):
            values = values * factor._along(scope)
        return Factor.trusted(scope, states, values)

    def __mul__(self, other):
        return self.product(other) if isinstance(other, Factor) else NotImplemented

    def _along(self, scope):
        """The values with one axis for every variable of `scope`, of length 1 where this factor has none."""
        own = [name for name in scope if name in self.states]
        values = self.values.transpose([self.variables.index(name) for name in own])
        return values.reshape([len(self.states[name]) if name in self.states else 1 for name in scope])

    def sum_out(self, *names):
        """Return the sum over all states of the variables `names`.

        Raises
        ------
        ValueError
            A name that is no variable of this factor.
        """
        gone = self._known("sum_out", names)
        axes = tuple(self.variables.index(name) for name in gone)
        kept = tuple(name for name in self.variables if name not in gone)
        return Factor.trusted(kept, self.states, self.values.sum(axis=axes))

    def reduce(self, evidence):
        """Return the part in which the variables of `evidence` have the states given there; they are gone from it.

        Parameters
        ----------
        evidence : mapping
            Name to state. Names that are no variables of this factor are passed over.

        Raises
        ------
        ValueError
            A state that the variable has not.
        """
        evidence = as_mapping("evidence", evidence)
        at = tuple(
            state_index(name, self.states[name], evidence[name]) if name in evidence else slice(None)
            for name in self.variables
        )
        kept = tuple(name for name in self.variables if name not in evidence)
        return Factor.trusted(kept, self.states, self.values[at])

    def arrange(self, variables):
        """Return the same factor with its variables in another order.

        Raises
        ------
        ValueError
            `variables` are not those of this factor.
        """
        names = as_names("variables", variables)
        if set(names) != set(self.variables):
            raise ValueError(f"variables: expected an order of {self.variables}, got {names}")
        return Factor.trusted(names, self.states, self._along(names))

    def normalise(self):
        """Return the factor divided by its sum.

        Raises
        ------
        ValueError
            The sum is 0.
        """
        largest = self.values.max(initial=0.0)
        if largest == 0:
            raise ValueError("normalise: expected a factor with a value above 0, all are 0")
        scaled = self.values / largest  # so that the sum of tiny values keeps its digits
        return Factor.trusted(self.variables, self.states, scaled / scaled.sum())

    def value(self, assignment=None, /, **named):
        """Return the number at one combination of states.

        Parameters
        ----------
        assignment : mapping, optional
            Name to state, for names that are no identifiers.
        **named
            Name to state. Every variable of the factor needs one, here or there.

        Returns
        -------
        float

        Raises
        ------
        ValueError
            Unknown variables or states, or variables left without one.
        """
        states = {**as_mapping("assignment", assignment), **named}
        self._known("value", states)
        missing = [name for name in self.variables if name not in states]
        if missing:
            raise ValueError(f"value: expected a state for every variable, got none for {', '.join(map(str, missing))}")
        return float(self.reduce(states).values)

    def _known(self, method, names):
        for name in names:
            if name not in self.states:
                raise ValueError(f"{method}: expected variables among {self.variables}, got {name!r}")
        return tuple(names)


def as_mapping(argument, value):
    """Return a mapping as it is and None as an empty one.

    Raises
    ------
    ValueError
        Anything else, such as a list of words, which `dict` may take for pairs of letters.
    """
    if value is None:
        return {}
    if not hasattr(value, "keys"):
        raise ValueError(f"{argument}: expected a mapping from names, got {value!r}")
    return value


def as_names(argument, names):
    """Return an iterable of different names as a tuple; a single string is one name.

    Raises
    ------
    ValueError
        A name occurs twice, or `names` cannot be iterated.

    Examples
    --------
    >>> as_names("variables", "rain"), as_names("variables", ["rain", "wet"])
    (('rain',), ('rain', 'wet'))
    """
    try:
        several = (names,) if isinstance(names, str) else tuple(names)
        different = len(set(several)) == len(several)
    except TypeError as error:
        raise ValueError(f"{argument}: expected names, got {names!r}") from error
    if not different:
        raise ValueError(f"{argument}: expected each name once, got {several}")
    return several


def state_index(name, states, state):
    """Return the position of `state` among the states of the variable `name`, or say what is wrong with it.

    Raises
    ------
    ValueError
        The variable has no such state.

    Examples
    --------
    >>> state_index("rain", ("yes", "no"), "maybe")
    Traceback (most recent call last):
        ...
    ValueError: rain: expected one of the states ('yes', 'no'), got 'maybe'
    """
    try:
        return states.index(state)
    except ValueError:
        raise ValueError(f"{name}: expected one of the states {states}, got {state!r}") from None


def _as_states(variables, states):
    if hasattr(states, "keys"):
        missing = [name for name in variables if name not in states]
        if missing:
            raise ValueError(f"states: expected those of every variable, got none for {missing[0]!r}")
        states = [states[name] for name in variables]
    elif len(states) != len(variables):
        raise ValueError(f"states: expected those of {len(variables)} variables, got those of {len(states)}")
    result = {}
    for name, own in zip(variables, states):
        result[name] = as_names(f"states of {name}", own)
        if not result[name]:
            raise ValueError(f"states of {name}: expected at least one, got none")
    return result
