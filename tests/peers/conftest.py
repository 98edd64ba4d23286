"""Lets the comparisons with peer libraries import what they and the benchmarks share."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
