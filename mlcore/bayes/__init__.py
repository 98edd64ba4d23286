"""Bayes' rule on tables, Bayesian networks, exact inference in them, and the BIF format."""

from mlcore.bayes._bayes_net import BayesNet, Node
from mlcore.bayes._bif import read_bif
from mlcore.bayes._cases import sample
from mlcore.bayes._d_separation import active_path, d_separated
from mlcore.bayes._factor import Factor
from mlcore.bayes._joint_table import JointTable, bayes_rule, joint_table, three_boxes
from mlcore.bayes._variable_elimination import QueryResult, query

__all__ = [
    "BayesNet",
    "Factor",
    "JointTable",
    "Node",
    "QueryResult",
    "active_path",
    "bayes_rule",
    "d_separated",
    "joint_table",
    "query",
    "read_bif",
    "sample",
    "three_boxes",
]
