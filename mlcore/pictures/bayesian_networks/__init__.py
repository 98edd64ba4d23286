"""Pictures of the chapter on Bayesian networks."""

from mlcore.pictures.bayesian_networks._dependence_paths import open_paths, three_connections
from mlcore.pictures.bayesian_networks._elimination import elimination
from mlcore.pictures.bayesian_networks._evidence_switches import (
    burglary_switches,
    cancer_switches,
    coins_switches,
    evidence_switches,
    flu_switches,
)
from mlcore.pictures.bayesian_networks._inference_cost import inference_cost
from mlcore.pictures.bayesian_networks._network_drawing import network_picture
from mlcore.pictures.bayesian_networks._observation_trees import combined_roots, tree_of_observations
from mlcore.pictures.bayesian_networks._parkinson import parkinson
from mlcore.pictures.bayesian_networks._relatives import causes_first, relatives

__all__ = [
    "burglary_switches",
    "cancer_switches",
    "causes_first",
    "coins_switches",
    "combined_roots",
    "elimination",
    "evidence_switches",
    "flu_switches",
    "inference_cost",
    "network_picture",
    "open_paths",
    "parkinson",
    "relatives",
    "three_connections",
    "tree_of_observations",
]
