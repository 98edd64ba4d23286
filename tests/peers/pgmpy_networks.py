"""Bayesian networks as pgmpy has them: those it ships, and ours as its models. For tests and benchmarks."""

import warnings
from importlib import resources

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # pgmpy warns of its own future when imported
    from pgmpy.factors.discrete import TabularCPD
    from pgmpy.inference import VariableElimination
    from pgmpy.models import DiscreteBayesianNetwork
    from pgmpy.readwrite import BIFReader

from mlcore.bayes import read_bif

__all__ = ["BIFReader", "VariableElimination", "network", "pgmpy_model", "shipped"]


def shipped(name):
    """Return the file of a published network in pgmpy's package."""
    return resources.files("pgmpy") / "utils" / "example_models" / f"{name}.bif.gz"


def network(name):
    """Return a published network as ours."""
    with resources.as_file(shipped(name)) as path:
        return read_bif(path)


def pgmpy_model(net):
    """Return our network as a model of pgmpy, with our numbers: it does not scale rounded ones."""
    model = DiscreteBayesianNetwork()
    model.add_nodes_from(net.names)
    model.add_edges_from((parent, name) for name in net.names for parent in net.parents(name))
    for name in net.names:
        node = net.node(name)
        model.add_cpds(
            TabularCPD(
                name,
                len(node.states),
                node.table.reshape(-1, len(node.states)).T,
                evidence=list(node.parents) or None,
                evidence_card=[len(net.states(parent)) for parent in node.parents] or None,
                state_names={other: list(net.states(other)) for other in (name, *node.parents)},
            )
        )
    return model
