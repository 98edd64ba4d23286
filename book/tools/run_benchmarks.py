"""Run the benchmarks of the project: each prints its ratios and their bounds.

Usage: python book/tools/run_benchmarks.py [name ...]     (file names in benchmarks/ without .py; all by default)
"""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def main(names):
    files = [ROOT / "benchmarks" / f"{name}.py" for name in names] or sorted((ROOT / "benchmarks").glob("*.py"))
    # A processor type forced on OpenBLAS slows some libraries more than others: no fair comparison.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("OPENBLAS_")}
    missed = []
    for path in files:
        print(f"\n=== {path.stem}", flush=True)
        if subprocess.run([sys.executable, path], cwd=ROOT, env=environment).returncode:
            missed.append(path.stem)
    print(
        f"\n{len(files) - len(missed)} of {len(files)} benchmarks within their bounds"
        + "".join(f"\n  missed: {m}" for m in missed)
    )
    sys.exit(bool(missed))


if __name__ == "__main__":
    main(sys.argv[1:])
