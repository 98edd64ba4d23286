"""The counting tree finds what SciPy's finds."""

import numpy as np
import pytest
from scipy.spatial import KDTree

from mlcore.neighbors import build_cells, search_cells


@pytest.mark.parametrize("leaf_size", [1, 8])
@pytest.mark.parametrize("d", [1, 2, 3, 8])
def test_same_neighbours_as_scipy(d, leaf_size):
    rng = np.random.default_rng(d)
    X, queries = rng.normal(size=(500, d)), rng.normal(size=(20, d))
    space = build_cells(X, leaf_size)
    distances, indices = KDTree(X).query(queries, k=3)
    found = [search_cells(X, space, query, 3) for query in queries]
    np.testing.assert_array_equal([one.indices for one in found], indices)
    np.testing.assert_allclose([one.distances for one in found], distances, rtol=1e-12)
