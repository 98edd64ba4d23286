"""The contract of every kernel, and the facts about single ones."""

import copy
import inspect
import pickle
from dataclasses import FrozenInstanceError, fields

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as st_numpy

from mlcore import kernels as door
from mlcore.kernels import (
    AllSubsets,
    Constant,
    Gaussian,
    Kernel,
    Linear,
    Periodic,
    Polynomial,
    Product,
    QuasiPeriodic,
    Sigmoid,
    Sum,
)
from mlcore.kernels import _kernels as kernels

EXAMPLES = [
    Linear(),
    Polynomial(degree=1, offset=0.0),
    Polynomial(degree=2, offset=0.5),
    Polynomial(degree=5, offset=1.0),
    Gaussian(width=0.3),
    Gaussian(width=2.0),
    Periodic(width=0.7, period=1.3),
    Periodic(width=2.0, period=0.6),
    QuasiPeriodic(width=0.8, period=1.7, decay=2.5),
    AllSubsets(),
    Sigmoid(slope=0.5, offset=-0.4),
    Sigmoid(slope=1.5, offset=0.7),
    Constant(value=0.0),
    Constant(value=2.5),
    Periodic(width=1.2, period=0.9) * AllSubsets() + Linear(),
    Sigmoid(slope=0.3, offset=0.1) * Periodic(width=1.5, period=2.0),
    Linear() + Gaussian(width=0.7),
    3.0 * Gaussian(width=1.5),
    (Linear() + 1.0) * Gaussian(width=0.8) + Polynomial(degree=3, offset=0.2),
]
CONCRETE = [
    member
    for _, member in inspect.getmembers(kernels, inspect.isclass)
    if issubclass(member, Kernel) and member is not Kernel
]


def points(n, d=3, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


@pytest.fixture(params=EXAMPLES, ids=str)
def kernel(request):
    return request.param


@pytest.mark.parametrize("kind", CONCRETE)
def test_every_kernel_has_an_example(kind):
    assert kind in {type(example) for example in EXAMPLES}


def test_values_depend_on_the_two_rows_alone(kernel):
    X, Z = points(5), points(4, seed=1)
    one_by_one = [[kernel(x[None], z[None])[0, 0] for z in Z] for x in X]
    assert kernel(X, Z).shape == (5, 4)
    np.testing.assert_allclose(kernel(X, Z), one_by_one, rtol=1e-13)


def test_gram_matrix_is_exactly_symmetric_and_agrees_with_the_two_argument_form(kernel):
    for X in (points(30, 2), np.asfortranarray(points(30, 7, seed=3)), points(30, 2)[::2]):
        assert np.array_equal(kernel(X), kernel(X).T)
        np.testing.assert_allclose(kernel(X), kernel(X, X.copy()), rtol=1e-13)


def test_gram_matrix_is_positive_semidefinite_with_duplicates(kernel):
    X = np.vstack([points(20), points(20)[:5], np.zeros((2, 3))])
    eigenvalues = np.linalg.eigvalsh(kernel(X))
    if kernel.is_positive_semidefinite:
        assert eigenvalues[0] >= -1e-13 * max(eigenvalues[-1], 1)


def test_cauchy_schwarz(kernel):
    X = points(12)
    if kernel.is_positive_semidefinite:
        bound = np.sqrt(np.outer(kernel.diag(X), kernel.diag(X)))
        assert (np.abs(kernel(X)) <= bound * (1 + 1e-12)).all()


def test_diag_is_the_diagonal(kernel):
    X = points(9)
    assert kernel.diag(X).shape == (9,)
    np.testing.assert_allclose(kernel.diag(X), np.diag(kernel(X)), rtol=1e-13)


def test_gradients_match_finite_differences(kernel):
    X, Z, step = points(6), points(4, seed=2), 1e-5
    gradients = kernel.gradients(X, Z)
    assert list(gradients) == list(kernel.parameters)
    for name, value in kernel.parameters.items():
        if 0 <= value < step:
            continue  # a central difference would leave the admissible values
        above, below = (kernel.with_parameters({name: value + change})(X, Z) for change in (step, -step))
        np.testing.assert_allclose(gradients[name], (above - below) / (2 * step), rtol=1e-6, atol=1e-8)
    for matrix in kernel.gradients(X).values():
        assert np.array_equal(matrix, matrix.T)


def test_parameters_are_the_float_fields(kernel):
    if not isinstance(kernel, Sum | Product):
        names = [field.name for field in fields(kernel) if isinstance(getattr(kernel, field.name), float)]
        assert list(kernel.parameters) == names
    assert all(isinstance(value, float) for value in kernel.parameters.values())
    assert kernel.with_parameters(kernel.parameters) == kernel


def test_value_semantics(kernel):
    for twin in (eval(repr(kernel), vars(door)), copy.deepcopy(kernel), pickle.loads(pickle.dumps(kernel))):
        assert twin == kernel
        assert hash(twin) == hash(kernel)
    assert len(set(EXAMPLES)) == len(EXAMPLES)
    with pytest.raises(FrozenInstanceError):
        kernel.anything = 1


def test_sum_and_product_with_any_other(kernel):
    X, Z = points(6), points(4, seed=1)
    other = Gaussian(width=1.1)
    np.testing.assert_allclose((kernel + other)(X, Z), kernel(X, Z) + other(X, Z), rtol=1e-14)
    np.testing.assert_allclose((other * kernel)(X, Z), kernel(X, Z) * other(X, Z), rtol=1e-14)
    assert len((kernel * kernel).parameters) == 2 * len(kernel.parameters)
    assert (kernel + other).is_positive_semidefinite is kernel.is_positive_semidefinite


@pytest.mark.parametrize(
    ("X", "Z", "message"),
    [
        ([1.0, 2.0], None, r"^X: expected shape \(n, d\), got \(2,\)"),
        ([[1.0, 2.0]], [[1.0]], r"^Z: expected shape \(m, 2\), got \(1, 1\)"),
        ([[1.0, np.nan]], None, "^X: .*NaN"),
        ([[1.0, np.inf]], None, "^X: .*infinity"),
        ([[1.0, 2.0]], [["a", "b"]], "^Z: expected numbers"),
    ],
)
def test_bad_samples_raise(kernel, X, Z, message):
    for call in (kernel, kernel.gradients):
        with pytest.raises(ValueError, match=message):
            call(X, Z)
    if Z is None:
        with pytest.raises(ValueError, match=message):
            kernel.diag(X)


def test_no_samples_give_empty_matrices(kernel):
    assert kernel(np.empty((0, 2)), points(3, 2)).shape == (0, 3)
    assert kernel.diag(np.empty((0, 2))).shape == (0,)


def test_inputs_are_left_alone(kernel):
    X, Z = points(4), points(3, seed=1)
    before = X.copy(), Z.copy()
    kernel(X, Z), kernel.gradients(X, Z), kernel.diag(X)
    assert np.array_equal(X, before[0])
    assert np.array_equal(Z, before[1])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Gaussian(width=0), "^width: expected a number above 0, got 0"),
        (lambda: Gaussian(width=-1.0), "^width: "),
        (lambda: Gaussian(width=np.inf), "^width: "),
        (lambda: Gaussian(width=np.nan), "^width: "),
        (lambda: Gaussian(width="wide"), "^width: "),
        (lambda: Polynomial(degree=0), "^degree: expected a whole number of at least 1, got 0"),
        (lambda: Polynomial(degree=1.5), "^degree: "),
        (lambda: Polynomial(degree=2, offset=-1), "^offset: expected a finite number of at least 0, got -1"),
        (lambda: Polynomial(degree=2, offset=np.inf), "^offset: "),
        (lambda: Periodic(width=0), "^width: expected a number above 0, got 0"),
        (lambda: Periodic(period=-2.0), "^period: expected a number above 0, got -2.0"),
        (lambda: Periodic(period=np.inf), "^period: "),
        (lambda: Periodic(width=np.nan), "^width: "),
        (lambda: QuasiPeriodic(width=-1), "^width: "),
        (lambda: QuasiPeriodic(period=0), "^period: "),
        (lambda: QuasiPeriodic(decay=0), "^decay: expected a number above 0, got 0"),
        (lambda: QuasiPeriodic(decay=np.inf), "^decay: "),
        (lambda: Sigmoid(slope=0), "^slope: expected a number above 0, got 0"),
        (lambda: Sigmoid(slope=-1.0), "^slope: "),
        (lambda: Sigmoid(offset=np.inf), "^offset: expected finite numbers, got infinity"),
        (lambda: Sigmoid(offset=np.nan), "^offset: expected numbers, got NaN"),
        (lambda: Sigmoid(offset="high"), "^offset: "),
        (lambda: Constant(value=-0.1), "^value: "),
        (lambda: Constant(value=np.nan), "^value: "),
        (lambda: -1 * Linear(), "^value: "),
        (lambda: Sum(Linear(), 1.0), "^right: expected a kernel, got 1.0"),
        (lambda: Gaussian().with_parameters({"widht": 1.0}), r"expected names among \['width'\], got \['widht'\]"),
        (lambda: (Gaussian() + 1).with_parameters({"left.width": -1.0}), "^width: "),
    ],
)
def test_bad_parameters_raise(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_only_kernels_and_numbers_combine():
    with pytest.raises(TypeError):
        Linear() + "one"
    assert np.float64(2.0) * Linear() == Constant(2.0) * Linear()
    assert Linear() + np.int64(1) == Linear() + Constant(1.0)


def test_negative_offset_would_be_no_kernel():
    # ES-7: (xz − 1)² at ±0.1 has the eigenvalue −0.04, which is why a negative offset is refused.
    x = np.array([[0.1], [-0.1]])
    assert np.linalg.eigvalsh((x @ x.T - 1) ** 2)[0] == pytest.approx(-0.04, abs=1e-12)


def test_square_of_the_inner_product_from_two_feature_maps():
    # ES p. 53 and p. 64: maps into R³ and R⁴ share one kernel.
    X = points(8, 2)
    a, b = X.T
    three = np.column_stack([a * a, b * b, np.sqrt(2) * a * b])
    four = np.column_stack([a * a, a * b, a * b, b * b])
    square = Polynomial(degree=2, offset=0)(X)
    np.testing.assert_allclose(three @ three.T, square, rtol=1e-13)
    np.testing.assert_allclose(four @ four.T, square, rtol=1e-13)


def test_landmark_similarities():
    # HJ: x = −1, landmarks −2 and 1, γ = 0.3, that is width 1/√0.6.
    similarities = Gaussian(width=1 / np.sqrt(0.6))([[-1.0]], [[-2.0], [1.0]])
    np.testing.assert_allclose(similarities, [[0.74082, 0.30119]], atol=5e-6)


def test_gaussian_of_far_off_points_keeps_its_digits():
    # The expansion ‖x‖² − 2xᵀz + ‖z‖² loses every digit here.
    X = np.array([[1e9, 0.0], [1e9 + 1, 0.0], [1e9, 0.0]])
    e = np.exp(-0.5)
    np.testing.assert_allclose(Gaussian(1.0)(X), [[1, e, 1], [e, 1, e], [1, e, 1]], rtol=1e-14)


def test_periodic_repeats_with_the_period():
    kernel = Periodic(width=0.8, period=1.5)
    X, Z = points(6), points(5, seed=1)
    turns = np.random.default_rng(2).integers(-50, 50, size=X.shape)
    np.testing.assert_allclose(kernel(X + 1.5 * turns, Z), kernel(X, Z), rtol=1e-10)
    half = np.array([[0.0], [0.75]])  # half a period apart: the least value there is, exp(−2/width²)
    assert kernel(half)[0, 1] == pytest.approx(np.exp(-2 / 0.8**2), rel=1e-14)


def test_periodic_is_gaussian_on_circles():
    X, Z = points(7), points(5, seed=1)

    def wound(samples):
        angles = 2 * np.pi * samples / 1.3
        return np.hstack([np.cos(angles), np.sin(angles)])

    np.testing.assert_allclose(Periodic(0.7, 1.3)(X, Z), Gaussian(0.7)(wound(X), wound(Z)), rtol=1e-12)


def test_periodic_stays_a_kernel_in_the_plane():
    # exp(−2 sin²(π‖x − z‖/period)/width²) with the distance inside the sine is a kernel on the line alone.
    X = points(60, 2, seed=4)
    distances = np.linalg.norm(X[:, None] - X, axis=2)
    assert np.linalg.eigvalsh(np.exp(-2 * np.sin(np.pi * distances / 1.3) ** 2))[0] < -0.1
    assert np.linalg.eigvalsh(Periodic(width=1.0, period=1.3)(X))[0] > -1e-12
    line = X[:, :1]
    np.testing.assert_allclose(
        Periodic(width=1.0, period=1.3)(line),
        np.exp(-2 * np.sin(np.pi * np.abs(line - line.T) / 1.3) ** 2),
        rtol=1e-12,
    )


def test_periodic_of_far_off_points_keeps_its_digits():
    # Thousands of millions of whole periods are taken off before the sine.
    X = np.array([[0.0], [3e9 + 0.5], [3e9 + 0.25]])
    near = np.array([[0.0], [0.5], [0.25]])
    np.testing.assert_allclose(Periodic(1.0, 1.0)(X), Periodic(1.0, 1.0)(near), rtol=1e-14)


def test_quasi_periodic_is_periodic_that_decays():
    X, Z = points(6), points(4, seed=1)
    product = Periodic(0.8, 1.7) * Gaussian(2.5)
    quasi = QuasiPeriodic(width=0.8, period=1.7, decay=2.5)
    np.testing.assert_allclose(quasi(X, Z), product(X, Z), rtol=1e-14)
    for ours, theirs in zip(quasi.gradients(X, Z).values(), product.gradients(X, Z).values()):
        np.testing.assert_allclose(ours, theirs, rtol=1e-14)
    for periods in (1, 2, 3):
        repeated = quasi([[0.0]], [[1.7 * periods]])[0, 0]
        assert repeated == pytest.approx(np.exp(-((1.7 * periods) ** 2) / (2 * 2.5**2)), rel=1e-12)


def test_all_subsets_of_two_features():
    # (1 + x₁z₁)(1 + x₂z₂) = 1 + x₁z₁ + x₂z₂ + x₁x₂z₁z₂
    X, Z = points(5, 2), points(4, 2, seed=1)
    expected = 1 + X @ Z.T + np.outer(X[:, 0] * X[:, 1], Z[:, 0] * Z[:, 1])
    np.testing.assert_allclose(AllSubsets()(X, Z), expected, rtol=1e-13)


def test_sigmoid_is_no_kernel():
    assert not Sigmoid().is_positive_semidefinite
    assert not (Sigmoid() * Gaussian()).is_positive_semidefinite
    assert not (1.0 + Sigmoid()).is_positive_semidefinite
    assert np.linalg.eigvalsh(Sigmoid(slope=1.0, offset=-1.0)(points(20)))[0] < -1


@settings(deadline=None, max_examples=60)
@given(
    st_numpy.arrays(float, st.tuples(st.integers(1, 6), st.integers(1, 3)), elements=st.floats(-1e300, 1e300)),
    st.floats(1e-300, 1e300),
    st.floats(1e-300, 1e300),
)
def test_periodic_stays_between_zero_and_one(X, width, period):
    K = Periodic(width, period)(X)
    assert (np.diag(K) == 1).all()
    assert ((K >= 0) & (K <= 1)).all()
    assert np.array_equal(K, K.T)


@settings(deadline=None, max_examples=60)
@given(
    st_numpy.arrays(float, st.tuples(st.integers(1, 8), st.integers(1, 3)), elements=st.floats(-1e300, 1e300)),
    st.floats(1e-300, 1e300),
)
def test_gaussian_stays_between_zero_and_one(X, width):
    K = Gaussian(width)(X)
    assert (np.diag(K) == 1).all()
    assert ((K >= 0) & (K <= 1)).all()
    assert np.array_equal(K, K.T)


def test_overflow_raises():
    with pytest.raises(ValueError, match="too large"):
        Linear()([[1e200]])
    with pytest.raises(ValueError, match="too large"):
        Polynomial(degree=50)([[1e10]])
    with pytest.raises(ValueError, match="too large"):
        AllSubsets()([[1e200, 1e200]])
    with pytest.raises(ValueError, match="too large"):
        Periodic().gradients([[1e308]], [[-1e308]])
    assert Sigmoid()([[1e100]]) == 1
    with pytest.raises(ValueError, match="too large"):
        (Constant(0.0) * Linear()).diag([[1e200]])
