"""JupyterLab as a child process on this machine, and a notebook in it as a browser sees it."""

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

LEFT_OUT = ("MLCORE_EXPLORE", "OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")
"""Environment variables that would make the kernel another than a reader's."""


@contextmanager
def running_lab(root, settings):
    """Start JupyterLab with files in `root`, give its address, and end it.

    Parameters
    ----------
    root : pathlib.Path
        Folder whose notebooks are opened.
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
    environment = {name: value for name, value in os.environ.items() if name not in LEFT_OUT}
    for kind in ("CONFIG", "DATA", "RUNTIME"):
        environment[f"JUPYTER_{kind}_DIR"] = str(settings / kind.lower())
    environment["IPYTHONDIR"] = str(settings / "ipython")
    command = [
        sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ServerApp.ip=127.0.0.1",
        f"--ServerApp.port={port}", "--ServerApp.port_retries=0", f"--IdentityProvider.token={token}",
        f"--ServerApp.root_dir={root}", "--LabApp.expose_app_in_browser=True", "--LabApp.news_url=None",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate", "--LabApp.extension_manager=readonly",
    ]  # fmt: skip
    settings.mkdir(parents=True, exist_ok=True)
    with (settings / "server.log").open("w") as log:
        process = subprocess.Popen(
            command, cwd=root, env=environment, stdout=log, stderr=subprocess.STDOUT, start_new_session=True
        )
    try:
        _wait_until_up(process, f"http://127.0.0.1:{port}/api?token={token}", settings / "server.log")
        yield lambda name: f"http://127.0.0.1:{port}/lab/tree/{name}?token={token}"
    finally:
        _end(process)


def _wait_until_up(process, address, log, seconds=60):
    last = time.monotonic() + seconds
    while time.monotonic() < last and process.poll() is None:
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise RuntimeError(f"JupyterLab did not start within {seconds} s; it printed:\n{log.read_text()[-3000:]}")


def _end(process, seconds=15):
    """End the server and its kernels: SIGTERM shuts the kernels down too."""
    for how in (signal.SIGTERM, signal.SIGKILL):
        if process.poll() is None:
            os.killpg(process.pid, how)
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            continue
        return
