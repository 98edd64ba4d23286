import pytest

from mlcore.explore import Explorable, choice, linear_slider, step_scrubber, toggle


@pytest.fixture(autouse=True)
def no_settings_from_outside(monkeypatch):
    """Modes and caches are what a test sets, whatever the shell that runs it has set."""
    for name in ("MLCORE_EXPLORE", "MLCORE_EXPLORE_CACHE", "MLCORE_EXPLORE_PROGRESS"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def make_explorable():
    """Return a maker of explorables with one control of every kind and few states."""

    def frame(figure):
        axes = figure.subplots()
        axes.set(xlim=(0, 4), ylim=(0, 4), title="Fixed", xlabel="x", ylabel="y")

    def draw(figure, height, style, wide, step):
        axes = figure.axes[0]
        axes.plot([0, 4], [height, step], linestyle={"solid": "-", "dashed": "--"}[style], linewidth=3 if wide else 1)

    def describe(height, style, wide, step):
        return f"height {height:g}, {style}, {'wide' if wide else 'narrow'}, step {step}"

    def make(**changes):
        controls = (
            linear_slider("height", "height", 0, 4, start=2, steps=5, page_every=2),
            choice("style", "style", ["solid", "dashed"]),
            toggle("wide", "wide line"),
            step_scrubber("step", "step", 4),
        )
        given = dict(title="A line", controls=controls, draw=draw, describe=describe, frame=frame, size=(4.0, 3.0))
        return Explorable(**{**given, **changes})

    return make
