import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.path import Path

from mlcore.pictures.drawing.level_sets import LevelSets


@pytest.fixture
def axes():
    return Figure().subplots()


@pytest.fixture
def disc():
    """Return the level sets of the squared distance from the origin on a fine grid."""
    x1, x2 = np.meshgrid(np.linspace(-2, 2, 201), np.linspace(-2, 2, 201))
    return LevelSets(x1, x2, x1**2 + x2**2)


def covered(axes, points):
    """Return which points lie within an odd number of outlines: what is filled, without its holes."""
    (patch,) = axes.patches
    outlines = [Path(outline) for outline in patch.get_path().to_polygons()]
    return np.sum([outline.contains_points(points) for outline in outlines], axis=0) % 2 == 1


def test_a_line_runs_where_the_function_has_the_value(axes, disc):
    disc.draw_lines(axes, 1, 2.25, color="black", linewidth=1)
    (patch,) = axes.patches
    radii = np.hypot(*patch.get_path().vertices.T)
    assert np.minimum(abs(radii - 1), abs(radii - 1.5)).max() < 1e-3
    assert {round(radius, 1) for radius in radii} == {1.0, 1.5}
    assert not patch.get_fill()


def test_a_region_lies_between_two_values_and_keeps_its_hole(axes, disc):
    disc.draw_region(axes, 1, 2.25, color="red")
    assert covered(axes, [(0, 0), (0.9, 0), (1.2, 0), (0, -1.4), (1.6, 0)]).tolist() == [
        False,
        False,
        True,
        True,
        False,
    ]


@pytest.mark.parametrize(("low", "high", "inside"), [(-np.inf, 1, [True, False]), (1, np.inf, [False, True])])
def test_infinity_leaves_a_side_open(axes, disc, low, high, inside):
    disc.draw_region(axes, low, high, color="red")
    assert covered(axes, [(0, 0), (1.9, 1.9)]).tolist() == inside


def test_what_the_function_does_not_reach_draws_nothing(axes, disc):
    disc.draw_lines(axes, -1, 100, color="black", linewidth=1)
    disc.draw_region(axes, 100, 200, color="red")
    assert len(axes.patches) == 0


def test_limits_stay(axes, disc):
    axes.set(xlim=(0, 1), ylim=(0, 1))
    disc.draw_region(axes, -np.inf, 4, color="red")
    assert (axes.get_xlim(), axes.get_ylim()) == ((0, 1), (0, 1))
