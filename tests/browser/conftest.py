"""What every browser test shares: one Chromium, and tabs that cannot reach the network and tell what went wrong."""

import sys
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect, sync_playwright

sys.path.insert(0, str(Path(__file__).parent))  # lab, which the benchmarks use too
sys.path.insert(0, str(Path(__file__).parents[2] / "book" / "tools"))
from browser import NO_BROWSER, find_browser

PATIENCE = 300_000  # milliseconds to wait for what must come: only a page that hangs takes so long
expect.set_options(timeout=PATIENCE)

QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
)


@pytest.fixture(scope="session")
def browser():
    path = find_browser()
    if path is None:
        pytest.fail(NO_BROWSER, pytrace=False)
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=list(QUIET))
        yield running
        running.close()


@dataclass
class Tab:
    """A page and what happened on it.

    Attributes
    ----------
    page : playwright.sync_api.Page
    blocked : list of str
        Addresses outside this machine that the page asked for and did not get.
    problems : list of str
        Errors on the console and uncaught exceptions.
    asked : list of str
        Every address asked for.
    failed : list of str
        Addresses that were asked for and did not arrive, with the reason.
    """

    page: Page
    blocked: list = field(default_factory=list)
    problems: list = field(default_factory=list)
    asked: list = field(default_factory=list)
    failed: list = field(default_factory=list)

    @staticmethod
    def is_local(address):
        """Say whether an address is a file, a part of the page itself or on this machine."""
        parts = urlsplit(address)
        return parts.scheme in ("file", "data", "blob", "about") or parts.hostname in ("localhost", "127.0.0.1", "::1")

    def check(self):
        """Fail when the page asked for something outside this machine or an error came up."""
        assert self.blocked == []
        assert self.problems == []

    def serious_violations(self, rules=None):
        """Return what axe-core finds of serious or critical impact: rule, help text and elements.

        `rules` are the names of the rules to try, by default all that axe-core tries by itself.
        """
        # Without preload: axe would fetch the style sheets again, which pages opened as files may not.
        options = {"resultTypes": ["violations"], "preload": False, **({} if rules is None else {"runOnly": rules})}
        found = Axe().run(self.page, options=options).response["violations"]
        return [
            (rule["id"], rule["help"], [node["html"][:200] for node in rule["nodes"]])
            for rule in found
            if rule["impact"] in ("serious", "critical")
        ]

    def overflow(self):
        """Return by how many pixels the page can be scrolled sideways."""
        return self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


@contextmanager
def tabs_of(browser):
    """Give a function that opens a tab, and close all its tabs at the end."""
    contexts = []

    def open_tab(**options):
        context = browser.new_context(**{"viewport": {"width": 1000, "height": 800}, **options})
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        tab = Tab(context.new_page())

        def guard(route):
            if tab.is_local(route.request.url):
                route.continue_()
            else:
                tab.blocked.append(route.request.url)
                route.abort()

        context.route("**/*", guard)
        tab.page.on("request", lambda request: tab.asked.append(request.url))
        tab.page.on("requestfailed", lambda request: tab.failed.append(f"{request.url}: {request.failure}"))
        tab.page.on("websocket", lambda socket: tab.is_local(socket.url) or tab.blocked.append(socket.url))
        tab.page.on("console", lambda message: message.type == "error" and tab.problems.append(message.text))
        tab.page.on("pageerror", lambda error: tab.problems.append(str(error)))
        return tab

    try:
        yield open_tab
    finally:
        for context in contexts:
            context.close()


@pytest.fixture
def open_tab(browser):
    """Return a function that opens a tab; its arguments are those of Playwright's ``new_context``."""
    with tabs_of(browser) as open_tab:
        yield open_tab


@pytest.fixture(scope="module")
def open_lasting_tab(browser):
    """Return a function as `open_tab` does, for tabs that several tests look at."""
    with tabs_of(browser) as open_tab:
        yield open_tab


@pytest.fixture
def tab(open_tab):
    """Return a tab of 1000 × 800 pixels; the test fails if the network was asked for or an error came up."""
    opened = open_tab()
    yield opened
    opened.check()
