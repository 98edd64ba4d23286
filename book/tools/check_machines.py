"""Check that the book prints the same on every machine: run it as processors of other makes and years would.

Usage: python book/tools/check_machines.py [chapter ...]     (two digits each, or "errata"; everything by default)

The last bit of a product of matrices depends on the processor. OpenBLAS and NumPy choose their inner loops when they
are loaded, so one machine can play several: each variant below runs every code cell of every notebook, asks every
picture that comes out for its readout at every position of the page, and runs the tests that hold printed numbers.
Cells must print what is stored; readouts must be those of this machine's own choice. No cell is left out, but pictures
are not drawn: stills are not compared, and what they show stands in the readout. All variants run on one thread; the
ordinary run of the notebooks takes as many as the machine has.
"""

import json
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SIDE_BY_SIDE = 2
KERNELS = {  # of OpenBLAS, and the features, as NumPy names them, without which a processor cannot run them
    "Prescott": ("SSE3",),
    "Sandybridge": ("AVX",),
    "Haswell": ("AVX2", "FMA3"),
    "SkylakeX": ("AVX512F", "AVX512BW", "AVX512DQ", "AVX512VL"),
}
TESTS = ["mlcore", "tests/test_claims.py", "tests/pictures", "-k", "mlcore or claims or text"]  # doctests and numbers


def main(names):
    start = time.perf_counter()
    paths = chosen(names)
    own = kernels_taken({})
    print(f"own: OpenBLAS takes {own}")
    variants = {"own": {}, **plain_arithmetic()}
    for name, needed in KERNELS.items():
        missing = [feature for feature in needed if not features().get(feature)]
        taken = None if missing else kernels_taken({"OPENBLAS_CORETYPE": name})
        if missing:
            print(f"{name}: skipped, this processor has no {', '.join(missing)}")
        elif taken == own:
            print(f"{name}: skipped, it is what this machine takes by itself")
        else:
            print(f"{name}: OpenBLAS takes {taken}")
            variants[name] = {"OPENBLAS_CORETYPE": name}
    with ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
        jobs = {name: pool.submit(run_variant, name, variables, paths) for name, variables in variants.items()}
        differences = []
        for name, job in jobs.items():
            found = failed_tests(name, job.result()[1])
            found += compare(name, job.result()[0], jobs["own"].result()[0], paths)
            print("\n".join(found), flush=True)
            differences += found
    print(f"\n{len(differences)} differences in {len(jobs)} variants; {time.perf_counter() - start:.0f} s")
    sys.exit(bool(differences))


def chosen(names):
    """Return the notebooks whose file names start with `names`, or all."""
    paths = [*sorted((ROOT / "notebooks").glob("*.ipynb")), *sorted((ROOT / "book").glob("*.ipynb"))]
    unknown = [name for name in names if not any(path.name.startswith(name) for path in paths)]
    if unknown:
        sys.exit(f"expected the first letters of notebooks' names, got {', '.join(unknown)}")
    return [path for path in paths if not names or path.name.startswith(tuple(names))]


def features():
    """Return which features this processor has, as NumPy names them."""
    from numpy._core._multiarray_umath import __cpu_features__

    return __cpu_features__


def plain_arithmetic():
    """Return the variant in which NumPy and the C library do without vector instructions and fused products."""
    from numpy._core._multiarray_umath import __cpu_dispatch__

    here = [feature for feature in __cpu_dispatch__ if features()[feature]]
    if not here:
        print("plain: skipped, NumPy uses no feature of this processor that could be switched off")
        return {}
    print(f"plain: NumPy without {', '.join(here)}, the C library without FMA and AVX")
    variables = {"NPY_DISABLE_CPU_FEATURES": " ".join(here)}
    return {"plain": variables | {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-FMA,-FMA4,-AVX,-AVX2,-AVX512F"}}


def kernels_taken(variables):
    """Return the kernels that the copies of OpenBLAS in NumPy and SciPy take under `variables`."""
    code = "import numpy, scipy.linalg, threadpoolctl as t; "
    code += "print(*sorted({i['architecture'] for i in t.threadpool_info() if 'architecture' in i}), sep=' and ')"
    run = subprocess.run([sys.executable, "-c", code], env=environment(variables), capture_output=True, text=True)
    return run.stdout.strip() if run.returncode == 0 else f"nothing: {run.stderr.strip().splitlines()[-1]}"


def environment(variables):
    """Return the environment with `variables`, one thread, and nothing else that chooses inner loops."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("OPENBLAS_", "NPY_"))}
    return kept | {"MLCORE_EXPLORE": "preview", "OPENBLAS_NUM_THREADS": "1"} | variables


def run_variant(name, variables, paths):
    """Return what the notebooks print with `variables`, {notebook: [[text, readouts] of each cell]}, and the tests."""
    start = time.perf_counter()
    run = subprocess.run(
        [sys.executable, __file__, "--run", *map(str, paths)],
        env=environment(variables),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    notebooks = time.perf_counter()
    print(f"{name}: notebooks in {notebooks - start:.0f} s", flush=True)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *TESTS]
    tests = None
    if variables and len(paths) > 1:
        tests = subprocess.run(command, cwd=ROOT, env=environment(variables), capture_output=True, text=True)
        print(f"{name}: tests in {time.perf_counter() - notebooks:.0f} s", flush=True)
    return json.loads(run.stdout), tests


def failed_tests(name, run):
    """Return a list with what the tests printed, empty if they passed."""
    return [f"\n{name}: tests\n{run.stdout[-5000:]}{run.stderr[-1000:]}"] if run and run.returncode else []


def run_notebooks(paths):
    """Print as JSON what each notebook prints, each in a fork of its own of a process that has imported the rest."""
    import cvxopt  # noqa: F401
    import IPython.core.interactiveshell  # noqa: F401
    import matplotlib.pyplot  # noqa: F401
    import sklearn.svm  # noqa: F401

    with get_context("fork").Pool(1, maxtasksperchild=1) as pool:
        json.dump(dict(zip(paths, pool.map(run_notebook, paths, chunksize=1))), sys.stdout)


def run_notebook(path):
    """Return the text of each code cell, and the readouts of its picture at every position of the page."""
    import nbformat
    from IPython.core.interactiveshell import InteractiveShell
    from IPython.utils.capture import capture_output

    from mlcore.explore import Explorable

    pictures = []

    def text_alone(self, include=None, exclude=None):
        pictures.append(self)
        return {"text/plain": f"{self.title}\n{self.describe(**self.start)}"}

    Explorable._repr_mimebundle_ = text_alone
    os.chdir(Path(path).parent)
    shell, cells = InteractiveShell.instance(), []
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type != "code":
            continue
        pictures.clear()
        with capture_output() as captured:
            outcome = shell.run_cell(cell.source, store_history=True)
        text = re.sub(r"^Out\[\d+\]: ?\n?", "", captured.stdout, flags=re.MULTILINE) + captured.stderr
        if not outcome.success:
            text += repr(outcome.error_before_exec or outcome.error_in_exec)
        readouts = {f"{p.title}, {s}": p.describe(**s) for p in pictures for s in p.page_states()}
        cells.append([text, readouts])
    return cells


def compare(variant, result, own, paths):
    """Yield a paragraph for each cell that prints something else than is stored, and for each other readout."""
    for path in paths:
        stored = [text_of(cell) for cell in json.loads(path.read_text())["cells"] if cell["cell_type"] == "code"]
        for number, (text, readouts) in enumerate(result[str(path)]):
            if text.split() != stored[number].split():
                yield f"\n{variant}: {path.stem} cell {number}\nstored: {stored[number]}\nprinted: {text}"
            for state, readout in own[str(path)][number][1].items():
                if readouts.get(state) != readout:
                    other = readouts.get(state)
                    yield f"\n{variant}: {path.stem} cell {number}, {state}\nown: {readout}\nhere: {other}"


def text_of(cell):
    """Return what is stored of a code cell's output as text."""
    parts = [output.get("text", output.get("data", {}).get("text/plain", "")) for output in cell["outputs"]]
    return "".join("".join(part) for part in parts)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--run"]:
        run_notebooks(sys.argv[2:])
    else:
        main(sys.argv[1:])
