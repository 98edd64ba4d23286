"""How fast a built page answers, how much it weighs, and what stills would weigh instead.

Usage: python benchmarks/page_latency.py [chapter ...]     (all by default; run `make book` first)

For every explorable of the page: the work on a key press and the time until it is painted (see
benchmarks/stopwatch.py), and the bytes of a state as the page carries them. For comparison, the same states as
paletted PNG at twice the pixel density: bytes in base64, and the time until such a still is decoded and painted.
Exits with 1 when the median work of a key press is longer than a frame or the page heavier than 4 MB.
"""

import ast
import base64
import io
import json
import os
import shutil
import sys
import zlib
from contextlib import redirect_stdout
from pathlib import Path
from statistics import median, quantiles

import nbformat
from playwright.sync_api import sync_playwright
from stopwatch import FRAME, timed_sweep

from mlcore.explore import Explorable
from mlcore.explore.scene import Scene

ROOT = Path(__file__).resolve().parents[1]
BOOK = Path(os.environ.get("MARGINS_BOOK", ROOT / "_build" / "html")).resolve()

LARGEST_PAGE = 4_000_000  # bytes
PRESSES = 40
STILLS = 12  # of each explorable, evenly spread over its states

STILL = """async (addresses) => {
  const image = document.body.appendChild(document.createElement("img"));
  const times = [];
  for (const address of addresses) {
    const start = performance.now();
    image.src = address;
    await image.decode();
    const decoded = performance.now();
    times.push(await new Promise((resolve) => requestAnimationFrame(() => {
      const frame = performance.now();
      const channel = new MessageChannel();
      channel.port1.onmessage = () => resolve(decoded - start + performance.now() - frame);
      channel.port2.postMessage(null);
    })));
  }
  image.remove();
  return times;
}"""


def explorables(notebook):
    """Return the explorables with controls that the code cells of a notebook end with, in their order."""
    found, names = [], {}
    for cell in nbformat.read(notebook, as_version=4).cells:
        if cell.cell_type != "code":
            continue
        tree = ast.parse(cell.source)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, str(notebook), "exec"), names)
        value = None if last is None else eval(compile(ast.Expression(last.value), str(notebook), "eval"), names)
        if isinstance(value, Explorable) and value.controls:
            found.append(value)
    return found


def stills(explorable, width):
    """Return some states as base64 texts of PNGs that are `width` pixels wide."""
    states = explorable.page_states()
    scene = Scene(explorable)
    chosen = states[:: -(-len(states) // STILLS)]
    return [base64.b64encode(scene.png(state, dots_per_inch=width / explorable.size[0])).decode() for state in chosen]


def measure(figure, explorable):
    """Return the numbers of one explorable, sizes in bytes and times in milliseconds."""
    packed = figure.locator(".explorable-states").text_content()
    payload = json.loads(zlib.decompress(base64.b64decode(packed), -zlib.MAX_WBITS))
    if payload["title"] != explorable.title:
        raise RuntimeError(f"expected {explorable.title!r} in the page, got {payload['title']!r}; build the book again")
    panels = figure.locator(".explorable-picture > svg").all()
    pngs = stills(explorable, width=2 * sum(panel.bounding_box()["width"] for panel in panels))
    addresses = [f"data:image/png;base64,{png}" for png in pngs]
    slider = figure.locator("input[type=range]")
    return {
        "title": explorable.title,
        "states": len(payload["index"]),
        "vector": len(packed) / len(payload["index"]),
        "still": sum(map(len, pngs)) / len(pngs),
        "presses": timed_sweep(slider.first, PRESSES) if slider.count() else [],
        "still times": figure.page.evaluate(STILL, addresses),
    }


def report(numbers):
    """Print one line an explorable and return whether each works off a key press within a frame."""
    print("                                       work on a key press  painted after   bytes a state    PNG still 2x")
    print("  explorable                   states  median     95 %     median  95 %      vector   still   painted in")
    kept = True
    for each in numbers:
        work, painted = ([press[name] for press in each["presses"]] or [0, 0] for name in ("work", "painted"))
        kept &= median(work) <= FRAME
        print(
            f"  {each['title'][:28]:28} {each['states']:6} {median(work):7.1f} {quantiles(work, n=20)[-1]:8.1f}"
            f" {median(painted):10.1f} {quantiles(painted, n=20)[-1]:5.1f}"
            f" {each['vector']:11.0f} {each['still']:7.0f} {median(each['still times']):9.1f} ms"
        )
    return kept


def check(page, chapter):
    """Print the numbers of a chapter and return whether its bounds are kept."""
    path = BOOK / "notebooks" / f"{chapter}.html"
    if not path.is_file():
        sys.exit(f"There is no {path}: run `make book` first.")
    with redirect_stdout(io.StringIO()):  # what the cells print is not of interest here
        found = explorables(ROOT / "notebooks" / f"{chapter}.ipynb")
    page.goto(path.as_uri())
    page.wait_for_function(
        "[...document.querySelectorAll('.explorable-controls')].every((e) => e.closest('figure').dataset.ready)"
    )
    page.evaluate("document.querySelectorAll('details').forEach((fold) => { fold.open = true; })")
    figures = page.locator("figure.explorable:has(> .explorable-controls)").all()
    print(f"\n{chapter}")
    kept = report([measure(figure, explorable) for figure, explorable in zip(figures, found, strict=True)])
    weight = path.stat().st_size
    print(f"  bound for the median work {FRAME:.0f} ms: {'kept' if kept else 'MISSED'}")
    print(f"  the page weighs {weight / 1e6:.2f} MB, bound 4 MB: {'kept' if weight <= LARGEST_PAGE else 'MISSED'}")
    return kept and weight <= LARGEST_PAGE


def main(arguments):
    chapters = arguments or sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb"))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"))
        page = browser.new_page(viewport={"width": 1200, "height": 900})
        kept = [check(page, chapter) for chapter in chapters]
        browser.close()
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
