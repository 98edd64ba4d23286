"""How long the pictures of chapters 9 to 12 and 17 to 19 take in JupyterLab, against a text-only round trip.

Usage: python benchmarks/chapter_latency.py [presses [name ...]]     (all pictures by default)

The first slider of every picture and a slider below it that only writes its value take turns; times are taken as in
`jupyterlab_latency`. The bound is for lower quartiles, which other work on the machine disturbs least; medians are
printed too. Exits with 1 when a picture misses it.
"""

import sys
from statistics import median, quantiles

import nbformat
from jupyterlab_latency import STATE, TEXT, in_jupyterlab, press

LARGEST_RATIO = 2.0
TOGETHER = 4  # pictures in a notebook: in a long one JupyterLab itself is slow, which would hide ours
PICTURES = {
    "tangent_curves": "tangent_curves",
    "force_balance": "ball_and_walls",
    "duality_gap": "duality_gap",
    "flipped_labels": "flipped_labels",
    "lifted_circle": "lifted_circle",
    "kernel_machines": "gaussian_machine",
    "landmarks": "landmarks",
    "gram_spectrum": "gram_spectrum",
    "eigen_features": "eigen_features",
    "reproducing_property": "reproducing_property",
    "smo_run": "smo_run",
    "pair_box": "one_pair",
    "smo_variants": "smo_variants",
    "tube": "curve_and_tube",
    "penalties": "two_penalties",
    "springs": "springs",
    "weight_posterior": "weight_posterior",
    "gaussian_slice": "gaussian_slice",
    "two_points_of_a_curve": "two_points_of_a_curve",
    "gaussian_process": "regression",
    "arriving_points": "arriving_points",
    "likelihood_over_width": "likelihood_over_width",
    "covariance_functions": "covariance_functions",
    "covariance_extrapolation": "covariance_extrapolation",
    "two_tasks": "two_tasks",
}
STATE["picture"] = "output => output.querySelector('.explorable-live [role=img]')?.innerHTML"  # the moving layer
SET_UP = "import ipywidgets as widgets\nvalues = [float(value) for value in range(31)]"


def notebook(pictures):
    """Return a notebook with one picture a cell, each followed by a cell with the text."""
    sources = [SET_UP]
    for module, name in pictures.items():
        sources += [f"from mlcore.pictures.{module} import {name}\n{name}()", TEXT.strip()]
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    return nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": {"name": "python3", "display_name": "Python"}})


def measure(lab, pictures, presses):
    """Return for every picture its times and those of the text below it, whose sliders are pressed in turn."""
    times = {}
    for number, name in enumerate(pictures.values()):
        picture, text = (lab.cell(2 * number + which).locator(".jp-OutputArea").first for which in (1, 2))
        picture.locator(".noUi-handle").first.focus()
        lab.page.keyboard.press("Home")
        lab.page.wait_for_timeout(700)
        found = times[name] = {"picture": [], "text": []}
        key, turned = "ArrowRight", 0
        while len(found["picture"]) < presses and turned < 3:
            time = press(lab, picture, "picture", key)
            if time is None:  # the end of the slider, or a position that changes nothing
                key, turned = {"ArrowRight": "ArrowLeft", "ArrowLeft": "ArrowRight"}[key], turned + 1
                continue
            found["picture"].append(time["changed"])
            text_key = "ArrowRight" if len(found["text"]) // 25 % 2 == 0 else "ArrowLeft"
            found["text"].append(press(lab, text, "text", text_key)["changed"])
    return times


def report(times):
    """Print the table and return whether every picture keeps the bound."""
    print("  lower quartile and median, ms         picture          text      ratio of both")
    missed = []
    for name, found in times.items():
        if len(found["picture"]) < 5:
            raise RuntimeError(f"{name}: expected a slider that changes the picture, saw fewer than five changes")
        (low, middle), (text_low, text_middle) = (
            (quantiles(found[kind], n=4)[0], median(found[kind])) for kind in ("picture", "text")
        )
        ratio = low / text_low
        verdict = "kept" if ratio <= LARGEST_RATIO else "MISSED"
        missed += [name] * (verdict == "MISSED")
        print(
            f"  {name:32} {low:6.1f} {middle:6.1f}   {text_low:6.1f} {text_middle:6.1f}   {ratio:6.2f} "
            f"{middle / text_middle:6.2f}   bound {LARGEST_RATIO} for the first: {verdict}"
        )
    return not missed


def main(arguments):
    presses, names = int(arguments[0]) if arguments else 20, arguments[1:]
    pictures = [item for item in PICTURES.items() if item[1] in names or not names]
    times = {}
    for first in range(0, len(pictures), TOGETHER):
        few = dict(pictures[first : first + TOGETHER])
        times |= in_jupyterlab(notebook(few), lambda lab, few=few: measure(lab, few, presses))
    return 0 if report(times) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
