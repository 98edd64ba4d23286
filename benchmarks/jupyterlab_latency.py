"""How long a reader in JupyterLab waits from a key press to the changed picture.

Usage: python benchmarks/jupyterlab_latency.py [presses]

Three sliders over the same values of C stand in one notebook and take turns:

- ours: `mlcore.pictures.margins.soft_margin()`;
- idiom: `ipywidgets.interact` with a function that fits scikit-learn's `SVC`, makes a new Matplotlib figure with
  `contourf` of the decision function on a grid of 100 × 100 and shows it, as tutorials do;
- text: a slider whose value is written into an `HTML` widget, the least that a round trip to the kernel can do.

Times are taken in the page: from the time stamp of the key press to the change of the document that shows the new
state (an image counts once it is decoded), and to the frame after it. The server has the settings of ``make lab``, for
all three alike: with Jupyter's own any of its small messages may wait 40 ms for the browser's acknowledgement. The
bounds are for medians and for lower quartiles. Exits with 1 when one is missed.
"""

import shutil
import sys
import tempfile
from pathlib import Path
from statistics import median, quantiles

import nbformat
from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "browser"))
from lab import LabNotebook, running_lab

LARGEST_RATIO = {"idiom": 0.6, "text": 2.0}
"""Bounds for ours over the others, for medians and for lower quartiles."""

OURS = "soft_margin()"

IDIOM = """
def plot_svm(C):
    model = SVC(kernel="linear", C=C).fit(X, y)
    xx, yy = np.meshgrid(np.linspace(-3.5, 3.5, 100), np.linspace(-3.5, 4, 100))
    Z = model.decision_function(np.c_[xx.ravel(), yy.ravel()]).reshape(xx.shape)
    plt.figure(figsize=(6, 5))
    plt.contourf(xx, yy, Z, levels=20, cmap="RdBu", alpha=0.6)
    plt.contour(xx, yy, Z, levels=[-1, 0, 1], colors="k", linestyles=["--", "-", "--"])
    plt.scatter(X[:, 0], X[:, 1], c=y, cmap="RdBu", edgecolors="k")
    plt.scatter(*model.support_vectors_.T, s=120, facecolors="none", edgecolors="k")
    plt.title(f"C = {C}")
    plt.xlabel("$x_1$")
    plt.ylabel("$x_2$")
    plt.show()

widgets.interact(plot_svm, C=widgets.SelectionSlider(options=values, value=1.0));
"""

TEXT = """
slider, text = widgets.SelectionSlider(options=values, value=1.0), widgets.HTML("1.0")
slider.observe(lambda change, text=text: setattr(text, "value", str(change.new)), "value")
widgets.VBox([slider, text])
"""

SET_UP = """
%matplotlib inline
import ipywidgets as widgets
import matplotlib.pyplot as plt
import numpy as np
from sklearn.svm import SVC

from mlcore.datasets import overlapping_clouds
from mlcore.pictures.margins import soft_margin

X, y = overlapping_clouds()
values = list(soft_margin().controls[0].values)
"""

# What tells one state from the next in each of the three outputs.
STATE = {
    "ours": "output => output.querySelector('.explorable-readout')?.textContent",
    "idiom": "output => output.querySelector('img')?.src",
    "text": "output => output.querySelector('.widget-html-content')?.textContent",
}

ARM = """([output, read]) => {
  const state = eval(read);
  const before = state(output);
  window.change = new Promise((resolve) => {
    let pressed = null;
    document.addEventListener("keydown", (event) => { pressed = event.timeStamp; }, { once: true, capture: true });
    const observer = new MutationObserver(async () => {
      const now = state(output);
      if (pressed === null || now === undefined || now === before) return;
      observer.disconnect();
      await output.querySelector("img")?.decode();
      const changed = performance.now();
      requestAnimationFrame(() => resolve({ changed: changed - pressed, frame: performance.now() - pressed }));
    });
    setTimeout(() => { observer.disconnect(); resolve(null); }, 3000);
    observer.observe(output, { subtree: true, childList: true, characterData: true, attributes: true });
  });
}"""

SETTLED = "jupyterapp.shell.currentWidget.sessionContext.session.kernel.status === 'idle'"


def notebook():
    """Return a notebook with the three sliders."""
    cells = [nbformat.v4.new_code_cell(source.strip()) for source in (SET_UP, OURS, IDIOM, TEXT)]
    return nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": {"name": "python3", "display_name": "Python"}})


def press(lab, output, kind, key):
    """Press a key on a slider and return the times to the change and to the frame after it, in milliseconds.

    Returns None when nothing changed within three seconds, as at the end of a slider.
    """
    page = lab.page
    output.locator(".noUi-handle").first.focus()
    page.wait_for_timeout(100)  # for what moving the focus makes the notebook do
    page.wait_for_function(SETTLED)
    page.evaluate(ARM, [output.element_handle(), STATE[kind]])
    page.keyboard.press(key)
    return page.evaluate("window.change")


def measure(lab, presses):
    """Return the times of every kind: the sliders go from the smallest C to the largest and back, taking turns."""
    outputs = {kind: lab.cell(index).locator(".jp-OutputArea").first for index, kind in enumerate(STATE, start=1)}
    lab.page.evaluate("document.querySelector('.jp-Notebook').scrollTop = 0")
    for output in outputs.values():
        output.locator(".noUi-handle").focus()
        lab.page.keyboard.press("Home")
        lab.page.wait_for_timeout(1500)
    times = {kind: [] for kind in STATE}
    for number in range(presses):
        for kind in list(STATE)[number % 3 :] + list(STATE)[: number % 3]:
            key = "ArrowRight" if number // 30 % 2 == 0 else "ArrowLeft"
            time = press(lab, outputs[kind], kind, key)
            if time is None:
                raise RuntimeError(f"{kind}: expected a change within three seconds of press {number}, saw none")
            times[kind].append(time)
    return times


def report(times):
    """Print the table and return whether both bounds are kept."""
    print("            to the changed picture                    to the next frame    [ms]")
    print("            lower quartile   median   upper quartile        median")
    quartiles = {kind: quantiles((time["changed"] for time in each), n=4) for kind, each in times.items()}
    for kind, (low, middle, high) in quartiles.items():
        frame = median(time["frame"] for time in times[kind])
        print(f"  {kind:8} {low:12.1f} {middle:12.1f} {high:12.1f} {frame:18.1f}      {len(times[kind])} presses")
    kept = True
    for other, bound in LARGEST_RATIO.items():
        low, middle, _ = (ours / theirs for ours, theirs in zip(quartiles["ours"], quartiles[other]))
        verdict = "kept" if max(low, middle) <= bound else "MISSED"
        kept &= verdict == "kept"
        print(f"  ours / {other}: lower quartiles {low:.2f}, medians {middle:.2f}, bound {bound}: {verdict}")
    return kept


def in_jupyterlab(notebook, measure):
    """Return ``measure(lab)`` for a notebook that was opened and run in JupyterLab in headless Chromium."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        root, settings = Path(folder, "notebooks"), Path(folder, "settings")
        root.mkdir()
        nbformat.write(notebook, root / "latency.ipynb")
        with running_lab(root, settings) as address:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"))
            page = browser.new_page(viewport={"width": 1300, "height": 2400})
            lab = LabNotebook(page, address("latency.ipynb"))
            errors = [each for cell in lab.run_all() for each in cell["outputs"] if each["output_type"] == "error"]
            if errors:
                raise RuntimeError(f"expected no error in the notebook, got {errors[0]}")
            page.wait_for_timeout(2000)
            measured = measure(lab)
            browser.close()
    return measured


def main(arguments):
    presses = int(arguments[0]) if arguments else 60
    return 0 if report(in_jupyterlab(notebook(), lambda lab: measure(lab, presses))) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
