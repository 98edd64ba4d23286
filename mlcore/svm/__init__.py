"""Support vector machines for classification and epsilon-regression: dual and primal problems, SMO, estimators."""

from mlcore.svm._classifier import SupportVectorClassifier
from mlcore.svm._dual import kkt_gap
from mlcore.svm._margin_problems import MarginSolution, margin_solution, solve_dual, solve_primal
from mlcore.svm._margin_smo import solve_smo, within
from mlcore.svm._pair_update import PairUpdate, pair_update
from mlcore.svm._regressor import SupportVectorRegressor
from mlcore.svm._smo import simplified_smo, smo
from mlcore.svm._smo_result import SMOResult, SMOStep
from mlcore.svm._svr_problems import solve_tube_dual, solve_tube_primal
from mlcore.svm._svr_smo import solve_tube_smo
from mlcore.svm._svr_solution import TubeSolution

__all__ = [
    "MarginSolution",
    "PairUpdate",
    "SMOResult",
    "SMOStep",
    "SupportVectorClassifier",
    "SupportVectorRegressor",
    "TubeSolution",
    "kkt_gap",
    "margin_solution",
    "pair_update",
    "simplified_smo",
    "smo",
    "solve_dual",
    "solve_primal",
    "solve_smo",
    "solve_tube_dual",
    "solve_tube_primal",
    "solve_tube_smo",
    "within",
]
