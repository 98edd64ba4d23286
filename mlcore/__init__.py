"""Algorithms, explorables and exercise checks of *Margins and Posteriors*."""

from importlib.metadata import version

__version__ = version("mlcore")
