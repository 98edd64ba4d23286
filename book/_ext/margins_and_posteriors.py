"""Sphinx extension of the book: notebooks run side by side, cache keys, launch buttons and the build stamp."""

import hashlib
import os
import re
import subprocess
import sys
import threading
import time
from importlib.metadata import version
from pathlib import Path

import nbformat
from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn
from notebook_runs import run_side_by_side
from sphinx.errors import ExtensionError

from mlcore.explore.cache import CACHE_VARIABLE
from mlcore.explore.mode import MODE_VARIABLE
from mlcore.explore.page import PROGRESS_VARIABLE

BINDER = "https://mybinder.org"


def package_key(root):
    """Return a hash of the package and the lock file: notebooks run again when either has changed."""
    digest = hashlib.sha256()
    sources = [path for path in (root / "mlcore").rglob("*") if path.suffix in {".py", ".js", ".css", ".mplstyle"}]
    for path in (*sorted(sources), root / "requirements.txt"):
        digest.update(str(path.relative_to(root)).encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def web_address(remote):
    """Return the https address behind a git remote, or None when it is not on a known host.

    >>> web_address("git@github.com:someone/a-book.git")
    'https://github.com/someone/a-book'
    >>> web_address("/srv/git/a-book") is None
    True
    """
    match = re.fullmatch(
        r"(?:https://|ssh://)?(?:[^@/]+@)?(github\.com|gitlab\.com)[:/]([^/]+/[^/]+?)(?:\.git)?/?", remote
    )
    return f"https://{match[1]}/{match[2]}" if match else None


def git(root, *arguments):
    """Return what a git command prints, or an empty text when there is no git or no repository."""
    try:
        done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return done.stdout.strip()


def show_progress(path):
    """Copy to the terminal what notebook kernels append to `path`: their own output belongs to the page."""
    with path.open(encoding="utf-8") as lines:
        while True:
            for line in lines:
                print(line, end="", file=sys.stderr, flush=True)
            time.sleep(0.3)


def run_notebooks(app, env, docnames):
    """Run what is not in the cache of myst-nb, side by side; myst-nb finds it there when it reads the pages."""
    cache = get_cache(app.config.nb_execution_cache_path)

    def is_known(path):
        try:
            cache.match_cache_notebook(nbformat.read(path, as_version=4))
        except KeyError:
            return False
        return True

    def keep(path, notebook, seconds):
        bundle = CacheBundleIn(notebook, str(path), data={"execution_seconds": seconds})
        cache.cache_notebook_bundle(bundle, check_validity=False, overwrite=True)

    pages = [Path(env.doc2path(name)) for name in docnames]
    missing = [path for path in pages if path.suffix == ".ipynb" and not is_known(path)]
    failures = run_side_by_side(
        missing, app.config.nb_execution_timeout, keep, lambda line: print(line, file=sys.stderr, flush=True)
    )
    if failures:
        raise ExtensionError("\n\n".join(failures))


def leave_out_thebe(app):
    """Drop what sphinx-thebe adds to every page: live code is not used and its script loads from outside."""
    for listeners in app.events.listeners.values():
        listeners[:] = [each for each in listeners if not each.handler.__module__.startswith("sphinx_thebe")]
    styles = app.registry.css_files
    styles[:] = [(name, options) for name, options in styles if name != "sphinx-thebe.css"]


def keep_bars(app, what, name, obj, options, lines):
    """Let |x| in a docstring be an absolute value; reStructuredText would look for a substitution."""
    literal = False
    for number, line in enumerate(lines):
        if literal and line.strip() and not line.startswith(" "):
            literal = False
        if not literal and not line.lstrip().startswith((">>>", "...")):
            outside_code = line.split("``")
            outside_code[::2] = [part.replace("|", "\\|") for part in outside_code[::2]]
            lines[number] = "``".join(outside_code)
        literal = literal or line.endswith("::")


def mark_works_as_list_items(app, pagename, templatename, context, doctree):
    """Give entries of a bibliography the role that ARIA has for them since it withdrew doc-biblioentry."""
    if "body" in context:
        context["body"] = context["body"].replace('role="doc-biblioentry"', 'role="listitem"')


def configure(app, config):
    """Set everything that depends on the state of the repository."""
    root = Path(app.srcdir)
    leave_out_thebe(app)
    progress = root / ".cache" / "progress"
    progress.parent.mkdir(exist_ok=True)
    progress.write_text("")
    os.environ[PROGRESS_VARIABLE] = str(progress)
    threading.Thread(target=show_progress, args=(progress,), daemon=True).start()
    os.environ[MODE_VARIABLE] = "static"
    os.environ.setdefault(CACHE_VARIABLE, str(root / ".cache" / "states"))
    config.nb_execution_cache_path = str(root / ".cache" / "notebooks" / package_key(root))

    options = dict(config.html_theme_options)
    address = web_address(git(root, "remote", "get-url", "origin"))
    if address:
        options["repository_url"] = address
        options["repository_branch"] = git(root, "rev-parse", "--abbrev-ref", "HEAD") or "main"
        options["launch_buttons"] = {"binderhub_url": BINDER, "notebook_interface": "jupyterlab"}
    else:
        options["launch_buttons"] = {}
    commit = git(root, "log", "-1", "--format=%h of %cs")
    stamp = f"Built with <code>mlcore</code> {version('mlcore')}" + (f", commit {commit}" if commit else "")
    options["extra_footer"] = f'<p class="build-stamp">{stamp}.</p>'
    config.html_theme_options = options


def setup(app):
    # Before every other extension reads the configuration.
    app.connect("config-inited", configure, priority=100)
    app.connect("env-before-read-docs", run_notebooks)
    app.connect("html-page-context", mark_works_as_list_items)
    app.connect("autodoc-process-docstring", keep_bars, priority=900)  # after napoleon has read the sections
    return {"parallel_read_safe": True, "parallel_write_safe": True}
