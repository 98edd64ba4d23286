"""What holds for every explorable: each public function of `mlcore.pictures` that makes one with no arguments."""

import importlib
import inspect
import pkgutil
import re
from itertools import product

import pytest

import mlcore.pictures
from mlcore.explore import Explorable
from mlcore.explore.scene import Scene


def _factories():
    for module_info in pkgutil.walk_packages(mlcore.pictures.__path__, "mlcore.pictures."):
        module = importlib.import_module(module_info.name)
        if module_info.ispkg:
            continue
        for name in module.__all__:
            function = getattr(module, name)
            if not inspect.isfunction(function) or function.__module__ != module.__name__:
                continue
            needed = [p for p in inspect.signature(function).parameters.values() if p.default is p.empty]
            if not needed and "Explorable" in inspect.getdoc(function):
                yield pytest.param(function, id=f"{module_info.name.removeprefix('mlcore.pictures.')}.{name}")


FACTORIES = list(_factories())


def test_none_is_missed():
    assert len(FACTORIES) == 105  # a picture that is new or gone is to be counted here


@pytest.fixture(params=FACTORIES, scope="module")
def explorable(request):
    made = request.param()
    assert isinstance(made, Explorable)
    return made


@pytest.fixture(scope="module")
def scene(explorable):
    return Scene(explorable)


def _corners(explorable):
    """Start, both ends of every control alone, and all ends combined."""
    ends = [(control.values[0], control.values[-1]) for control in explorable.controls]
    names = [control.name for control in explorable.controls]
    alone = [explorable.start | {name: end} for name, pair in zip(names, ends) for end in pair]
    return [explorable.start, *alone, *(dict(zip(names, values)) for values in product(*ends))]


def test_every_corner_is_drawn_and_described(explorable, scene):
    for state in _corners(explorable):
        text = explorable.describe(**state)
        assert text.strip() and not re.search(r"\bnan\b|(?<!sup )\binf\b(?! sup)", text.lower()), state
        drawing = "".join(scene.moving(state))
        assert "nan" not in drawing, state


def test_drawing_is_a_function_of_the_state(explorable, scene):
    states = _corners(explorable)
    first = [scene.moving(state) for state in states]
    assert [scene.moving(state) for state in reversed(states)] == first[::-1]
    texts = [explorable.describe(**state) for state in states]
    assert [explorable.describe(**state) for state in reversed(states)] == texts[::-1]


def test_every_control_changes_something(explorable, scene):
    for control in explorable.controls:
        shown = {
            (tuple(scene.moving(state)), explorable.describe(**state))
            for state in (explorable.start | {control.name: value} for value in control.page_values)
        }
        others = [state for state in _corners(explorable) if len(shown) < 2]
        for state in others:  # a control may speak only where others allow it
            for value in control.page_values:
                moved = state | {control.name: value}
                shown.add((tuple(scene.moving(moved)), explorable.describe(**moved)))
        assert len(shown) > 1, control.name


def test_axes_are_named(explorable, scene):
    with scene._drawn(explorable.start):  # the figure itself is nobody's business but a test's
        assert scene._figure.axes
        for axes in scene._figure.axes:
            shown = [axis for axis in (axes.xaxis, axes.yaxis) if axis.get_visible() and axis.get_majorticklocs().size]
            if axes.axison and shown:
                assert axes.get_xlabel() or axes.get_ylabel() or axes.get_title(), "an axis without a name"


def test_preview_is_small(explorable, scene):
    assert len(scene.png(explorable.start)) < 40_000
