"""Inference in Bayesian networks: P(query variables | evidence), by elimination and by enumeration.

Enumeration sums the joint distribution over every combination of states of the hidden variables (ES p. 135): a
number of terms that is exponential in the number of nodes. Elimination moves each sum inside as far as it goes::

    Σ_h f₁(a, h) f₂(h, b) f₃(b, c)  =  f₃(b, c) · Σ_h f₁(a, h) f₂(h, b)

so that the cost is set by the largest product that arises on the way, and that by the order of elimination.
`mlcore.bayes` says which sums are formed; here they are carried out, in logarithms when a product of
probabilities could leave the range of floating-point numbers.

Sources: ES p. 134–137; Zhang and Poole, 1994; Koller and Friedman, *Probabilistic Graphical Models*, 2009, chapter 9.
"""

from dataclasses import dataclass
from math import exp, inf, log, prod

import numpy as np

from mlcore.bayes._elimination_plan import layout_of, plan_query
from mlcore.bayes._factor import Factor, as_mapping, as_names, state_index
from mlcore.errors import ZeroProbabilityEvidence

__all__ = ["EliminationStep", "QueryResult", "query"]

METHODS = ("elimination", "enumeration")
MOST_OPERANDS = 30  # of Einstein's summation in NumPy
ALL = slice(None)
IMPOSSIBLE = "evidence: expected states that can occur together, got a combination of probability 0"


@dataclass(frozen=True, eq=False)
class EliminationStep:
    """One variable is summed out.

    Attributes
    ----------
    variable : str
    factors : tuple of tuple of str
        The scopes of the factors with this variable: they are multiplied.
    product_scope : tuple of str
    product_size : int
        Number of entries of their product.
    result : Factor
        The product with the variable summed out (entries below 1e-308 are 0 in it).
    remaining : tuple of tuple of str
        The scopes of all factors after the step, the new one last.
    operations : int
        Multiplications in this step.
    """

    variable: str
    factors: tuple
    product_scope: tuple
    product_size: int
    result: Factor
    remaining: tuple
    operations: int

    @property
    def result_scope(self):
        """The variables of the new factor."""
        return self.result.variables


@dataclass(frozen=True, eq=False)
class QueryResult:
    """The answer to a query.

    Attributes
    ----------
    factor : Factor
        P(variables | evidence), which sums to 1; its axes are the variables as they were asked for.
    probability : float
        P(evidence); 1 without evidence, 0 only when too small for a float.
    log_probability : float
        Its natural logarithm.
    order : tuple of str
        The variables that were summed out, in this order.
    trace : tuple of EliminationStep
        One for each of `order`, when asked for; enumeration has no steps.
    operations : int
        Multiplications of table entries.
    """

    factor: Factor
    probability: float
    log_probability: float
    order: tuple
    trace: tuple
    operations: int


def query(net, variables, evidence=None, order="min_fill", method="elimination", trace=False):
    """Return P(variables | evidence) and P(evidence).

    Parameters
    ----------
    net : mlcore.bayes.BayesNet
    variables : iterable of str
        Whose joint distribution is asked for; a single string is one name.
    evidence : mapping, optional
        Name of a node to its observed state.
    order : {"min_fill", "min_degree"} or iterable of str
        A rule of `mlcore.bayes`, or the names of the nodes to sum out (those that turn out not to matter
        are passed over).
    method : {"elimination", "enumeration"}
        Enumeration multiplies one entry of *every* table for every combination of states of all nodes without
        evidence, and has no use for an order.
    trace : bool
        Whether to keep the steps of the elimination.

    Returns
    -------
    QueryResult

    Raises
    ------
    mlcore.errors.ZeroProbabilityEvidence
        The evidence has probability 0.
    ValueError
        Unknown nodes or states, a node both asked for and observed, an order that leaves out a node, or a product
        of more than 2²⁵ entries.

    Notes
    -----
    ES p. 134–137.

    Examples
    --------
    >>> from mlcore.datasets import parkinson
    >>> result = query(parkinson(), "parkinson", {"tremor": "yes"})
    >>> round(result.factor.value(parkinson="yes"), 6), round(result.probability, 6)
    (0.01336, 0.2021)
    """
    names = net.known("variables", variables)
    observed = _observed(net, names, evidence)
    if method not in METHODS:
        raise ValueError(f"method: expected 'elimination' or 'enumeration', got {method!r}")
    order = order if isinstance(order, str) else as_names("order", order)
    layout = layout_of(net)
    plan = plan_query(layout, names, frozenset(observed), order, method)
    at = {layout.position[name]: index for name, index in observed.items()}
    factors = _carry_out(plan, layout, at, keep=trace)
    values, probability, log_probability = _normalised(plan, factors)
    if not observed:  # rather than what rounding made of it
        probability, log_probability = 1.0, 0.0
    return QueryResult(
        Factor.trusted(names, {name: net.states(name) for name in names}, values),
        probability,
        log_probability,
        tuple([layout.names[variable] for variable in plan.order]),
        _trace(net, plan, layout, factors) if trace and method == "elimination" else (),
        plan.operations,
    )


def _observed(net, names, evidence):
    """Position of the observed state of every node with evidence."""
    evidence = dict(as_mapping("evidence", evidence))
    net.known("evidence", evidence)
    for name in names:
        if name in evidence:
            raise ValueError(f"variables: expected nodes without evidence, got {name!r}")
    return {name: state_index(name, net.states(name), state) for name, state in evidence.items()}


def _carry_out(plan, layout, at, keep):
    """The values of all factors: the tables reduced to the evidence, then the result of every step."""
    factors = []
    for node, scope in zip(plan.nodes, plan.scopes):
        table, family = layout.tables[node], layout.families[node]
        factors.append(table if len(scope) == len(family) else table[tuple([at.get(v, ALL) for v in family])])
    if plan.in_logarithms:
        factors = [_log(table) for table in factors]
    for step in plan.steps:
        operands = [factors[slot] for slot in step.slots]
        if not keep:
            for slot in step.slots:
                factors[slot] = None  # gives memory back
        if plan.in_logarithms or not 0 < len(operands) <= MOST_OPERANDS:
            factors.append(_sum_of_products(step, operands, layout.sizes, plan.in_logarithms))
        else:
            factors.append(np.einsum(step.subscripts, *operands))
    return factors


def _sum_of_products(step, operands, sizes, in_logarithms):
    """What ``numpy.einsum(step.subscripts, *operands)`` means, for any number of operands or their logarithms."""
    shape = [sizes[variable] for variable in step.product]
    product, combine = (np.zeros(shape), np.add) if in_logarithms else (np.ones(shape), np.multiply)
    for scope, operand in zip(step.scopes, operands):
        aligned = operand.reshape([sizes[variable] if variable in scope else 1 for variable in step.product])
        combine(product, aligned, out=product)
    axes = tuple(axis for axis, variable in enumerate(step.product) if variable not in step.result)
    if axes and in_logarithms:
        largest = np.maximum(product.max(axis=axes, keepdims=True), np.finfo(float).min)  # not −∞ minus −∞
        product -= largest
        product = _log(np.exp(product, out=product).sum(axis=axes)) + largest.squeeze(axes)
    elif axes:
        product = product.sum(axis=axes)
    kept = [variable for variable in step.product if variable in step.result]
    return product.transpose([kept.index(variable) for variable in step.result])


def _normalised(plan, factors):
    """P(variables | evidence), P(evidence) and its logarithm."""
    answer = factors[-1]
    constants = [float(factors[slot]) for slot in plan.constants]
    if plan.in_logarithms:
        largest = float(answer.max())
        if -inf in (largest, *constants):
            raise ZeroProbabilityEvidence(IMPOSSIBLE)
        values = np.exp(answer - largest)
        total = float(values.sum())
        log_probability = min(log(total) + largest + sum(constants), 0.0)
        return values / total, exp(log_probability), log_probability
    total = float(answer.sum())
    probability = min(total * prod(constants), 1.0)
    if probability == 0:
        raise ZeroProbabilityEvidence(IMPOSSIBLE)
    return answer / total, probability, log(probability)


def _log(values):
    with np.errstate(divide="ignore"):
        return np.log(values)


def _trace(net, plan, layout, factors):
    def named(scope):
        return tuple(layout.names[variable] for variable in scope)

    scopes = dict(enumerate(plan.scopes))
    steps = []
    for slot, (variable, step) in enumerate(zip(plan.order, plan.steps), start=len(plan.nodes)):
        for taken in step.slots:
            del scopes[taken]
        scopes[slot] = step.result
        values = np.exp(factors[slot]) if plan.in_logarithms else factors[slot]
        states = {name: net.states(name) for name in named(step.result)}
        steps.append(
            EliminationStep(
                layout.names[variable],
                tuple(named(scope) for scope in step.scopes),
                named(step.product),
                step.size,
                Factor.trusted(named(step.result), states, values),
                tuple(named(scope) for scope in scopes.values()),
                step.operations,
            )
        )
    return tuple(steps)
