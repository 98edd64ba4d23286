"""The errors that `mlcore` raises beside `ValueError` and `TypeError`."""

__all__ = ["InfeasibleProblem", "NotAKernel", "UnboundedProblem", "ZeroProbabilityEvidence"]


class InfeasibleProblem(ValueError):
    """No point satisfies the constraints; `certificate` holds the proof.

    Parameters
    ----------
    message : str
        What cannot be done, in the terms of the caller.
    certificate : mlcore.optimize.Certificate
        With the Farkas ray: a weighting of the constraints whose sum no point can satisfy.
    """

    def __init__(self, message, certificate=None):
        super().__init__(message)
        self.certificate = certificate


class UnboundedProblem(ValueError):
    """The objective improves without limit; `certificate` holds the direction.

    Parameters
    ----------
    message : str
        What cannot be done, in the terms of the caller.
    certificate : mlcore.optimize.Certificate
        With the recession ray: a direction that stays feasible and improves for ever.
    """

    def __init__(self, message, certificate=None):
        super().__init__(message)
        self.certificate = certificate


class NotAKernel(ValueError):
    """A Gram matrix has a negative eigenvalue, so no feature map can lie behind it."""


class ZeroProbabilityEvidence(ValueError):
    """The evidence cannot happen, so there is no probability given it: 0 divided by 0."""
