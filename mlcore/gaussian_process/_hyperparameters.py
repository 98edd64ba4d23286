"""Hyperparameters by maximum marginal likelihood: L-BFGS-B from several starts, each with its outcome kept."""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state

from mlcore.validation import as_positive, as_whole_number

__all__ = ["OptimizerResult", "SearchSpace", "best_parameters", "best_run", "maximize", "search_space"]

BOUNDS = (1e-5, 1e5)  # of positive parameters, unless others are given
LARGEST_FACTOR = np.log(100)
FLAT = 1e-3  # nats by which the likelihood changes for an e-fold of a parameter


@dataclass(frozen=True, eq=False)
class OptimizerResult:
    """One run of the optimiser.

    Attributes
    ----------
    start, parameters : dict of str to float
        First and last point.
    log_marginal_likelihood : float
        At the last point.
    slope : float
        Largest derivative there, leaving out those that push against a bound; near 0 at a local maximum. With respect
        to the logarithm of a parameter that must be positive.
    at_bound : tuple of str
        Names of the parameters that ended at a bound.
    success : bool
        Whether SciPy's optimiser ended by one of its rules of convergence.
    status : int
        SciPy's code of the end.
    message : str
        SciPy's words for it.
    iterations, evaluations : int
    """

    start: dict
    parameters: dict
    log_marginal_likelihood: float
    slope: float
    at_bound: tuple
    success: bool
    status: int
    message: str
    iterations: int
    evaluations: int

    @property
    def at_maximum(self):
        """Whether the run converged, or stopped where the likelihood is flat for any purpose.

        At the very top rounding hides which way is up, and L-BFGS-B may call its line search abnormal there.
        """
        return self.success or self.slope <= FLAT


@dataclass(frozen=True, eq=False)
class SearchSpace:
    """Parameters to learn, in the order of the optimiser's vector.

    Attributes
    ----------
    names : tuple of str
    positive : numpy.ndarray of bool of shape (p,)
        Parameters that the optimiser sees by their logarithms.
    lower, upper : numpy.ndarray of shape (p,)
        Bounds as the optimiser sees them.
    """

    names: tuple
    positive: np.ndarray
    lower: np.ndarray
    upper: np.ndarray

    def encode(self, parameters):
        """Return the vector the optimiser sees."""
        values = np.array([parameters[name] for name in self.names], dtype=float)
        values[self.positive] = np.log(values[self.positive])
        return values

    def decode(self, vector):
        """Return the parameters by name; the inverse of `encode`."""
        values = np.array(vector)
        values[self.positive] = np.exp(values[self.positive])
        return dict(zip(self.names, values.tolist()))


def search_space(start, optimize, bounds, unbounded=()):
    """Return the parameters to learn, with their bounds.

    Parameters
    ----------
    start : dict of str to float
        All parameters by name.
    optimize : bool or iterable of str
        True: all that are above 0 or `unbounded`; False: none; else names.
    bounds : pair of float, or dict of str to pair of float
        Of parameters that must be positive; names left out have (1e-5, 1e5).
    unbounded : collection of str
        Names of parameters that may have any value.

    Raises
    ------
    ValueError
        A name that does not exist, a parameter that is to be learned and not above 0, bounds that are no pair of
        increasing numbers above 0, or a start outside the bounds.
    """
    if isinstance(optimize, bool | np.bool_):
        names = [name for name, value in start.items() if optimize and (name in unbounded or value > 0)]
    else:
        wanted = _as_names(optimize)
        _check_names("optimize", wanted, start)
        names = [name for name in start if name in wanted]
        for name in names:
            if name not in unbounded and not start[name] > 0:
                raise ValueError(f"optimize: expected parameters above 0, got {name!r}, which is {start[name]:g}")
    by_name = bounds if isinstance(bounds, Mapping) else dict.fromkeys(start, bounds)
    _check_names("bounds", by_name, start)
    intervals = {name: _as_interval(name, by_name.get(name, BOUNDS)) for name in names if name not in unbounded}
    for name, (low, high) in intervals.items():
        if not low <= start[name] <= high:
            raise ValueError(
                f"bounds: expected those of {name!r} to hold its start {start[name]:g}, got {low:g}, {high:g}"
            )
    log_bounds = np.array([np.log(intervals[name]) if name in intervals else (-np.inf, np.inf) for name in names])
    lower, upper = log_bounds.reshape(-1, 2).T
    return SearchSpace(tuple(names), np.array([name in intervals for name in names], dtype=bool), lower, upper)


def maximize(likelihood, space, start, restarts=0, max_iter=1000, random_state=None):
    """Climb the likelihood from the given start, and from others drawn at random.

    Parameters
    ----------
    likelihood : callable
        Takes the learned parameters by name, returns a value and its derivatives by name.
    space : SearchSpace
    start : dict of str to float
    restarts : int
        Number of drawn starts. Positive parameters have uniform logarithms, within their bounds and within a factor of
        100 of the given start; those without bounds are the given ones plus a standard normal number.
    max_iter : int
        Largest number of iterations from each start.
    random_state : int, numpy.random.Generator, numpy.random.RandomState or None

    Returns
    -------
    tuple of OptimizerResult
        One for each start, first the given one; empty if there is nothing to learn.
    """
    restarts = as_whole_number("restarts", restarts, least=0)
    max_iter = as_whole_number("max_iter", max_iter)
    if not space.names:
        return ()
    starts = [space.encode(start)]
    random = random_state if isinstance(random_state, np.random.Generator) else _random_state(random_state)
    starts += [_drawn_start(space, starts[0], random) for _ in range(restarts)]

    def descent(vector):
        parameters = space.decode(vector)
        value, slopes = likelihood(parameters)
        # ∂/∂ log θ = θ · ∂/∂θ
        return -value, [
            -slopes[name] * (parameters[name] if log else 1) for name, log in zip(space.names, space.positive)
        ]

    return tuple(_climbed(descent, space, vector, max_iter) for vector in starts)


def best_run(runs):
    """Return the run that led highest; the first of equals."""
    return max(runs, key=lambda run: run.log_marginal_likelihood)


def best_parameters(runs):
    """Return the learned parameters by name, and warn if the best run did not converge."""
    if not runs:
        return {}
    best = best_run(runs)
    if not best.at_maximum:
        warnings.warn(
            f"The likelihood is not at its maximum: {best.message} ({best.iterations} iterations); "
            "raise max_iter, scale the data or narrow the bounds",
            ConvergenceWarning,
            stacklevel=5,
        )
    return best.parameters


def learned(estimator, model, places, y, unbounded=()):
    """Return the model with the parameters that maximise the density of `y`, and the runs that looked for them.

    Parameters
    ----------
    estimator : GaussianProcessRegressor or MultiTaskGP
        Says what is learned and how: `optimize`, `bounds`, `restarts`, `max_iter`, `random_state`.
    model : ProcessModel or MultiTaskModel
    places, y
        Observations, checked before.
    unbounded : collection of str
    """

    def likelihood(parameters):
        terms = model.with_parameters(parameters).density(places, y, gradient=True)
        return terms.value, terms.gradient

    start = model.parameters
    space = search_space(start, estimator.optimize, estimator.bounds, unbounded)
    runs = maximize(likelihood, space, start, estimator.restarts, estimator.max_iter, estimator.random_state)
    return model.with_parameters(best_parameters(runs)), runs


def _random_state(seed):
    try:
        return check_random_state(seed)
    except ValueError as error:
        raise ValueError(f"random_state: expected a seed, a generator of NumPy or None, got {seed!r}") from error


def _drawn_start(space, given, random):
    low = np.maximum(space.lower, given - LARGEST_FACTOR)[space.positive]
    high = np.minimum(space.upper, given + LARGEST_FACTOR)[space.positive]
    vector = given.copy()
    vector[space.positive] = random.uniform(low, high)
    vector[~space.positive] += random.standard_normal((~space.positive).sum())
    return vector


def _climbed(descent, space, start, max_iter):
    found = minimize(
        descent,
        start,
        jac=True,
        method="L-BFGS-B",
        bounds=np.column_stack([space.lower, space.upper]),
        options={"maxiter": max_iter, "maxfun": 10 * max_iter},
    )
    low, high = found.x <= space.lower, found.x >= space.upper
    free = ~(low & (found.jac > 0)) & ~(high & (found.jac < 0))
    return OptimizerResult(
        start=space.decode(start),
        parameters=space.decode(found.x),
        log_marginal_likelihood=-float(found.fun),
        slope=float(np.abs(found.jac[free]).max(initial=0)),
        at_bound=tuple(name for name, at in zip(space.names, low | high) if at),
        success=bool(found.success),
        status=int(found.status),
        message=str(found.message),
        iterations=int(found.nit),
        evaluations=int(found.nfev),
    )


def _as_names(optimize):
    try:
        return {optimize} if isinstance(optimize, str) else set(optimize)
    except TypeError as error:
        raise ValueError(f"optimize: expected True, False or names of parameters, got {optimize!r}") from error


def _check_names(argument, names, known):
    unknown = sorted(str(name) for name in names if name not in known)
    if unknown:
        raise ValueError(f"{argument}: expected names among {sorted(known)}, got {unknown}")


def _as_interval(name, interval):
    try:
        low, high = (as_positive("bounds", end) for end in interval)
    except (TypeError, ValueError) as error:
        raise ValueError(f"bounds: expected two numbers above 0 for {name!r}, got {interval!r}") from error
    if low > high:
        raise ValueError(f"bounds: expected the lower one first for {name!r}, got {interval!r}")
    return low, high
