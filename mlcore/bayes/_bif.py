"""Reading Bayesian networks from the Bayesian Interchange Format (BIF), in which published networks are shared.

A file declares variables and then their tables; commas and bars separate words just as blanks do::

    network chest { }
    variable smoke { type discrete [ 2 ] { yes, no }; }
    variable lung  { type discrete [ 2 ] { yes, no }; }
    probability ( smoke ) { table 0.5, 0.5; }
    probability ( lung | smoke ) { (yes) 0.1, 0.9; default 0.01, 0.99; }

A row in parentheses holds the distribution of the first variable under these states of the others; `default` holds
the one of all combinations that have no row; `table` holds all numbers at once, the states of the first variable
changing slowest and those of the last one fastest. Properties and comments (``//``, ``/* */``) are passed over.

Source: F. Cozman, *The Interchange Format for Bayesian Networks*, version 0.15, 1998.
"""

import gzip
import re
import zlib
from collections import namedtuple
from itertools import product
from math import isfinite, prod
from os import PathLike
from pathlib import Path

import numpy as np

from mlcore.bayes._bayes_net import BayesNet, Node

__all__ = ["read_bif"]

TOKEN = re.compile(
    r"""(?P<skipped>[\s,|]+ | //[^\n]* | /\*.*?\*/)
      | "(?P<quoted>[^"\n]*)"
      | (?P<mark>[{}()\[\];])
      | (?P<word>(?:(?!//|/\*)[^\s,|{}()\[\];"])+)""",
    re.VERBOSE | re.DOTALL,
)

Token = namedtuple("Token", "text kind line")
WORDS = ("word", "quoted")
END = "the end of the text"
BYTE_ORDER_MARK = "\ufeff"


def read_bif(source):
    """Return the network of a text in the Bayesian Interchange Format.

    Parameters
    ----------
    source : pathlib.Path or str
        A file in UTF-8 (also one packed by gzip, when its name ends in ``.gz``), or the text itself: a string with a
        brace in it is a text.

    Returns
    -------
    mlcore.bayes.BayesNet
        Its nodes in the order of their declarations, their states as strings. Published numbers are rounded, so that
        distributions sum to 1 within 1e-6 only; they are scaled to sum to 1.

    Raises
    ------
    ValueError
        The text breaks the grammar, is not in UTF-8 or describes no network; the message begins with the line. Or
        `source` is neither a file nor a text.
    OSError
        The file cannot be read.

    Examples
    --------
    >>> net = read_bif('''
    ... network chest { }
    ... variable smoke { type discrete [ 2 ] { yes, no }; }
    ... variable lung  { type discrete [ 2 ] { yes, no }; }
    ... probability ( smoke ) { table 0.5, 0.5; }
    ... probability ( lung | smoke ) { (yes) 0.1, 0.9; default 0.01, 0.99; }
    ... ''')
    >>> net.names, net.parents("lung"), net.factor("lung").value(smoke="no", lung="yes")
    (('smoke', 'lung'), ('smoke',), 0.01)
    """
    tokens = _Tokens(_text(source))
    states, families = {}, {}
    while tokens.next.kind != "end":
        keyword = tokens.expect("network", "variable", "probability")
        if keyword.text == "network":
            _read_network(tokens)
        elif keyword.text == "variable":
            _read_variable(tokens, states)
        else:
            _read_probability(tokens, states, families)
    if not states:
        raise _error(tokens.next.line, "at least one variable", END)
    for name in states:
        if name not in families:
            raise _error(tokens.next.line, f"a probability block for {name!r}", END)
    return BayesNet(families[name] for name in states)


def _text(source):
    if not isinstance(source, str | PathLike) or not str(source).strip():
        raise ValueError(f"source: expected the path of a file or a text with braces, got {source!r}")
    if isinstance(source, str) and "{" in source:
        return source.removeprefix(BYTE_ORDER_MARK)
    path = Path(source)
    data = path.read_bytes()
    try:
        data = gzip.decompress(data) if path.suffix == ".gz" else data
    except (EOFError, zlib.error) as error:
        raise OSError(f"{path}: expected a file packed by gzip, got one that is damaged ({error})") from error
    try:
        return data.decode().removeprefix(BYTE_ORDER_MARK)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise _error(line, "a text in UTF-8", f"the byte {data[error.start]:#04x}") from None


def _read_network(tokens):
    tokens.words()  # its name, often left out
    tokens.expect("{")
    while tokens.expect("property", "}").text == "property":
        tokens.skip_past(";")


def _read_variable(tokens, states):
    name = tokens.word("the name of a variable")
    if name.text in states:
        raise _error(name.line, "each variable once", name.text)
    tokens.expect("{")
    while (keyword := tokens.expect("type", "property", "}")).text != "}":
        if keyword.text == "property":
            tokens.skip_past(";")
            continue
        tokens.expect("discrete")
        tokens.expect("[")
        count = tokens.word("the number of states")
        tokens.expect("]")
        tokens.expect("{")
        own = [word.text for word in tokens.words()]
        if count.text != str(len(own)):
            raise _error(count.line, f"{count.text} states of {name.text!r}", f"{len(own)}: {' '.join(own)}")
        tokens.expect("}")
        tokens.expect(";")
        states[name.text] = tuple(own)
    if name.text not in states:
        raise _error(keyword.line, f"the type of {name.text!r}", "}")


def _read_probability(tokens, states, families):
    tokens.expect("(")
    first = tokens.next
    scope = [word.text for word in tokens.words()]
    tokens.expect(")")
    if not scope:
        raise _error(first.line, "the name of a variable", first.text)
    for name in scope:
        if name not in states:
            raise _error(first.line, "a variable declared above", name)
    if len(set(scope)) < len(scope):
        raise _error(first.line, "each variable once", " ".join(scope))
    name, *parents = scope
    if name in families:
        raise _error(first.line, f"one probability block for {name!r}", "a second one")
    tokens.expect("{")
    table, rows, default = _read_rows(tokens, states, name, parents)
    if table is None:
        table = _stack(first.line, states, name, parents, rows, default)
    elif rows or default is not None:
        raise _error(first.line, f"for {name!r} either a table or rows", "both")
    try:
        families[name] = Node(name, states[name], parents, table)
    except ValueError as error:
        raise ValueError(f"line {first.line}: {error}") from None


def _read_rows(tokens, states, name, parents):
    """The `table` or None, a dict from states of the parents to distributions, and the `default` or None."""
    table, rows, default = None, {}, None
    shape = [len(states[other]) for other in (name, *parents)]
    while (keyword := tokens.expect("(", "table", "default", "property", "}")).text != "}":
        if keyword.text == "property":
            tokens.skip_past(";")
        elif (keyword.text == "table" and table is not None) or (keyword.text == "default" and default is not None):
            raise _error(keyword.line, f"one {keyword.text} of {name!r}", "a second one")
        elif keyword.text == "table":
            numbers = tokens.numbers(prod(shape))
            table = np.moveaxis(np.reshape(numbers, shape), 0, -1)
        elif keyword.text == "default":
            default = tokens.numbers(shape[0])
        else:
            under = tuple(word.text for word in tokens.words())
            tokens.expect(")")
            if len(under) != len(parents):
                raise _error(keyword.line, f"states of {len(parents)} parents of {name!r}", f"{len(under)}")
            for parent, state in zip(parents, under):
                if state not in states[parent]:
                    raise _error(keyword.line, f"a state of {parent!r} ({' '.join(states[parent])})", state)
            if under in rows:
                raise _error(keyword.line, f"one row for {' '.join(under)}", "a second one")
            rows[under] = tokens.numbers(shape[0])
    return table, rows, default


def _stack(line, states, name, parents, rows, default):
    combinations = list(product(*(states[parent] for parent in parents)))
    for under in combinations:
        if under not in rows and default is None:
            raise _error(line, f"a row of {name!r} for ({' '.join(under)})", "none, and no default")
    shape = [len(states[other]) for other in (*parents, name)]
    return np.reshape([rows.get(under, default) for under in combinations], shape)


class _Tokens:
    """The words and marks of a text one by one, `next` being the one that is not yet taken."""

    def __init__(self, text):
        self._stream = _split(text)
        self.next = next(self._stream)

    def take(self):
        taken = self.next
        self.next = next(self._stream, taken)
        return taken

    def expect(self, *texts):
        if self.next.kind == "quoted" or self.next.text not in texts:
            raise _error(self.next.line, " or ".join(repr(text) for text in texts), self.next.text)
        return self.take()

    def word(self, what):
        if self.next.kind not in WORDS:
            raise _error(self.next.line, what, self.next.text)
        return self.take()

    def words(self):
        words = []
        while self.next.kind in WORDS:
            words.append(self.take())
        return words

    def numbers(self, count):
        """The `count` numbers before the next semicolon."""
        words = self.words()
        line = words[0].line if words else self.next.line
        self.expect(";")
        try:
            numbers = [float(word.text) for word in words]
        except ValueError as error:
            raise _error(line, "numbers", str(error).split(": ")[-1]) from None
        if len(numbers) != count or not all(map(isfinite, numbers)):
            raise _error(line, f"{count} finite numbers", " ".join(word.text for word in words[:8]))
        return numbers

    def skip_past(self, text):
        while self.next.kind != "end" and (self.next.kind == "quoted" or self.next.text != text):
            self.take()
        self.expect(text)


def _split(text):
    position, line = 0, 1
    while position < len(text):
        match = TOKEN.match(text, position)
        if match is None:
            raise _error(line, "the end of every comment and of every quoted name", text[position : position + 20])
        kind = match.lastgroup
        if kind != "skipped":
            yield Token(match[kind], kind, line)
        line += match[0].count("\n")
        position = match.end()
    yield Token(END, "end", line)


def _error(line, expected, came):
    return ValueError(f"line {line}: expected {expected}, got {came}")
