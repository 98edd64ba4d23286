"""JupyterLab as a child process on this machine, and a notebook in it as a reader's browser shows it."""

import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path

_LEFT_OUT = ("MLCORE_EXPLORE", "MLCORE_EXPLORE_CACHE", "OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "JUPYTER_PATH")
"""Environment variables that would make the kernel another than a reader's."""

_CONFIGURATION = Path(__file__).resolve().parents[2] / "book" / "jupyter"
"""Folder of the server's settings, as for ``make lab`` and Binder."""

_SETTINGS = {"@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False}}


@contextmanager
def running_lab(root, settings):
    """Start JupyterLab with files in `root`, give its address, and end it with its kernels.

    Parameters
    ----------
    root : pathlib.Path
        Folder whose notebooks can be opened.
    settings : pathlib.Path
        Folder for configuration, workspaces and connection files, so that nothing of the user's is touched.

    Yields
    ------
    callable
        From the name of a notebook to its address, the token included.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    token = secrets.token_hex(16)
    environment = {name: value for name, value in os.environ.items() if name not in _LEFT_OUT}
    for kind in ("config", "data", "runtime"):
        environment[f"JUPYTER_{kind.upper()}_DIR"] = str(settings / kind)
    environment["JUPYTER_CONFIG_PATH"] = str(_CONFIGURATION)
    environment["IPYTHONDIR"] = str(settings / "ipython")
    overrides = settings / "config" / "labconfig" / "default_setting_overrides.json"
    overrides.parent.mkdir(parents=True)
    overrides.write_text(json.dumps(_SETTINGS))
    command = [
        sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ServerApp.ip=127.0.0.1",
        f"--ServerApp.port={port}", "--ServerApp.port_retries=0", f"--IdentityProvider.token={token}",
        f"--ServerApp.root_dir={root}", "--LabApp.expose_app_in_browser=True", "--LabApp.news_url=None",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate", "--LabApp.extension_manager=readonly",
    ]  # fmt: skip
    log = settings / "server.log"
    with log.open("w") as output:
        process = subprocess.Popen(
            command, cwd=root, env=environment, stdout=output, stderr=subprocess.STDOUT, start_new_session=True
        )
    try:
        _wait_until_up(process, f"http://127.0.0.1:{port}/api?token={token}", log)
        # A workspace of its own: the server would open again what another tab had open.
        yield lambda name: f"http://127.0.0.1:{port}/lab/workspaces/{Path(name).stem}/tree/{name}?token={token}"
    finally:
        _end(process)


def _wait_until_up(process, address, log, seconds=300):
    last = time.monotonic() + seconds
    while time.monotonic() < last and process.poll() is None:
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise RuntimeError(f"JupyterLab did not start within {seconds} s; it printed:\n{log.read_text()[-3000:]}")


def _end(process, seconds=20):
    """End the server, which on SIGTERM ends its kernels first, and then whatever is left of its group."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


class LabNotebook:
    """A notebook in JupyterLab.

    Parameters
    ----------
    page : playwright.sync_api.Page
    address : str
        From `running_lab`.
    """

    def __init__(self, page, address):
        self.page = page
        page.goto(address)
        page.wait_for_function(
            "window.jupyterapp?.shell?.currentWidget?.sessionContext?.session?.kernel?.status === 'idle'",
            timeout=300_000,
        )

    def run_all(self):
        """Run every cell, wait until all are done, and return index, count and outputs (as in nbformat) of the code."""
        return self.page.evaluate(
            """async () => {
              await jupyterapp.commands.execute("notebook:run-all-cells");
              const cells = jupyterapp.shell.currentWidget.content.widgets.filter((cell) => cell.model.type === "code");
              return cells.map((cell) => ({
                index: jupyterapp.shell.currentWidget.content.widgets.indexOf(cell),
                count: cell.model.executionCount,
                outputs: cell.model.outputs.toJSON(),
              }));
            }"""
        )

    def settle(self):
        """Wait until the kernel has answered every move of a control, and the page has shown the answers.

        The kernel takes one message after the other, and a control holds its next move back until the last one is
        answered: what is asked after a move is answered after it, and after one held back at the second time.
        """
        self.page.evaluate(
            """async () => {
              const kernel = jupyterapp.shell.currentWidget.sessionContext.session.kernel;
              for (let turn = 0; turn < 2; turn++) {
                await kernel.requestExecute({ code: "", silent: true, store_history: false }).done;
                await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
              }
            }"""
        )

    def end(self):
        """End the kernel."""
        self.page.evaluate("jupyterapp.shell.currentWidget.sessionContext.shutdown()")

    def run(self, source):
        """Append a cell with `source`, run it, and return the cell and its outputs."""
        index, outputs = self.page.evaluate(
            """async (source) => {
              const content = jupyterapp.shell.currentWidget.content;
              content.model.sharedModel.addCell({ cell_type: "code", source, metadata: {} });
              content.activeCellIndex = content.widgets.length - 1;
              await jupyterapp.commands.execute("notebook:run-cell");
              const cell = content.activeCell;
              return [content.activeCellIndex, cell.model.outputs.toJSON()];
            }""",
            source,
        )
        return self.cell(index), outputs

    def cell(self, index):
        """Scroll to a cell, since JupyterLab makes those out of sight only when they are needed, and return it."""
        self.page.evaluate(
            """async (index) => {
              const content = jupyterapp.shell.currentWidget.content;
              content.activeCellIndex = index;
              await content.scrollToItem(index, "start");
              content.widgets[index].node.dataset.number = index;  // the list's own numbers may be out of date
            }""",
            index,
        )
        cell = self.page.locator(f'.jp-Cell[data-number="{index}"]')
        cell.wait_for()
        return cell

    def sources(self):
        """Return the type and the source of every cell."""
        return self.page.evaluate(
            """jupyterapp.shell.currentWidget.content.widgets
                 .map((cell) => [cell.model.type, cell.model.sharedModel.getSource()])"""
        )
