"""What is stored in the notebooks: every cell was run, and nothing but text and small stills came out."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb")) + sorted((ROOT / "book").glob("*.ipynb"))
LONGEST_CELL = 20


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: path.stem)
def notebook(request):
    return json.loads(request.param.read_text(encoding="utf-8"))


def _code_cells(notebook):
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code" and "".join(cell["source"]).strip()]


def test_there_are_notebooks():
    assert NOTEBOOKS


def test_every_code_cell_was_run_in_order(notebook):
    counts = [cell["execution_count"] for cell in _code_cells(notebook)]
    assert counts == list(range(1, len(counts) + 1))


def test_outputs_are_text_and_small_stills(notebook):
    assert "widgets" not in notebook["metadata"]
    for cell in _code_cells(notebook):
        for output in cell["outputs"]:
            assert output["output_type"] in {"stream", "execute_result", "display_data"}, cell["source"]
            assert output.get("name") != "stderr", output
            assert set(output.get("data", {})) <= {"text/plain", "image/png"}
            assert len(output.get("data", {}).get("image/png", "")) < 60_000


def test_no_object_is_shown_by_its_address(notebook):
    for cell in _code_cells(notebook):
        for output in cell["outputs"]:
            text = "".join(output.get("text", [])) + "".join(output.get("data", {}).get("text/plain", []))
            assert not re.search(r"0x[0-9a-f]{6,}", text), text


def test_cells_are_short(notebook):
    for cell in _code_cells(notebook):
        lines = [line for line in "".join(cell["source"]).splitlines() if line.strip()]
        assert len(lines) <= LONGEST_CELL, "".join(cell["source"])


def test_solutions_fold_in_the_page_and_in_jupyterlab(notebook):
    for cell in notebook["cells"]:
        if "solution" in cell["metadata"].get("tags", []):
            assert "hide-cell" in cell["metadata"]["tags"]
            assert cell["metadata"]["jupyter"] == {"source_hidden": True, "outputs_hidden": True}
            # JupyterLab shows the first line of a folded cell.
            assert "".join(cell["source"]).splitlines()[0] == "# Solution"


def test_every_exercise_has_a_check_and_a_solution():
    for path in NOTEBOOKS:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        text = ["".join(cell["source"]) for cell in cells]
        exercises = sum(source.count("```{exercise}") for source in text)
        solutions = sum("solution" in cell["metadata"].get("tags", []) for cell in cells)
        checks = [s for s, c in zip(text, cells) if c["cell_type"] == "code" and "from mlcore.exercises" in s]
        assert exercises == solutions, path.stem
        assert len(checks) >= exercises, path.stem
