"""Pictures of chapter 20: a network with a switch for every observation, and probabilities that answer."""

from functools import lru_cache, partial
from keyword import iskeyword
from typing import NamedTuple

from matplotlib.collections import LineCollection

from mlcore.bayes import BayesNet, query
from mlcore.datasets import burglary_alarm, flu_fever_headache, metastatic_cancer, two_coins_and_bell
from mlcore.errors import ZeroProbabilityEvidence
from mlcore.explore import FOREGROUND, Explorable, choice
from mlcore.pictures.bayesian_networks._network_drawing import (
    EVIDENCE,
    NetworkLayout,
    draw_network,
    network_axes,
    network_layout,
    parents_of,
    shade_nodes,
)
from mlcore.pictures.drawing.probability_bars import bar_axes, draw_bars
from mlcore.pictures.drawing.readout import probability
from mlcore.pictures.drawing.text_labels import draw_labels
from mlcore.pictures.drawing.visual_language import ACCENT, BOUNDARY

__all__ = [
    "burglary_switches",
    "cancer_switches",
    "coins_switches",
    "evidence_switches",
    "flu_switches",
    "three_digits",
    "tidy_name",
]

_MOST_STATES = 120
_OBSERVED = "#7fb8dc"
_NUMBER_AT = 1.03


class _Question(NamedTuple):
    """What a picture shows: the network, its layout, which node a control observes, and the bars."""

    net: BayesNet
    layout: NetworkLayout
    switches: dict  # name of the control → name of the node
    rows: tuple  # of (node, state), one for every bar

    def evidence(self, state):
        """Return the observed states, as a tuple of (node, state)."""
        return tuple((self.switches[name], value) for name, value in state.items() if value is not None)


def evidence_switches(
    net, positions=None, switches=None, show=None, title="Observe, and watch the others", labels=None
):
    """Return a network beside the probabilities of its nodes, with a switch for what has been observed.

    Parameters
    ----------
    net : mlcore.bayes.BayesNet
    positions : dict of str to (float, float), optional
        As for `mlcore.pictures.bayesian_networks.network_layout`.
    switches : iterable of str, optional
        Nodes that can be observed, each "unknown" or in one of its states; by default as many as the page has room
        for, beginning with the last in predecessor ordering.
    show : iterable of str, optional
        Nodes with bars, at most about twelve; by default all. A node with two states has one bar, for the first.
    title : str
    labels : dict of str to str, optional
        What is written in the nodes.

    Returns
    -------
    Explorable

    Raises
    ------
    ValueError
        Unknown nodes, or more combinations of observations than a page can hold.

    Examples
    --------
    >>> picture = evidence_switches(two_coins_and_bell(), switches=["bell"])
    >>> picture.describe(bell="rings").splitlines()[1]
    'P(coin 1 = heads) = 0.667, before 0.5; P(coin 2 = heads) = 0.667, before 0.5.'
    """
    chosen = _fitting(net) if switches is None else tuple(switches)
    shown = net.names if show is None else tuple(show)
    rows = tuple((name, state) for name in shown for state in _shown_states(net.states(name)))
    controls = {_keyword(name, place): name for place, name in enumerate(chosen)}
    layout = network_layout(parents_of(net), positions, labels)
    question = _Question(net, layout, controls, rows)
    return Explorable(
        title=title,
        controls=tuple(_switch(keyword, name, net.states(name)) for keyword, name in controls.items()),
        frame=partial(_frame, question),
        draw=partial(_draw, question),
        describe=partial(_describe, question),
        size=(8.6, 3.9),
        panels=2,
    )


def _fitting(net):
    """Return as many of the last nodes as the page has room for."""
    chosen, states = [], 1
    for name in reversed(net.predecessor_ordering()):
        states *= len(net.states(name)) + 1
        if states > _MOST_STATES:
            break
        chosen.append(name)
    return tuple(chosen[::-1])


def _shown_states(states):
    return states[:1] if len(states) == 2 else states


def _keyword(name, place):
    usable = str(name).isidentifier() and not iskeyword(name) and name != "figure"
    return name if usable else f"node_{place}"


def _switch(keyword, name, states):
    return choice(keyword, tidy_name(name), {"unknown": None} | {str(state): state for state in states})


def tidy_name(name):
    """Return the name of a node as it is written in a text.

    Examples
    --------
    >>> tidy_name("coin_1")
    'coin 1'
    """
    return str(name).replace("_", " ")


@lru_cache(maxsize=4096)
def _beliefs(net, rows, evidence):
    """Return the probabilities of the rows and of the evidence; None where the evidence is impossible."""
    known = dict(evidence)
    asked = [name for name in dict.fromkeys(name for name, _ in rows) if name not in known]
    try:
        answers = {name: query(net, name, known).factor for name in asked}
        total = query(net, (), known).probability
    except ZeroProbabilityEvidence:
        return (None,) * len(rows), 0.0
    values = (
        float(known[name] == state) if name in known else answers[name].value({name: state}) for name, state in rows
    )
    return tuple(values), total


def _frame(question, figure):
    left, right = figure.subfigs
    axes = network_axes(left, question.layout, "Observed nodes are shaded")
    draw_network(axes, question.layout, parents_of(question.net))
    before, _ = _beliefs(question.net, question.rows, ())
    labels = [f"{tidy_name(name)} = {state}" for name, state in question.rows]
    bars = right.subplots()
    bar_axes(bars, labels, "Probability now (line: before)")
    bars.set_xlim(0, _NUMBER_AT + 0.36)
    ends = [[(value, row - 0.42), (value, row + 0.42)] for row, value in enumerate(before)]
    bars.add_collection(LineCollection(ends, colors=BOUNDARY, linewidths=1.4, zorder=FOREGROUND), autolim=False)


def _draw(question, figure, /, **state):
    evidence = question.evidence(state)
    values, _ = _beliefs(question.net, question.rows, evidence)
    known = dict(evidence)
    shade_nodes(figure.axes[0], question.layout, dict.fromkeys(known, EVIDENCE))
    colours = [_OBSERVED if name in known else ACCENT for name, _ in question.rows]
    draw_bars(figure.axes[1], values, color=colours, texts=[])
    places = [(_NUMBER_AT, row) for row in range(len(values))]
    draw_labels(figure.axes[1], places, ["–" if value is None else three_digits(value) for value in values], ha="left")


def _describe(question, /, **state):
    evidence = question.evidence(state)
    before, _ = _beliefs(question.net, question.rows, ())
    now, total = _beliefs(question.net, question.rows, evidence)
    known = dict(evidence)
    listed = ", ".join(f"{tidy_name(name)} = {value}" for name, value in evidence)
    if not total:
        return f"Observed: {listed}. This cannot happen: its probability is 0, and nothing follows from it."
    first = f"Observed: {listed}; probability of that: {three_digits(total)}." if known else "Nothing observed."
    changes = []
    for (name, value), p, was in zip(question.rows, now, before):
        if name not in known:
            text = f"P({tidy_name(name)} = {value}) = {three_digits(p)}"
            changes.append(text + (f", before {three_digits(was)}" if known else ""))
    return first + (f"\n{'; '.join(changes)}." if changes else "")


def three_digits(value):
    """Return a probability with three significant digits, and with more where it comes near to 1.

    Examples
    --------
    >>> three_digits(0.00251644), three_digits(0.5)
    ('0.00252', '0.5')
    """
    return probability(value) if value > 0.999 or value < 1e-4 else f"{value:.3g}"


def burglary_switches():
    """Return burglary, earthquake and alarm, with two neighbours who call, and switches (ES p. 121–123).

    Returns
    -------
    Explorable
    """
    positions = {"burglary": (0, 2), "earthquake": (2, 2), "alarm": (1, 1), "john": (0, 0), "mary": (2, 0)}
    labels = {"john": "John calls", "mary": "Mary calls"}
    switches = ("alarm", "earthquake", "john", "mary")
    title = "The alarm sounds: is it a burglar?"
    return evidence_switches(burglary_alarm(), positions, switches, title=title, labels=labels)


def coins_switches():
    """Return two coins and the bell that rings unless both show tails, with switches (ES p. 129).

    Returns
    -------
    Explorable
    """
    return evidence_switches(two_coins_and_bell(), title="Two coins and a bell")


def flu_switches():
    """Return the flu with fever and headache, with switches (ES p. 121, 130).

    Returns
    -------
    Explorable
    """
    return evidence_switches(flu_fever_headache(), title="One cause of two symptoms")


def cancer_switches():
    """Return the network of ES Fig. 68 with switches; the numbers are from the literature, ES has none.

    Returns
    -------
    Explorable
    """
    labels = {"calcium": "increased\ncalcium", "tumor": "brain tumor"}
    return evidence_switches(metastatic_cancer(), title="From a metastasis to a coma", labels=labels)
