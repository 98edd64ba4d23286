"""Run the notebooks and store what they print: text and small stills, nothing else.

Usage: python book/tools/execute_notebooks.py [notebook ...]     (all notebooks of the book by default)
"""

import os
import sys
from pathlib import Path

import nbformat

from mlcore.explore.mode import MODE_VARIABLE

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "book" / "_ext"))
from notebook_runs import run_side_by_side

KEPT = ("text/plain", "image/png")
FOLDED = {  # what makes a cell tagged "solution" fold in the page and in JupyterLab
    "tags": ["solution", "hide-cell"],
    "jupyter": {"source_hidden": True, "outputs_hidden": True},
    "mystnb": {"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"},
}


def all_notebooks():
    """Return the paths of the notebooks of the book."""
    return sorted((ROOT / "notebooks").glob("*.ipynb")) + sorted((ROOT / "book").glob("*.ipynb"))


def normalised(notebook):
    """Return `notebook` without what differs from run to run or cannot be shown everywhere."""
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    notebook.metadata = nbformat.from_dict({"kernelspec": kernel, "language_info": {"name": "python"}})
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number:03d}"
        cell.metadata.pop("execution", None)
        if cell.cell_type != "code":
            continue
        if "solution" in cell.metadata.get("tags", []):
            cell.metadata.update(nbformat.from_dict(FOLDED))
        cell.outputs = merged_streams(cell.outputs)
        for output in cell.outputs:
            if output.output_type == "stream" and output.name == "stderr":
                raise ValueError(f"cell {number}: expected no output on stderr, got {output.text[:300]!r}")
            if "data" in output:
                output.data = {kind: content for kind, content in output.data.items() if kind in KEPT}
                output.metadata = nbformat.from_dict({})
    return notebook


def merged_streams(outputs):
    """Return `outputs` with what one cell printed in one piece: how it was cut on its way is chance."""
    merged = []
    for output in outputs:
        if merged and output.output_type == "stream" == merged[-1].output_type and output.name == merged[-1].name:
            merged[-1].text += output.text
        else:
            merged.append(output)
    return merged


def store(path, notebook, seconds):
    """Write `notebook`, which was run, to `path` as it is kept in the repository."""
    nbformat.write(normalised(notebook), path)


def main(arguments):
    os.environ[MODE_VARIABLE] = "preview"
    paths = [Path(argument).resolve() for argument in arguments] or all_notebooks()
    sys.exit("\n\n".join(run_side_by_side(paths, 300, store, print)) or None)


if __name__ == "__main__":
    main(sys.argv[1:])
