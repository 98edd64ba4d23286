"""The items of the four sources, and the places in the book that cover them.

An item is covered by a MyST target with its id, on a line of its own in front of the place: `(es-figure-16)=`.
This module reads the items and the targets and needs no Sphinx; `concordance.py` makes the page from it.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

SOURCES = ("ES", "MW", "HJ", "SN")
KINDS = ("section", "figure", "algorithm", "exercise")
ITEMS_FILE = "book/concordance/items.yml"
PAGES = ("notebooks/*.ipynb", "book/*.md")

_ID = re.compile(r"[a-z]+(-[a-z0-9]+)+")
_CHAPTER = re.compile(r"[0-9]{2}_[a-z_]+")
_FENCE = re.compile(r" {0,3}(`{3,}(?!.*`)|~{3,})(.*)$")
_TARGET = re.compile(r" {0,3}\((.+)\)=\s*$")
_LITERAL_DIRECTIVE = re.compile(r"\{(code|sourcecode|literalinclude|math|raw)")


@dataclass(frozen=True)
class Item:
    """One section, figure, algorithm or exercise of a source.

    `number` is the source's own (for HJ and SN, which number nothing, the position among the headings), `page` the
    printed one, `chapter` the stem of the notebook that is planned to cover the item.
    """

    id: str
    source: str
    kind: str
    title: str
    chapter: str
    number: str | None = None
    page: int | str | None = None

    @property
    def place(self) -> str:
        """Where the item stands in its source.

        Examples
        --------
        >>> Item("es-figure-16", "ES", "figure", "Four points", "07_margins", "16", 32).place
        'Figure 16, p. 32'
        >>> Item("mw-appendix-a-1", "MW", "section", "Lagrangians", "09_lagrange", "A.1", 73).place
        'Appendix A.1, p. 73'
        >>> Item("hj-a-soft-classifier", "HJ", "section", "Slack", "07_margins", "18").place
        'Heading 18'
        """
        name = self.kind.capitalize()
        if self.kind == "section":
            name = _section_name(self)
        place = name if self.number is None else f"{name} {self.number}"
        return place if self.page is None else f"{place}, p. {self.page}"


@dataclass(frozen=True)
class Coverage:
    """Which items stand in the book.

    `covered` maps the id of an item to the page (path from the root, with `/`) of its first target; `missing` are
    the items without one. `unknown` and `duplicates` are faults, as pairs of label and page: targets that look
    like an item's but are none, and every target after the first with the same label.
    """

    covered: dict[str, str]
    missing: tuple[Item, ...]
    unknown: tuple[tuple[str, str], ...]
    duplicates: tuple[tuple[str, str], ...]


def load_items(path: str | Path) -> tuple[Item, ...]:
    """Read the items of all sources, in their order in the file.

    Raises
    ------
    ValueError
        If an entry lacks a field or has one too many, if a field has an impossible value, or if an id is repeated.
    """
    entries = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    if not isinstance(entries, list):
        raise ValueError(f"{path}: expected a list of items, got {type(entries).__name__}")
    items = []
    for entry in entries:
        try:
            item = Item(**entry)
        except TypeError as error:
            raise ValueError(f"{path}: bad item {entry}: {error}") from error
        _check(item, path)
        items.append(item)
    repeated = sorted(label for label, count in Counter(item.id for item in items).items() if count > 1)
    if repeated:
        raise ValueError(f"{path}: ids must be unique, got more than one {', '.join(repeated)}")
    return tuple(items)


def source_of(label: str) -> str | None:
    """Return the source whose prefix the label carries, or None.

    Examples
    --------
    >>> source_of("mw-chapter-8"), source_of("errata-es-1")
    ('MW', None)
    """
    prefix = label.partition("-")[0].upper()
    return prefix if prefix in SOURCES and "-" in label else None


def markdown_targets(text: str) -> tuple[str, ...]:
    """Return the labels of the MyST targets in a text, as MyST normalises them.

    A target inside a directive such as `{note}` counts, one in a code block does not.

    Examples
    --------
    >>> markdown_targets("(es-figure-16)=\\n(ES-Section-3-2)=\\n## Margins")
    ('es-figure-16', 'es-section-3-2')
    >>> markdown_targets("```python\\n(es-figure-1)=\\n```\\n```{note}\\n(es-figure-2)=\\nLook.\\n```")
    ('es-figure-2',)
    """
    labels = []
    for line in _parsed_lines(text):
        target = _TARGET.match(line)
        if target:
            labels.append(" ".join(target[1].lower().split()))
    return tuple(labels)


def page_title(path: str | Path) -> str:
    """Return the first top heading of a notebook or Markdown page, or its stem if there is none."""
    for text in _markdown(Path(path)):
        for line in _parsed_lines(text):
            if line.startswith("# "):
                return line[2:].strip()
    return Path(path).stem


def chapter_title(root: str | Path, chapter: str) -> str:
    """Return the title of a chapter's notebook or, before it is written, a name made from the notebook's stem.

    Examples
    --------
    >>> chapter_title("no-such-book", "04_naive_bayes")
    'Chapter 4: naive bayes'
    """
    notebook = Path(root) / "notebooks" / f"{chapter}.ipynb"
    if notebook.is_file():
        return page_title(notebook)
    number, _, topic = chapter.partition("_")
    return f"Chapter {int(number)}: {topic.replace('_', ' ')}"


def coverage(items: tuple[Item, ...], root: str | Path) -> Coverage:
    """Compare the items with the targets in the notebooks and pages below the root of the book.

    Raises
    ------
    ValueError
        If a notebook is not JSON of the expected form; the message names it.
    """
    root = Path(root)
    known = {item.id for item in items}
    covered: dict[str, str] = {}
    unknown, duplicates = [], []
    for path in (path for pattern in PAGES for path in sorted(root.glob(pattern))):
        page = path.relative_to(root).as_posix()
        for text in _markdown(path):
            for label in markdown_targets(text):
                if source_of(label) is None:
                    continue
                if label not in known:
                    unknown.append((label, page))
                elif label in covered:
                    duplicates.append((label, page))
                else:
                    covered[label] = page
    missing = tuple(item for item in items if item.id not in covered)
    return Coverage(covered, missing, tuple(unknown), tuple(duplicates))


def _check(item: Item, path: str | Path) -> None:
    expectations = (
        ("source", item.source in SOURCES, f"one of {', '.join(SOURCES)}"),
        ("kind", item.kind in KINDS, f"one of {', '.join(KINDS)}"),
        (
            "id",
            _ID.fullmatch(str(item.id)) and source_of(item.id) == item.source,
            "its source as prefix",
        ),
        ("title", isinstance(item.title, str) and item.title.strip(), "a text"),
        ("chapter", _CHAPTER.fullmatch(str(item.chapter)), "a notebook's stem such as 07_margins"),
        ("number", item.number is None or isinstance(item.number, str), "a quoted text"),
    )
    for field, holds, expected in expectations:
        if not holds:
            raise ValueError(f"{path}: {field} of {item.id}: expected {expected}, got {getattr(item, field)!r}")


def _section_name(item: Item) -> str:
    if item.page is None:
        return "Heading"
    if item.number is None or item.number.isdigit():
        return "Chapter"
    return "Appendix" if item.number[0].isalpha() else "Section"


def _markdown(path: Path) -> list[str]:
    """Return the Markdown texts of a page: one for each Markdown cell of a notebook."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".ipynb":
        return [text]
    try:
        cells = json.loads(text)["cells"]
        return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
    except (json.JSONDecodeError, KeyError, TypeError) as error:
        raise ValueError(f"{path}: expected a notebook, got {error!r}") from error


def _parsed_lines(text: str) -> Iterator[str]:
    """Yield the lines that MyST parses as Markdown, so none of a code block's.

    The content of a directive is Markdown again, hence the stack of open fences.
    """
    fences: list[tuple[str, bool]] = []  # marker, literal
    for line in text.splitlines():
        fence = _FENCE.match(line)
        if fence is None:
            if not (fences and fences[-1][1]):
                yield line
            continue
        marker, info = fence[1], fence[2].strip()
        if fences and not info and marker.startswith(fences[-1][0]):
            fences.pop()
        elif not (fences and fences[-1][1]):
            literal = not info.startswith("{") or _LITERAL_DIRECTIVE.match(info) is not None
            fences.append((marker, literal))
