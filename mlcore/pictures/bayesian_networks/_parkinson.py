"""Picture of chapter 20: how likely a disease is, by how common it is and which of two symptoms were looked for."""

from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np
from matplotlib.lines import Line2D

from mlcore.datasets import parkinson as network
from mlcore.explore import FOREGROUND, Control, Explorable, choice
from mlcore.pictures.drawing.probability_bars import draw_bars
from mlcore.pictures.drawing.readout import minus
from mlcore.pictures.drawing.text_labels import draw_labels
from mlcore.pictures.drawing.visual_language import ACCENT, LEAVING, QUIET, panel_axes, power_axis
from mlcore.validation import as_array

__all__ = ["parkinson"]

_PREVALENCES = (0.0003, 0.001, 0.002, 0.003, 0.003125, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
_SYMPTOMS = {"tremor": (0.9, 0.2), "bent arm": (0.7, 0.1)}
_PEOPLE = 100_000
_FINDINGS = {"not looked for": None, "present": 0, "absent": 1}
_PALE = "#dedede"
_ROWS = np.array([0, 1, 2, 3, 5, 6, 7, 8])  # the sick, a gap, the healthy
_SHOWN = (2.4e-4, 0.62)  # prevalences on the axis


class _Disease(NamedTuple):
    """A disease and two symptoms, each with its probability for a sick and for a healthy person."""

    name: str
    symptoms: tuple
    tables: tuple

    def joint(self, prevalence):
        """Return the joint distribution, of shape (2, 2, 2): disease, first and second symptom; "yes" comes first."""
        return _joint(prevalence, self.tables)

    def sick_and_healthy(self, prevalence, first, second):
        """Return P(sick, findings) and P(healthy, findings); a finding is 0 (present), 1 (absent) or None (unknown)."""
        fitting = tuple(slice(None) if finding is None else slice(finding, finding + 1) for finding in (first, second))
        return self.joint(prevalence)[(slice(None), *fitting)].sum(axis=(1, 2))

    def posterior(self, prevalence, first, second):
        """Return the probability of the disease, given the findings."""
        sick, healthy = self.sick_and_healthy(prevalence, first, second)
        return float(sick / (sick + healthy))


@lru_cache(maxsize=256)
def _joint(prevalence, tables):
    return network(prevalence, *tables).joint_table().values


def parkinson(symptoms=None, disease="Parkinson"):
    """Return a disease with two symptoms: sliders for its prevalence and for what was found (ES p. 135–137).

    Parameters
    ----------
    symptoms : dict of str to (float, float), optional
        Two symptoms, each with its probability for a sick and for a healthy person, strictly between 0 and 1; those
        of the book if left out.
    disease : str

    Returns
    -------
    Explorable

    Raises
    ------
    ValueError
        Not two symptoms, or probabilities that are none.
    """
    symptoms = dict(_SYMPTOMS if symptoms is None else symptoms)
    if len(symptoms) != 2:
        raise ValueError(f"symptoms: expected two, got {len(symptoms)}")
    for name, probabilities in symptoms.items():
        pair = as_array(name, probabilities, (2,))
        if not ((pair > 0) & (pair < 1)).all():
            raise ValueError(f"{name}: expected two probabilities above 0 and below 1, got {pair.tolist()}")
    model = _Disease(disease, tuple(symptoms), tuple(tuple(map(float, pair)) for pair in symptoms.values()))
    prevalence = Control("prevalence", "prevalence", "slider", _PREVALENCES, _PREVALENCES, 0.003, _percent)
    return Explorable(
        title=f"{disease}, {model.symptoms[0]}, {model.symptoms[1]}: what a finding is worth",
        controls=(
            prevalence,
            choice("first", model.symptoms[0], _FINDINGS, start=0),
            choice("second", model.symptoms[1], _FINDINGS),
        ),
        frame=partial(_frame, model=model),
        draw=partial(_draw, model=model),
        describe=partial(_describe, model=model),
        size=(8.6, 4.3),
        panels=2,
    )


def _percent(value):
    return f"{100 * value:.4g} %"


def _frame(figure, model):
    people, curve = panel_axes(figure)
    cells = [f"{_sign(b, model.symptoms[0])}, {_sign(c, model.symptoms[1])}" for b in (0, 1) for c in (0, 1)]
    people.set(
        xlim=(0, 1.32 * _PEOPLE), ylim=(8.6, -1.3), xlabel=f"of {_PEOPLE // 1000} 000 people",
        title="Eight kinds of people",
    )  # fmt: skip
    people.set_yticks(_ROWS, cells * 2)
    people.set_xticks([0, 50_000, 100_000], ["0", "50 000", "100 000"])
    people.tick_params(axis="y", length=0)
    for row, text in ((-0.75, model.name), (4.25, f"no {model.name}")):
        people.text(0, row, text, weight="bold", fontsize=9.5, va="center_baseline", zorder=FOREGROUND)
    curve.set(
        xscale="log", yscale="log", xlim=_SHOWN, ylim=(1.5e-5, 1.3), xlabel="prevalence",
        ylabel=f"probability of {model.name}", title="What follows from the findings",
    )  # fmt: skip
    for axis in (curve.xaxis, curve.yaxis):
        power_axis(axis)
    grid = np.geomspace(*_SHOWN, 80)
    curve.plot(grid, grid, "--", color=QUIET, linewidth=1.4)
    handles = [
        Line2D([], [], color=ACCENT, linewidth=2, label="with these findings"),
        Line2D([], [], color=QUIET, linewidth=1.4, linestyle="--", label="nothing known"),
    ]
    figure.subfigs[1].legend(handles=handles, loc="outside lower center", ncols=2)


def _sign(absent, name):
    return ("no " if absent else "") + name


def _draw(figure, prevalence, first, second, model):
    people, curve = figure.axes
    fits = np.array([first in (None, b) and second in (None, c) for _, b, c in np.ndindex(2, 2, 2)])
    lengths = _PEOPLE * model.joint(prevalence).ravel()
    colours = [([ACCENT] * 4 + [LEAVING] * 4)[kind] if fits[kind] else _PALE for kind in range(8)]
    draw_bars(people, lengths, _ROWS, color=colours, height=0.72, texts=[])
    places = np.column_stack([lengths + 0.02 * _PEOPLE, _ROWS])
    texts = np.array([_thousands(length) for length in lengths])
    draw_labels(people, places[fits], texts[fits], ha="left", weight="bold")
    draw_labels(people, places[~fits], texts[~fits], ha="left", color=QUIET)
    grid = np.geomspace(*_SHOWN, 80)
    sick, healthy = model.sick_and_healthy(0.5, first, second)
    line = Line2D(grid, grid * sick / (grid * sick + (1 - grid) * healthy), color=ACCENT, linewidth=2.2, zorder=3)
    dot = dict(marker="o", color=ACCENT, markersize=9, markeredgecolor="white", zorder=4)
    curve.add_artist(line)
    curve.add_artist(Line2D([prevalence], [model.posterior(prevalence, first, second)], **dot))


def _describe(prevalence, first, second, model):
    findings = [_sign(one, name) for one, name in zip((first, second), model.symptoms) if one is not None]
    sick, healthy = _PEOPLE * model.sick_and_healthy(prevalence, first, second)
    likely = model.posterior(prevalence, first, second)
    fitting = f", among those with {' and '.join(findings)}" if findings else ""
    known = f"P({model.name} | {', '.join(findings)})" if findings else f"P({model.name})"
    lines = [
        f"Prevalence {_percent(prevalence)}. Of {_PEOPLE // 1000} 000 people{fitting}: {_thousands(sick)} "
        f"sick, {_thousands(healthy)} healthy. {known} = {likely:.6f}, {likely / prevalence:.3g} times the prevalence."
    ]
    if (first is None) != (second is None):
        missing = model.symptoms[first is not None]
        present, absent = (
            model.posterior(prevalence, *(end if one is None else one for one in (first, second))) for end in (0, 1)
        )
        lines.append(f"Next question, {missing}: {present:.6f} if present, {absent:.6f} if absent.")
    return minus("\n".join(lines))


def _thousands(value):
    return f"{round(value):,}".replace(",", " ")
