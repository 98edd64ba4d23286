"""What the other browser tests stand on: a browser that is there, no network, and errors that are seen."""

import pytest


def test_the_network_is_blocked_and_the_attempt_is_seen(open_tab, tmp_path):
    path = tmp_path / "page.html"
    path.write_text(
        '<!doctype html><title>x</title><img src="http://192.0.2.1/a.png"><script>throw Error("oh")</script>'
    )
    tab = open_tab()
    tab.page.goto(path.as_uri())
    assert tab.blocked == ["http://192.0.2.1/a.png"]
    assert any("oh" in problem for problem in tab.problems)
    with pytest.raises(AssertionError):
        tab.check()


@pytest.mark.parametrize(
    ("address", "local"),
    [
        ("file:///a.html", True),
        ("data:,", True),
        ("blob:null/1", True),
        ("http://127.0.0.1:8888/lab", True),
        ("ws://localhost:8888/api", True),
        ("https://example.org/", False),
        ("http://127.0.0.1.example.org/", False),
        ("wss://example.org/", False),
    ],
)
def test_what_counts_as_local(tab, address, local):
    assert tab.is_local(address) is local


def test_axe_would_have_found_something(open_tab, tmp_path):
    path = tmp_path / "bad.html"
    path.write_text('<!doctype html><html><head><title>x</title></head><body><img src="data:,"><input></body></html>')
    tab = open_tab()
    tab.page.goto(path.as_uri())
    assert {"html-has-lang", "image-alt", "label"} <= {rule for rule, _, _ in tab.serious_violations()}
