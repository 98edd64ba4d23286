"""Bayesian networks: a directed graph without cycles, and for every node its probabilities given its parents.

The graph says which variables are independent, and the joint distribution is the product of the tables
(the main theorem of ES p. 131)::

    P(x₁, …, xₙ) = Π_i P(x_i | parents of x_i)

Here are the network itself and its joint distribution; questions about it are answered by `mlcore.bayes.query` and
`mlcore.bayes.d_separated`.

Sources: ES p. 121–137; Pearl, *Probabilistic Reasoning in Intelligent Systems*, 1988.
"""

from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from heapq import heappop, heappush
from math import prod

import numpy as np

from mlcore.bayes._cases import count_tables
from mlcore.bayes._factor import LARGEST_FACTOR, Factor, as_mapping, as_names, state_index
from mlcore.validation import as_array

__all__ = ["BayesNet", "Node"]

TOLERANCE = 1e-6  # by how much the probabilities of a distribution may miss 1 before they are scaled to it
FEW = 8  # nodes that a message names


@dataclass(frozen=True, eq=False)
class Node:
    """A variable of a network with its probabilities given its parents.

    Parameters
    ----------
    name : str
    states : iterable
        Its values, of any hashable type: mutually exclusive and exhaustive.
    parents : iterable of str
        Names of its direct causes; empty for a root.
    table : array_like, shape (states of the first parent, …, states of the last parent, states of the node)
        P(node | parents): the *last* axis is the node's own, so that ``table[i, j]`` is the distribution under the
        i-th state of the first parent and the j-th of the second. Each sums to 1 within 1e-6 and is scaled to
        sum to 1.

    Raises
    ------
    ValueError
        Repeated states or parents, probabilities below 0, or that do not sum to 1.

    Examples
    --------
    >>> Node("rain", ("yes", "no"), (), [0.2, 0.9])
    Traceback (most recent call last):
        ...
    ValueError: table of rain: expected probabilities that sum to 1, got the sum 1.1
    """

    name: str
    states: tuple
    parents: tuple
    table: np.ndarray

    def __post_init__(self):
        states = as_names(f"states of {self.name}", self.states)
        parents = as_names(f"parents of {self.name}", self.parents)
        if not states:
            raise ValueError(f"states of {self.name}: expected at least one, got none")
        shape = (*(f"states of {parent}" for parent in parents), len(states))
        table = as_array(f"table of {self.name}", self.table, shape)
        if (table < 0).any():
            raise ValueError(f"table of {self.name}: expected probabilities, got {table.min():g}")
        sums = table.sum(axis=-1, keepdims=True)
        wrong = np.abs(sums - 1) > TOLERANCE
        if wrong.any():
            at = np.argwhere(wrong)[0][:-1]
            where = "".join(f", {parent} in state {index}" for parent, index in zip(parents, at))
            raise ValueError(
                f"table of {self.name}: expected probabilities that sum to 1, got the sum "
                f"{float(sums[wrong][0]):.9g}{where}"
            )
        table = table / sums
        table.flags.writeable = False
        for name, part in (("states", states), ("parents", parents), ("table", table)):
            object.__setattr__(self, name, part)


class BayesNet:
    """A Bayesian network.

    Parameters
    ----------
    nodes : iterable of Node
        In any order; it is the order of `names`, and ties are broken by it.

    Raises
    ------
    ValueError
        A name occurs twice, a parent is not in the network, a table does not fit the states of the parents, or the
        arrows run in a circle (the message names one).

    Notes
    -----
    ES p. 121–134.

    Examples
    --------
    >>> net = BayesNet([Node("wet", ("yes", "no"), ("rain",), [[0.9, 0.1], [0.3, 0.7]]),
    ...                 Node("rain", ("yes", "no"), (), [0.2, 0.8])])
    >>> net.names, net.predecessor_ordering()
    (('wet', 'rain'), ('rain', 'wet'))
    >>> round(net.joint(rain="yes", wet="no"), 12)
    0.02
    """

    def __init__(self, nodes):
        nodes = tuple(nodes)
        self._nodes = dict(zip(as_names("names of the nodes", [node.name for node in nodes]), nodes))
        for node in nodes:
            self._check_family(node)
        self._children = {name: [] for name in self._nodes}
        for node in nodes:
            for parent in node.parents:
                self._children[parent].append(node.name)
        self._children = {name: tuple(children) for name, children in self._children.items()}
        self._ordering = self._find_ordering()

    @classmethod
    def from_tables(cls, tables, parents=None, states=("yes", "no")):
        """Return a network from its numbers.

        Parameters
        ----------
        tables : mapping
            Name to table, as in `Node`. For a node with two states the last axis may be left out: the numbers are
            then the probabilities of the first state (ES p. 124: the other one is 1 minus it).
        parents : mapping, optional
            Name to names of the parents; a name left out has none.
        states : tuple or mapping
            The states of all nodes, or name to states.

        Returns
        -------
        BayesNet

        Raises
        ------
        ValueError
            As for `Node` and `BayesNet`.

        Examples
        --------
        >>> net = BayesNet.from_tables({"rain": 0.2, "wet": [0.9, 0.3]}, parents={"wet": ["rain"]})
        >>> net.factor("wet").values.round(3).tolist()
        [[0.9, 0.1], [0.3, 0.7]]
        """
        tables, parents = as_mapping("tables", tables), as_mapping("parents", parents)
        unknown = [name for name in parents if name not in tables]
        if unknown:
            raise ValueError(f"parents: expected nodes that have a table, got {unknown[0]!r}")
        nodes = []
        for name, table in tables.items():
            own = as_names(f"parents of {name}", parents.get(name, ()))
            labels = _labels(name, states)
            if len(labels) == 2 and _dimensions(table) == len(own):
                first = as_array(f"table of {name}", table, tuple(f"states of {parent}" for parent in own))
                table = np.stack([first, 1 - first], axis=-1)
            nodes.append(Node(name, labels, own, table))
        return cls(nodes)

    @classmethod
    def from_cases(cls, cases, parents=None, states=None, pseudocount=0.0):
        """Return a network whose tables are counted from cases.

        P(x | parents) = (n(x, parents) + pseudocount) / Σ_x (n(x, parents) + pseudocount)

        Parameters
        ----------
        cases : mapping or pandas.DataFrame
            Name of every node to its states, one for each of n cases.
        parents : mapping, optional
            Name to names of the parents; a name left out has none.
        states : tuple or mapping, optional
            As for `from_tables`; if left out, those that occur, sorted.
        pseudocount : float
            So many imaginary cases in every cell of every table, at least 0. With 0 the tables are those under which
            the cases are most probable; with 1 nothing is impossible only because it has not been seen.

        Returns
        -------
        BayesNet

        Raises
        ------
        ValueError
            Nodes with different numbers of cases, a state that is not in `states`, states of the parents that no case
            has (without a pseudocount nothing can be said about them), and as for `Node` and `BayesNet`.

        Notes
        -----
        Maximum likelihood and Laplace's smoothing: Koller and Friedman, 2009, sections 17.2 and 17.4.

        Examples
        --------
        >>> cases = {"rain": ["yes", "yes", "no", "no"], "wet": ["yes", "no", "no", "no"]}
        >>> net = BayesNet.from_cases(cases, {"wet": ["rain"]}, states=("yes", "no"), pseudocount=1)
        >>> net.factor("wet").values.tolist()
        [[0.5, 0.5], [0.25, 0.75]]
        """
        cases, parents = as_mapping("cases", cases), as_mapping("parents", parents)
        if states is None:
            states = {name: sorted(set(np.asarray(cases[name]).tolist())) for name in cases}
        states = {name: _labels(name, states) for name in cases}
        return cls.from_tables(count_tables(cases, parents, states, pseudocount), parents, states)

    def _check_family(self, node):
        for parent in node.parents:
            if parent not in self._nodes:
                raise ValueError(f"parents of {node.name}: expected nodes of the network, got {parent!r}")
        shape = tuple(len(self._nodes[name].states) for name in (*node.parents, node.name))
        if node.table.shape != shape:
            raise ValueError(f"table of {node.name}: expected shape {shape}, got {node.table.shape}")

    def _find_ordering(self):
        """Take away a node without predecessors, again and again (the proof of ES p. 133), of several the first."""
        sorter = TopologicalSorter({name: node.parents for name, node in self._nodes.items()})
        try:
            sorter.prepare()
        except CycleError as error:
            cycle = " → ".join(map(str, error.args[1]))
            raise ValueError(f"nodes: expected arrows without a cycle, got {cycle}") from None
        names, position = self.names, {name: at for at, name in enumerate(self._nodes)}
        ordering, waiting = [], []
        while sorter.is_active():
            for name in sorter.get_ready():
                heappush(waiting, position[name])
            ordering.append(names[heappop(waiting)])
            sorter.done(ordering[-1])
        return tuple(ordering)

    def __repr__(self):
        return f"BayesNet of {len(self._nodes)} nodes: {', '.join(map(str, self.names))}"

    @property
    def names(self):
        """The names of the nodes, in the order in which they were given."""
        return tuple(self._nodes)

    def node(self, name):
        """Return the `Node` of that name."""
        return self._nodes[self.known("name", [name])[0]]

    def known(self, argument, names):
        """Return an iterable of names as a tuple (a string is one name), or say which is no node of the network."""
        names = as_names(argument, names)
        for name in names:
            if name not in self._nodes:
                few = ", ".join(map(str, self.names[:FEW])) + (", …" if len(self.names) > FEW else "")
                raise ValueError(f"{argument}: expected nodes of the network ({few}), got {name!r}")
        return names

    def states(self, name):
        """Return the states of a node, a tuple in the order of its table."""
        return self.node(name).states

    def parents(self, name):
        """Return the names of the direct predecessors of a node, in the order of its table."""
        return self.node(name).parents

    def children(self, name):
        """Return the names of the direct successors of a node, in the order of `names`."""
        self.node(name)
        return self._children[name]

    def descendants(self, name):
        """Return the names of all nodes that arrows lead to from a node, in the order of `names`."""
        return self._reached([name], self.children)

    def ancestors(self, *names):
        """Return the names of all nodes from which arrows lead to one of some nodes, in the order of `names`."""
        return self._reached(names, self.parents)

    def _reached(self, names, following):
        reached, front = set(), [new for name in names for new in following(name)]
        while front:
            front = [new for name in front if name not in reached and not reached.add(name) for new in following(name)]
        return tuple(other for other in self._nodes if other in reached)

    def predecessor_ordering(self):
        """Return all names such that each stands after its parents (ES p. 132–133); ties as in `names`."""
        return self._ordering

    def factor(self, name):
        """Return P(node | parents) as a `Factor` over the parents and the node."""
        node = self.node(name)
        scope = (*node.parents, name)
        return Factor.trusted(scope, {other: self._nodes[other].states for other in scope}, node.table)

    def joint(self, assignment=None, /, **named):
        """Return the probability of a state for every node: the product of ES p. 132.

        Parameters
        ----------
        assignment : mapping, optional
            Name to state, for names that are no identifiers.
        **named
            Name to state.

        Returns
        -------
        float

        Raises
        ------
        ValueError
            Unknown nodes or states, or nodes left without a state (`query` sums over those).
        """
        states = {**as_mapping("assignment", assignment), **named}
        at = {name: state_index(name, self.states(name), state) for name, state in states.items()}
        missing = [name for name in self._nodes if name not in at]
        if missing:
            raise ValueError(f"joint: expected a state for every node, got none for {', '.join(map(str, missing))}")
        return prod(
            float(node.table[tuple(at[n] for n in (*node.parents, node.name))]) for node in self._nodes.values()
        )

    def joint_table(self):
        """Return the joint distribution of all nodes as a `Factor`, its variables in the order of `names`.

        Raises
        ------
        ValueError
            It would have more than 2²⁵ entries.
        """
        size = prod(len(node.states) for node in self._nodes.values())
        if size > LARGEST_FACTOR:
            raise ValueError(f"joint_table: expected at most {LARGEST_FACTOR} entries, got a network with {size}")
        factors = [self.factor(name) for name in self._ordering]
        return factors[0].product(*factors[1:]).arrange(self.names) if factors else Factor((), {}, 1.0)


def _labels(name, states):
    if hasattr(states, "keys"):
        if name not in states:
            raise ValueError(f"states: expected those of every node, got none for {name!r}")
        states = states[name]
    return as_names(f"states of {name}", states)


def _dimensions(table):
    """Axes of a table; none of what is no table, for `Node` to complain about."""
    try:
        return np.ndim(table)
    except ValueError:
        return None
