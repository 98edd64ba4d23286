"""In which order a browser is looked for, with programs that only pretend."""

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "book" / "tools"))
browser = importlib.import_module("browser")


@pytest.fixture
def machine(monkeypatch):
    """Return a machine without a browser that may be given some: what is on it, and which commands were run."""
    machine = Machine()
    monkeypatch.delenv(browser.BROWSER_VARIABLE, raising=False)
    monkeypatch.setattr(browser.shutil, "which", lambda name: f"/bin/{name}" if name in machine.programs else None)
    monkeypatch.setattr(browser.subprocess, "run", machine.run)
    monkeypatch.setattr(browser, "_of_playwright", lambda: machine.of_playwright)
    monkeypatch.setattr(browser.os, "geteuid", lambda: machine.user)
    return machine


class Machine:
    """What is installed, who works there, and what can be had from outside."""

    def __init__(self):
        self.programs, self.broken, self.of_playwright, self.user = set(), set(), None, 1000
        self.download, self.debian = False, False
        self.commands = []

    def run(self, command, **options):
        self.commands.append(command)
        program, *arguments = map(str, command)
        if arguments == ["--version"]:
            if Path(program).name not in self.programs:
                raise FileNotFoundError(program)
            good = Path(program).name not in self.broken
        elif arguments[:2] == ["-m", "playwright"]:
            good = self.download
            self.of_playwright = "/cache/chrome" if good else None
        else:
            good = self.debian
            if good and "install" in arguments:
                self.programs.add("chromium")
        return subprocess.CompletedProcess(command, 0 if good else 1)

    @property
    def installations(self):
        return [command for command in self.commands if "install" in command or "update" in command]


def test_the_systems_browser_comes_first(machine):
    machine.programs = {"google-chrome", "chromium-browser"}
    machine.of_playwright = "/cache/chrome"
    assert browser.get_browser() == browser.find_browser() == "/bin/chromium-browser"
    assert machine.installations == []


def test_a_program_that_does_not_start_is_passed_over(machine):
    machine.programs, machine.broken = {"google-chrome", "chromium-browser"}, {"chromium-browser"}
    assert browser.get_browser() == "/bin/google-chrome"
    machine.broken = machine.programs
    machine.of_playwright = "/cache/chrome"
    assert browser.get_browser() == "/cache/chrome"
    assert machine.installations == []


def test_then_playwrights_own_is_downloaded(machine):
    machine.download = machine.debian = True
    machine.user, machine.programs = 0, {"apt-get"}
    assert browser.get_browser() == "/cache/chrome"
    assert [command[-1] for command in machine.installations] == ["chromium"]


def test_then_root_asks_debian(machine):
    machine.user, machine.programs, machine.debian = 0, {"apt-get"}, True
    assert browser.get_browser() == "/bin/chromium"
    assert [command[0] for command in machine.installations] == [sys.executable, "apt-get", "apt-get"]


@pytest.mark.parametrize(
    ("user", "programs", "debian", "tried"),
    [
        (1000, {"apt-get"}, True, 1),  # only root may install
        (0, set(), True, 1),  # no Debian
        (0, {"apt-get"}, False, 2),  # no network: the update fails
    ],
)
def test_with_no_way_left_there_is_none(machine, user, programs, debian, tried):
    machine.user, machine.programs, machine.debian = user, programs, debian
    assert browser.get_browser() is None
    assert len(machine.installations) == tried


def test_looking_installs_nothing(machine):
    machine.user, machine.programs = 0, {"apt-get"}
    machine.download = machine.debian = True
    assert browser.find_browser() is None
    assert machine.installations == []


def test_the_named_browser_is_the_only_one(machine, monkeypatch):
    machine.programs, machine.download = {"chromium", "mine"}, True
    monkeypatch.setitem(os.environ, browser.BROWSER_VARIABLE, "/opt/mine")
    assert browser.get_browser() == "/opt/mine"
    machine.programs.remove("mine")
    assert browser.get_browser() is browser.find_browser() is None
    assert machine.installations == []
