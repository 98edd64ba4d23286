"""Run every check of the project, one after the other, and say how long each took.

Usage: python book/tools/run_tests.py [name ...]     (all by default; names as in STEPS)
"""

import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(sys.executable).parent
PYTEST = [sys.executable, "-m", "pytest"]
NOTEBOOKS = ["--nbval", "--nbval-cell-timeout=120", "-p", "no:cacheprovider", "--override-ini=addopts="]
NOTEBOOKS += ["--numprocesses=auto", "--dist=loadfile"]
STEPS = {
    "style": [BIN / "ruff", "check", "."],
    "format": [BIN / "ruff", "format", "--check", "."],
    "unit": [*PYTEST, "mlcore", "tests", "--ignore=tests/browser", "--numprocesses=auto"],
    "notebooks": [*PYTEST, *NOTEBOOKS, "--override-ini=filterwarnings=", "notebooks", "book"],
    "book": [BIN / "jupyter-book", "build", ".", "-W", "-n", "--keep-going"],
    "browser": [*PYTEST, "tests/browser", "--ignore=tests/browser/test_jupyterlab_chapters.py"],
    "jupyterlab": [*PYTEST, "tests/browser/test_jupyterlab_chapters.py", "--numprocesses=auto"],
}


def main(names):
    unknown = set(names) - set(STEPS)
    if unknown:
        sys.exit(f"expected names among {', '.join(STEPS)}, got {', '.join(sorted(unknown))}")
    failed = []
    for number, name in enumerate(names, start=1):
        print(f"\n=== {name} ({number} of {len(names)})", flush=True)
        # Stored outputs are those of preview mode; the book's extension sets its own.
        environment = os.environ | ({"MLCORE_EXPLORE": "preview"} if name == "notebooks" else {})
        start = time.perf_counter()
        code = subprocess.run(list(map(str, STEPS[name])), cwd=ROOT, env=environment).returncode
        print(f"=== {name}: {'passed' if code == 0 else 'FAILED'} in {time.perf_counter() - start:.0f} s", flush=True)
        if code:
            failed.append(name)
    print(f"\n{len(names) - len(failed)} passed, {len(failed)} failed" + (": " + ", ".join(failed) if failed else ""))
    sys.exit(bool(failed))


if __name__ == "__main__":
    main(sys.argv[1:] or list(STEPS))
