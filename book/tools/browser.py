"""Choose the Chromium that opens the pages for the tests, and get one where there is none.

What the environment variable MARGINS_BROWSER names comes first; then the system's own, Playwright's own where it was
downloaded, and, for `make test`, Playwright's download and the package of Debian.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

__all__ = ["BROWSER_VARIABLE", "NO_BROWSER", "find_browser", "get_browser"]

BROWSER_VARIABLE = "MARGINS_BROWSER"
"""Environment variable that names the browser's program."""

NO_BROWSER = (
    "The tests open the pages in Chromium and found none: install Chromium or Google Chrome "
    f"(on Debian, as root: apt-get install chromium), or name the program in {BROWSER_VARIABLE}."
)
_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_PATIENCE = "10000"  # ms for a connection to Playwright's servers


def find_browser():
    """Return the path of a browser that starts, or None; nothing is installed."""
    named = os.environ.get(BROWSER_VARIABLE)
    if named:
        return named if _starts(named) else None
    return next(filter(_starts, filter(None, map(shutil.which, _NAMES))), None) or _of_playwright()


def get_browser():
    """Return the path of a browser that starts, installed if need be, or None."""
    if os.environ.get(BROWSER_VARIABLE):
        return find_browser()
    return find_browser() or _downloaded() or _of_debian()


def _starts(program):
    """Say whether `program` runs: on some systems a script of that name only says what to install."""
    try:
        return subprocess.run([program, "--version"], capture_output=True, timeout=60).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def _of_playwright():
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).is_file() and _starts(path) else None


def _downloaded():
    print("No browser is installed: trying Playwright's download ...", file=sys.stderr, flush=True)
    environment = {"PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT": _PATIENCE, **os.environ}
    command = [sys.executable, "-m", "playwright", "install", "chromium"]
    done = subprocess.run(command, env=environment, capture_output=True)
    return _of_playwright() if done.returncode == 0 else None


def _of_debian():
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        return None
    print("No browser could be downloaded: trying apt-get install chromium ...", file=sys.stderr, flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["apt-get", "update", "-qq"], ["apt-get", "install", "-y", "-qq", "chromium"]):
        if subprocess.run(command, env=environment, stdout=subprocess.DEVNULL).returncode:
            return None
    return find_browser()
