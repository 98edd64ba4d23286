"""Two figures on one page: one with every kind of control, one with two panels, an image and many artists."""

import re

import numpy as np
from playwright.sync_api import expect

from mlcore.explore import Explorable, Picture, choice, linear_slider, position, step_scrubber, toggle
from mlcore.explore.page import page_html
from mlcore.explore.scene import Scene


def _frame(figure):
    axes = figure.subplots()
    axes.set(xlim=(0, 4), ylim=(0, 4), title="Fixed", xlabel="x", ylabel="y")
    axes.scatter([1, 3], [3, 1], color="black", zorder=12)


def _draw(figure, height, style, wide, step):
    axes = figure.axes[0]
    line = {"solid": "-", "dashed": "--", "dotted": ":"}[style]
    axes.plot([-5, 9], [height - 2, step + 2], linestyle=line, linewidth=4 if wide else 1.5)


def _describe(height, style, wide, step):
    return f"height {height:g} & {style}, {'wide' if wide else 'narrow'},\nstep {step} < 4"


def _columns(figure):
    for column in figure.subfigs:
        column.subplots().set(xlim=(-2, 2), ylim=(-2, 2), xlabel="first coordinate", ylabel="second coordinate")


def _draw_columns(figure, p_x, p_y):
    left, right = (column.axes[0] for column in figure.subfigs)
    points = np.random.default_rng(0).uniform(-2, 2, (200, 2))
    grid = np.linspace(-2, 2, 40)
    height = np.hypot(grid - p_x, (grid - p_y)[:, None])
    left.contourf(grid, grid, height, levels=12)
    left.scatter(*points.T, c=np.hypot(*(points - [p_x, p_y]).T), s=14, edgecolor="white", zorder=5)
    right.imshow(height, extent=(-2, 2, -2, 2), origin="lower", aspect="auto")
    right.plot([p_x], [p_y], "r*", markersize=14)


FIRST = Explorable(
    "A line <b>through</b> & through",
    (
        linear_slider("height", "height", 0, 4, start=2, steps=5),
        choice("style", "style", ["solid", "dashed", "dotted"]),
        toggle("wide", "wide line"),
        step_scrubber("step", "step", 4),
    ),
    _draw,
    _describe,
    _frame,
)
SECOND = Explorable(
    "Two panels",
    (position("p", "point", (-2, 2), (-2, 2), start=(0, 0), steps=9),),
    _draw_columns,
    lambda p_x, p_y: f"The point is ({p_x:g}, {p_y:g}).",
    _columns,
    size=(8.4, 4.0),
    panels=2,
)
STILL = Picture("A still picture", lambda figure: figure.text(0.4, 0.5, "still"), lambda: "Nothing moves here.")


def page_with(*explorables):
    """Return an HTML page with a figure for each of the explorables."""
    figures = "".join(page_html(explorable) for explorable in explorables)
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Figures</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1"></head>'
        f'<body style="font-family: sans-serif"><main><h1>Figures</h1>{figures}</main></body></html>'
    )


def open_figures(tab, address):
    """Open the page of the first three explorables and return its two figures with controls, ready to be moved."""
    tab.page.goto(address)
    for number in (0, 1):
        expect(tab.page.locator("figure.explorable").nth(number)).to_have_attribute("data-ready", "true")
    return Figure(tab.page, 0, FIRST), Figure(tab.page, 1, SECOND)


class Figure:
    """A figure on the page and the state in which it should be."""

    def __init__(self, page, number, explorable):
        self.page, self.explorable, self.state = page, explorable, explorable.start
        self.root = page.locator("figure.explorable").nth(number)
        self.scene = Scene(explorable)

    def control(self, label):
        role = {"style": "combobox", "wide line": "checkbox", "Play step": "button", "Pause step": "button"}
        return self.root.get_by_role(role.get(label, "slider"), name=label, exact=True)

    def press(self, label, *keys):
        self.control(label).focus()
        for key in keys:
            self.page.keyboard.press(key)

    def moving(self):
        """Return the outlines and the images that the moving layer of every panel shows."""
        return self.root.locator(".explorable-picture > svg").evaluate_all(
            "panels => panels.map(panel => [...panel.children[1].querySelectorAll('path, image')]"
            ".map(element => element.getAttribute('d') || element.getAttribute('href')))"
        )

    def check(self, **moved):
        """Check that picture, readout, alternative text and controls show the state after `moved`."""
        self.state = {**self.state, **moved}
        text = self.explorable.describe(**self.state)
        assert self.root.locator(".explorable-readout").evaluate("element => element.textContent") == text
        heard = self.root.get_by_role("img").get_attribute("aria-label")
        assert heard == f"{self.explorable.title}. {text}"
        wanted = [re.findall(r' (?:d|href)="([^"]*)"', panel) for panel in self.scene.moving(self.state)]
        assert self.moving() == wanted
        for control in self.explorable.controls:
            shown = control.text(self.state[control.name])
            element = self.control(control.label)
            if control.kind == "toggle":
                assert element.is_checked() == self.state[control.name]
            elif control.kind == "choice":
                assert element.evaluate("list => list.selectedOptions[0].textContent") == shown
            else:
                assert element.get_attribute("aria-valuetext") == shown
                assert element.locator("xpath=../../output").text_content() == shown
