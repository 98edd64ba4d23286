"""How long the pictures of chapters 9 to 12 and 17 to 19 take in JupyterLab, against a text-only round trip.

Usage: python benchmarks/chapter_latency.py [presses [name ...]]     (all pictures by default)

The first slider of every picture and a slider that only writes its value take turns; times are taken as in
`jupyterlab_latency`, which says why medians jump: the bound here is for lower quartiles, medians are printed too.
Exits with 1 when a picture misses it.
"""

import sys
from statistics import median, quantiles

import nbformat
from jupyterlab_latency import STATE, TEXT, in_jupyterlab, press

LARGEST_RATIO = 2.0
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
    """Return a notebook with one picture a cell, and the text at the end."""
    sources = [f"from mlcore.pictures.{module} import {name}\n{name}()" for module, name in pictures.items()]
    cells = [nbformat.v4.new_code_cell(source.strip()) for source in (SET_UP, *sources, TEXT)]
    return nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": {"name": "python3", "display_name": "Python"}})


def measure(lab, pictures, presses):
    """Return the times of every picture and of the text, whose slider is pressed after each of theirs."""
    text = lab.cell(len(pictures) + 1).locator(".jp-OutputArea").first
    times = {name: [] for name in (*pictures.values(), "text")}
    for index, name in enumerate(pictures.values(), start=1):
        output = lab.cell(index).locator(".jp-OutputArea").first
        output.locator(".noUi-handle").first.focus()
        lab.page.keyboard.press("Home")
        lab.page.wait_for_timeout(700)
        key, turned = "ArrowRight", 0
        while len(times[name]) < presses and turned < 3:
            time = press(lab, output, "picture", key)
            if time is None:  # the end of the slider, or a position that changes nothing
                key, turned = {"ArrowRight": "ArrowLeft", "ArrowLeft": "ArrowRight"}[key], turned + 1
                continue
            times[name].append(time["changed"])
            text_key = "ArrowRight" if len(times["text"]) // 25 % 2 == 0 else "ArrowLeft"
            times["text"].append(press(lab, text, "text", text_key)["changed"])
    return times


def report(pictures, times):
    """Print the table and return whether every picture keeps the bound."""
    text_low, text_middle = quantiles(times["text"], n=4)[0], median(times["text"])
    print(f"  text                       lower quartile {text_low:6.1f}   median {text_middle:6.1f} ms")
    missed = []
    for name in pictures.values():
        if len(times[name]) < 5:
            raise RuntimeError(f"{name}: expected a slider that changes the picture, saw {len(times[name])} changes")
        low, middle = quantiles(times[name], n=4)[0], median(times[name])
        ratio = low / text_low
        verdict = "kept" if ratio <= LARGEST_RATIO else "MISSED"
        missed += [name] * (verdict == "MISSED")
        print(
            f"  {name:26} lower quartile {low:6.1f}   median {middle:6.1f} ms   ratio {ratio:.2f} "
            f"(medians {middle / text_middle:.2f}), bound {LARGEST_RATIO}: {verdict}"
        )
    return not missed


def main(arguments):
    presses, names = int(arguments[0]) if arguments else 20, arguments[1:]
    pictures = {module: name for module, name in PICTURES.items() if name in names or not names}
    times = in_jupyterlab(notebook(pictures), lambda lab: measure(lab, pictures, presses))
    return 0 if report(pictures, times) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
