"""Notebooks run side by side, one kernel each."""

import asyncio
import os
import re
import time
from concurrent.futures import ThreadPoolExecutor, as_completed

import joblib
import nbformat
from nbclient import NotebookClient

# Kernels that run side by side leave each other a processor.
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


def longest_first(paths):
    """Return `paths` so that who takes longest begins first: it is the pictures that take time."""
    return sorted(paths, key=lambda path: -path.read_text(encoding="utf-8").count('"image/png"'))


def run(path, timeout):
    """Run the notebook at `path` in a kernel of its own.

    Returns
    -------
    notebook : nbformat.NotebookNode
        With its outputs.
    seconds : float

    Raises
    ------
    RuntimeError
        When a cell fails, takes longer than `timeout` seconds or loses its kernel: says which cell, and why.
    """
    notebook = nbformat.read(path, as_version=4)
    began = []
    client = NotebookClient(
        notebook,
        timeout=timeout,
        kernel_name="python3",
        record_timing=False,  # times in the metadata of cells would be part of what the cache compares
        resources={"metadata": {"path": str(path.parent)}},
        on_cell_start=lambda cell, cell_index: began.append(cell_index),
    )
    start = time.perf_counter()
    try:
        asyncio.run(client.async_execute(env={**ONE_THREAD, **os.environ}))
    except Exception as error:
        cell = f"cell {began[-1] + 1} of {len(notebook.cells)}" if began else "before the first cell"
        raise RuntimeError(f"{cell}: {_COLOURS.sub('', str(error))}") from error
    return notebook, time.perf_counter() - start


def run_side_by_side(paths, timeout, keep, show):
    """Run notebooks in as many kernels as there are processors.

    Parameters
    ----------
    paths : list of pathlib.Path
    timeout : float
        Seconds that a cell may take.
    keep : callable
        ``keep(path, notebook, seconds)`` is called in this thread for each notebook that ran to its end.
    show : callable
        ``show(line)`` gets one line for each notebook that has ended.

    Returns
    -------
    list of str
        What went wrong, one text for each notebook that failed.
    """
    failures = []
    with ThreadPoolExecutor(joblib.cpu_count()) as pool:
        started = {pool.submit(run, path, timeout): path for path in longest_first(paths)}
        for number, ended in enumerate(as_completed(started), start=1):
            path = started[ended]
            try:
                notebook, seconds = ended.result()
                keep(path, notebook, seconds)
                result = f"{seconds:.0f} s"
            except (RuntimeError, ValueError) as error:
                failures.append(f"{path.name}, {error}")
                result = "FAILED"
            show(f"[{number}/{len(paths)}] {path.name}: {result}")
    return failures
