"""Run every check of the project, one after the other, or those of one chapter, and say how long each took.

Usage: python book/tools/run_tests.py [--chapter 07] [step ...]     (all steps by default)
"""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import yaml
from browser import BROWSER_VARIABLE, NO_BROWSER, get_browser

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(sys.executable).parent
PYTEST = [sys.executable, "-m", "pytest"]
PARALLEL = "--numprocesses=auto"
NOTEBOOKS = ["--nbval", "--nbval-cell-timeout=120", "-p", "no:cacheprovider", "--override-ini=addopts="]
NOTEBOOKS += ["--override-ini=filterwarnings="]
BUILD = [BIN / "jupyter-book", "build", ".", "-W", "--keep-going"]
STYLE = {"style": [BIN / "ruff", "check", "."], "format": [BIN / "ruff", "format", "--check", "."]}
STEPS = STYLE | {  # what fails soonest comes first
    "unit": [*PYTEST, "mlcore", "tests", "--ignore=tests/browser", PARALLEL],
    "notebooks": [*PYTEST, *NOTEBOOKS, PARALLEL, "--dist=loadfile", "notebooks", "book"],
    "machines": [sys.executable, "book/tools/check_machines.py"],
    "book": [*BUILD, "-n"],
    "browser": [*PYTEST, "tests/browser", "--ignore=tests/browser/test_jupyterlab_chapters.py"],
    "jupyterlab": [*PYTEST, "tests/browser/test_jupyterlab_chapters.py", PARALLEL],
}
# Stored outputs are those of preview mode; the book's extension sets its own.
ENVIRONMENT = {"notebooks": {"MLCORE_EXPLORE": "preview"}}
IN_A_BROWSER = {"browser", "jupyterlab"}


def chapter_files(chapter, root):
    """Return the notebook of a chapter, given by its number, and the tests of its pictures and exercises."""
    found = sorted((root / "notebooks").glob(f"{chapter}_*.ipynb"))
    if len(found) != 1:
        numbers = ", ".join(sorted(path.name[:2] for path in (root / "notebooks").glob("*.ipynb")))
        raise ValueError(f"chapter: expected one of {numbers}, got {chapter!r}")
    topic = found[0].stem.partition("_")[2]
    kinds = ("pictures", "exercises")
    names = [name for kind in kinds for name in (f"test_{kind}_{topic}.py", f"{kind}/test_{topic}.py")]
    return found[0], [path for name in names if (path := root / "tests" / name).exists()]


def chapter_steps(chapter, root=ROOT):
    """Return commands and environments of the steps for one chapter; its page is built alone, as a book of one page.

    References to the other pages lead nowhere in it, so only they are no reason to fail.
    """
    notebook, tests = chapter_files(chapter, root)
    folder = root / "_build" / notebook.stem
    folder.mkdir(parents=True, exist_ok=True)
    config = yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8"))
    local = config["sphinx"]["local_extensions"]
    config["sphinx"]["local_extensions"] = {name: str(root / path) for name, path in local.items()}
    config["sphinx"]["config"]["suppress_warnings"] = ["ref", "myst.xref_missing", "bibtex.key_not_found"]
    contents = {"format": "jb-book", "root": f"notebooks/{notebook.stem}"}
    for name, content in (("_config.yml", config), ("_toc.yml", contents)):
        (folder / name).write_text(json.dumps(content), encoding="utf-8")  # which is YAML too
    page = ["--config", folder / "_config.yml", "--toc", folder / "_toc.yml", "--path-output", folder]
    all_pages = "tests/browser/test_book.py::test_every_page_of_the_table_of_contents_is_there"
    steps = STYLE | {
        "unit": [*PYTEST, *tests, PARALLEL],
        "notebooks": [*PYTEST, *NOTEBOOKS, notebook],
        "book": [*BUILD, *page],
        "browser": [*PYTEST, "tests/browser/test_book.py", f"--deselect={all_pages}"],
    }
    return steps, ENVIRONMENT | {"browser": {"MARGINS_BOOK": str(folder / "_build" / "html")}}


def run(name, command, environment):
    """Run one step and return its seconds and whether it passed."""
    start = time.perf_counter()
    code = subprocess.run(list(map(str, command)), cwd=ROOT, env=os.environ | environment).returncode
    seconds = time.perf_counter() - start
    print(f"=== {name}: {_result(code == 0)} in {seconds:.0f} s", flush=True)
    return seconds, code == 0


def table(results):
    """Return the lines that close a run: steps with seconds, their sum, and how many passed.

    `results` has seconds and success by the name of the step.
    """
    rows = [(name, seconds, _result(passed)) for name, (seconds, passed) in results.items()]
    rows.append(("together", sum(seconds for seconds, _ in results.values()), ""))
    failed = [name for name, (_, passed) in results.items() if not passed]
    return [
        *(f"{name:12}{seconds:6.0f} s  {result}".rstrip() for name, seconds, result in rows),
        f"{len(results) - len(failed)} passed, {len(failed)} failed" + (": " + ", ".join(failed) if failed else ""),
    ]


def _result(passed):
    return "passed" if passed else "FAILED"


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--chapter", help="its number, such as 07")
    parser.add_argument("names", nargs="*", metavar="step", help=f"among {', '.join(STEPS)}")
    given = parser.parse_args(arguments)
    try:
        steps, environment = chapter_steps(given.chapter) if given.chapter else (STEPS, ENVIRONMENT)
    except ValueError as error:
        sys.exit(str(error))
    names = given.names or list(steps)
    if unknown := set(names) - set(steps):
        sys.exit(f"expected steps among {', '.join(steps)}, got {', '.join(sorted(unknown))}")
    if IN_A_BROWSER & set(names):
        os.environ[BROWSER_VARIABLE] = get_browser() or sys.exit(NO_BROWSER)
    results = {}
    for number, name in enumerate(names, start=1):
        print(f"\n=== {name} ({number} of {len(names)})", flush=True)
        results[name] = run(name, steps[name], environment.get(name, {}))
    print("", *table(results), sep="\n")
    sys.exit(not all(passed for _, passed in results.values()))


if __name__ == "__main__":
    main(sys.argv[1:])
