"""Checks of the exercises of chapter 17. They test what makes an answer right, not one stored answer."""

import numpy as np
from scipy.stats import multivariate_normal

from mlcore.exercises._answers import agree, array, function, number, parts
from mlcore.exercises._verdict import check, refuse
from mlcore.linear_model import posterior

__all__ = ["check_log_evidence", "check_shrinkage", "check_steeper_line", "check_update"]


@check
def check_shrinkage(narrow, wide, t, y):
    """Check the limits of the MAP weights as the prior width σ_p goes to 0 and to infinity.

    Parameters
    ----------
    narrow, wide : array_like of shape (2,)
        Offset and slope in the limits σ_p → 0 and σ_p → ∞.
    t, y : array_like of shape (n,)
        The observations.

    Returns
    -------
    Verdict
    """
    t, y = array("t", t, ("n",)), array("y", y, ("n",))
    narrow, wide = array("narrow", narrow, (2,)), array("wide", wide, (2,))
    X = np.column_stack([np.ones(len(t)), t])
    hint = ""
    if np.allclose(narrow, [y.mean(), 0], atol=1e-2):
        hint = "A flat line at the mean of y costs slope 0 but an offset, and both have the prior."
    agree("narrow", narrow, [0, 0], hint=hint or "Where do the MAP weights go as σₚ falls below 0.0001?")
    line = np.linalg.lstsq(X, y)[0]
    agree("wide", wide, line, hint="Without a prior the gradient Xᵀ(y − Xw) of the log likelihood must vanish.")
    return "A certain prior learns nothing; a vague one leaves everything to the likelihood: least squares."


@check
def check_steeper_line(t_mine, y_mine):
    """Check observations whose MAP line, with the prior N(0, I) and noise variance 1, is steeper than least squares.

    Parameters
    ----------
    t_mine, y_mine : array_like of shape (n,)
        At least two observations with different inputs.

    Returns
    -------
    Verdict
    """
    t = array("t_mine", t_mine, ("n",))
    y = array("y_mine", y_mine, t.shape)
    if len(t) < 2 or np.ptp(t) <= 1e-9 * np.abs(t).max():
        refuse("t_mine: at least two different inputs are needed, else there is no least-squares line.")
    if max(np.abs(t).max(), np.abs(y).max()) > 1e6:
        refuse("t_mine, y_mine: keep the numbers below a million, so that rounding does not decide.")
    X = np.column_stack([np.ones(len(t)), t])
    prior_line, line = posterior(X, y, 1.0, 1.0).mean, np.linalg.lstsq(X, y)[0]
    told = f"Least squares ({line[0]:.3g}, {line[1]:.3g}), MAP ({prior_line[0]:.3g}, {prior_line[1]:.3g})"
    if abs(prior_line[1]) <= abs(line[1]) + 1e-6 * np.hypot(*line):
        hint = "The prior draws the offset to 0 too: where must the line cross t = 0 for that to turn it upwards?"
        refuse(f"{told}: not steeper. {hint}")
    return f"{told}: ‖w‖ has shrunk from {np.hypot(*line):.3g} to {np.hypot(*prior_line):.3g}, the slope has not."


@check
def check_update(update):
    """Check the reader's step from prior to posterior for one observation.

    Steps through all observations, in two orders, must end at the posterior of all at once.

    Parameters
    ----------
    update : callable
        ``update(mean, covariance, x, y, noise)`` returns the new mean, of shape (d,), and covariance, of shape
        (d, d), after the observation y at the input x, of shape (d,); `noise` is the variance of the noise.

    Returns
    -------
    Verdict
    """
    ask = function("update", update, "mean, covariance, x, y and noise")
    for X, y, prior, prior_mean, noise in _problems():
        d = X.shape[1]
        for order in (np.arange(len(y)), np.arange(len(y))[::-1]):
            mean, covariance = prior_mean, prior
            for step, i in enumerate(order, start=1):
                place = f"With {d} weights, step {step}: "
                answer = parts("update", ask(mean, covariance, X[i], float(y[i]), noise), ("mean", "covariance"))
                mean = array(f"{place}mean", answer[0], (d,))
                covariance = array(f"{place}covariance", answer[1], (d, d))
                seen = posterior(X[order[:step]], y[order[:step]], prior, noise, prior_mean)
                if not np.allclose(covariance, seen.covariance, rtol=1e-6, atol=1e-9):
                    refuse(_wrong_covariance(covariance, X[i], noise, step, seen, prior))
                if not np.allclose(mean, seen.mean, rtol=1e-6, atol=1e-8):
                    refuse(
                        f"{place}the covariance is right, the mean {mean.round(3).tolist()} is not "
                        f"{seen.mean.round(3).tolist()}. Did the old mean come in, weighted by the old precision?"
                    )
    return "One by one, in either order, you arrive at the posterior of all observations at once."


def _problems():
    """Yield inputs, targets, prior covariance, prior mean and noise variance; the first prior mean is 0."""
    rng = np.random.default_rng(17)
    for d, n in ((2, 5), (3, 6)):
        root = rng.normal(size=(d, d))
        mean = np.zeros(d) if d == 2 else rng.normal(size=d)
        yield rng.normal(size=(n, d)), rng.normal(size=n), root @ root.T + np.eye(d), mean, float(rng.uniform(0.2, 2))


def _wrong_covariance(covariance, x, noise, step, seen, prior):
    if step == 1:
        rivals = (
            ("is the precision; invert it", np.linalg.inv(prior) + np.outer(x, x) / noise),
            ("adds covariances; precisions add (ES-18)", np.linalg.inv(prior + np.outer(x, x) / noise)),
            ("forgets to divide x xᵀ by the noise", np.linalg.inv(np.linalg.inv(prior) + np.outer(x, x))),
            (
                "divides by the squared noise; noise is a variance already",
                np.linalg.inv(np.linalg.inv(prior) + np.outer(x, x) / noise**2),
            ),
            ("is that of the prior: nothing was learned", prior),
        )
        for fault, rival in rivals:
            if np.allclose(covariance, rival, rtol=1e-6):
                return f"Your covariance {fault}."
    return (
        f"Step {step}: the covariance has determinant {np.linalg.det(covariance):.4g}, the posterior of the first "
        f"{step} observations {np.linalg.det(seen.covariance):.4g}. Precisions (inverse covariances) add."
    )


@check
def check_log_evidence(log_evidence):
    """Check the reader's log evidence: it must be the log of the Gaussian density of y, every constant included.

    Parameters
    ----------
    log_evidence : callable
        ``log_evidence(X, y, prior_covariance, noise)`` returns a number; the prior covariance has shape (d, d).

    Returns
    -------
    Verdict
    """
    ask = function("log_evidence", log_evidence, "X, y, prior_covariance and noise")
    for X, y, prior, _, noise in _problems():
        value = number("log_evidence", ask(X, y, prior, noise))
        n, K = len(y), X @ prior @ X.T + noise * np.eye(len(y))
        holds = float(multivariate_normal(np.zeros(n), K).logpdf(y))
        if abs(value - holds) < 1e-6 * max(1.0, abs(holds)):
            continue
        fit, logdet = -0.5 * y @ np.linalg.solve(K, y), np.linalg.slogdet(K)[1]
        constant = -0.5 * n * np.log(2 * np.pi)
        rivals = (
            ("misses the constant −½ n log 2π", fit - 0.5 * logdet),
            ("misses −½ log|K|: without it the most flexible model always wins", fit + constant),
            ("has log|K| without the half", fit - logdet + constant),
            ("has the sign turned", -holds),
            ("is the density itself: take the log", np.exp(holds)),
            ("adds the standard deviation of the noise to K, not its variance", _density(X, y, prior, noise**0.5)),
            ("squares the noise, which is a variance already", _density(X, y, prior, noise**2)),
            ("is the log likelihood at the MAP, which no prior holds back", _at_the_map(X, y, prior, noise)),
        )
        for fault, rival in rivals:
            if np.isclose(value, rival, rtol=1e-6):
                refuse(f"Your formula {fault}.")
        refuse(
            f"With {n} observations and {X.shape[1]} weights the density N(y; 0, K), K = XΣXᵀ + noise · I, has the log "
            f"{holds:.4f}; yours is {value:.4f}."
        )
    return "Your formula is the density that the model gives to y, every constant included."


def _density(X, y, prior, noise):
    return float(multivariate_normal(np.zeros(len(y)), X @ prior @ X.T + noise * np.eye(len(y))).logpdf(y))


def _at_the_map(X, y, prior, noise):
    residual = y - X @ posterior(X, y, prior, noise).mean
    return float(-0.5 * residual @ residual / noise - 0.5 * len(y) * np.log(2 * np.pi * noise))
