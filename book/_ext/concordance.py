"""Sphinx extension: the `concordance` directive, from the items of a source to their places in the book."""

from __future__ import annotations

from collections import Counter
from pathlib import Path, PurePosixPath

from docutils import nodes
from source_items import (
    ITEMS_FILE,
    KINDS,
    SOURCES,
    Item,
    chapter_title,
    coverage,
    load_items,
    page_title,
    source_of,
)
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

HEADINGS = ("In the source", "What it is", "In this book")
WIDTHS = (26, 43, 31)  # per cent

logger = logging.getLogger(__name__)


class ConcordanceDirective(SphinxDirective):
    """Counts and table for one source, given as argument: ES, MW, HJ or SN."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        source = self.arguments[0]
        if source not in SOURCES:
            raise self.error(f"concordance: expected one of {', '.join(SOURCES)}, got {source!r}")
        root = Path(self.env.srcdir)
        # Which targets exist is known only by looking into every notebook, those added since included, so the page
        # is read again in every build; that takes milliseconds.
        self.env.note_reread()
        items = load_items(root / ITEMS_FILE)
        found = coverage(items, root)
        for fault, labels in (("unknown", found.unknown), ("duplicate", found.duplicates)):
            for label, page in labels:
                if source_of(label) == source:
                    logger.warning("concordance: %s label %r", fault, label, location=_docname(page))
        # A page outside the table of contents is no part of the book.
        places = {label: page for label, page in found.covered.items() if _docname(page) in self.env.found_docs}
        page_titles = {page: page_title(root / page) for page in set(places.values())}
        own = [item for item in items if item.source == source]
        chapter_titles = {chapter: chapter_title(root, chapter) for chapter in {item.chapter for item in own}}
        rows = []
        for item in own:
            if item.id in places:
                here = self._reference(item.id, page_titles[places[item.id]])
            else:
                planned = f"planned: {chapter_titles[item.chapter]}"
                here = nodes.inline("", planned, classes=["concordance-planned"])
            rows.append(_row(nodes.Text(item.place), nodes.Text(item.title), here))
        return [_counts(own, places), _table(rows)]

    def _reference(self, label: str, title: str) -> nodes.Node:
        """Return what the role `ref` makes of an explicit title: it needs no heading behind the label."""
        reference = addnodes.pending_xref(
            "",
            nodes.inline("", title, classes=["std", "std-ref"]),
            refdomain="std",
            reftype="ref",
            reftarget=label,
            refexplicit=True,
            refwarn=True,
            refdoc=self.env.docname,
        )
        self.set_source_info(reference)
        return reference


def _docname(page: str) -> str:
    return str(PurePosixPath(page).with_suffix(""))


def _counts(items: list[Item], places: dict[str, str]) -> nodes.paragraph:
    """Return the line above the table: how many items stand in the book, in all and of each kind."""
    total = Counter(item.kind for item in items)
    here = Counter(item.kind for item in items if item.id in places)
    kinds = ", ".join(f"{here[kind]} of {total[kind]} {kind}{'s' * (total[kind] > 1)}" for kind in KINDS if total[kind])
    head = nodes.strong("", f"{here.total()} of {len(items)} items stand in the book")
    return nodes.paragraph("", "", head, nodes.Text(f": {kinds}." if len(total) > 1 else "."))


def _table(rows: list[nodes.row]) -> nodes.table:
    group = nodes.tgroup("", *(nodes.colspec("", colwidth=width) for width in WIDTHS), cols=len(WIDTHS))
    group += nodes.thead("", _row(*map(nodes.Text, HEADINGS)))
    group += nodes.tbody("", *rows)
    return nodes.table("", group, classes=["concordance", "colwidths-given"])


def _row(*contents: nodes.Node) -> nodes.row:
    return nodes.row("", *(nodes.entry("", nodes.paragraph("", "", content)) for content in contents))


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("concordance", ConcordanceDirective)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
