"""Support vector machines for classification and epsilon-regression: dual and primal problems, SMO, estimators."""

from mlcore.svm._classification import SupportVectorClassifier
from mlcore.svm._epsilon_svr import SVRSolution, solve_svr_dual, solve_svr_primal, solve_svr_smo
from mlcore.svm._margin import (
    MarginSolution,
    PairUpdate,
    margin_solution,
    pair_update,
    solve_dual,
    solve_primal,
    solve_smo,
)
from mlcore.svm._regression import SupportVectorRegressor
from mlcore.svm._smo import SMOResult, SMOStep, kkt_gap, simplified_smo, smo
from mlcore.svm._solvers import within

__all__ = [
    "MarginSolution",
    "PairUpdate",
    "SMOResult",
    "SMOStep",
    "SVRSolution",
    "SupportVectorClassifier",
    "SupportVectorRegressor",
    "kkt_gap",
    "margin_solution",
    "pair_update",
    "simplified_smo",
    "smo",
    "solve_dual",
    "solve_primal",
    "solve_smo",
    "solve_svr_dual",
    "solve_svr_primal",
    "solve_svr_smo",
    "within",
]
