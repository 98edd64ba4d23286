"""Published linear programs of NETLIB, for the tests and the benchmark."""

from pathlib import Path

import highspy
import numpy as np

NETLIB = Path(__file__).resolve().parents[1] / "data" / "netlib"


def netlib(name):
    """Return the arguments of `LinearProgram` and `scipy.optimize.linprog` for a program of ``tests/data/netlib``."""
    reader = highspy.Highs()
    reader.setOptionValue("output_flag", False)
    assert reader.readModel(str(NETLIB / f"{name}.mps")) == highspy.HighsStatus.kOk
    model = reader.getLp()
    matrix = np.zeros((model.num_row_, model.num_col_))
    starts = model.a_matrix_.start_
    for j in range(model.num_col_):
        entries = slice(starts[j], starts[j + 1])
        matrix[model.a_matrix_.index_[entries], j] = model.a_matrix_.value_[entries]
    low, high = np.array(model.row_lower_), np.array(model.row_upper_)
    equal, below, above = low == high, np.isfinite(high) & (low != high), np.isfinite(low) & (low != high)
    A_ub, b_ub = np.vstack([matrix[below], -matrix[above]]), np.concatenate([high[below], -low[above]])
    bounds = np.column_stack([model.col_lower_, model.col_upper_])
    return np.array(model.col_cost_), A_ub, b_ub, matrix[equal], high[equal], bounds
