"""Write copies of the notebooks without solutions and outputs, to hand out.

Usage: python book/tools/make_exercises.py [folder]     (_build/exercises by default)
"""

import sys
from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parents[2]


def without_solutions(notebook):
    """Return `notebook` without the cells tagged "solution" and without outputs."""
    notebook.cells = [cell for cell in notebook.cells if "solution" not in cell.metadata.get("tags", [])]
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    return notebook


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        nbformat.write(without_solutions(nbformat.read(path, as_version=4)), folder / path.name)
        print(folder / path.name)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "_build" / "exercises")
