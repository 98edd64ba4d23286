import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlcore.bayes import Factor
from mlcore.bayes._factor import LARGEST_FACTOR, as_names

STATES = {"a": ("yes", "no"), "b": (0, 1, 2), "c": ("low", "high"), "d": (True, False)}


def random_factor(variables, seed):
    shape = [len(STATES[name]) for name in variables]
    return Factor(variables, STATES, np.random.default_rng(seed).random(shape))


scopes = st.lists(st.sampled_from(sorted(STATES)), unique=True, max_size=4)


def everywhere():
    for a in STATES["a"]:
        for b in STATES["b"]:
            for c in STATES["c"]:
                for d in STATES["d"]:
                    yield {"a": a, "b": b, "c": c, "d": d}


def at(factor, assignment):
    return factor.value({name: assignment[name] for name in factor.variables})


@settings(deadline=None, max_examples=40)
@given(scopes, scopes, scopes)
def test_product_multiplies_what_has_the_same_states(first, second, third):
    factors = [random_factor(scope, seed) for seed, scope in enumerate((first, second, third))]
    product = factors[0].product(*factors[1:])
    assert set(product.variables) == {*first, *second, *third}
    assert product.variables[: len(first)] == tuple(first)
    for assignment in everywhere():
        expected = np.prod([at(factor, assignment) for factor in factors])
        assert at(product, assignment) == pytest.approx(expected, rel=1e-14)


@settings(deadline=None, max_examples=40)
@given(scopes, st.data())
def test_summing_out_and_reducing_commute(scope, data):
    factor = random_factor(scope, 0)
    gone = data.draw(st.lists(st.sampled_from(scope), unique=True)) if scope else []
    seen = {name: STATES[name][-1] for name in scope if name not in gone}
    one = factor.sum_out(*gone).reduce(seen)
    other = factor.reduce(seen).sum_out(*gone)
    assert one.variables == other.variables == ()
    assert float(one.values) == pytest.approx(float(other.values), rel=1e-14)


def test_summing_out_all_gives_the_sum_and_none_the_factor_itself():
    factor = random_factor(("a", "b"), 0)
    assert float(factor.sum_out("a", "b").values) == pytest.approx(factor.values.sum())
    assert (factor.sum_out().values == factor.values).all()


def test_the_order_of_the_variables_does_not_matter():
    factor = random_factor(("a", "b", "c"), 0)
    turned = factor.arrange(("c", "a", "b"))
    assert turned.values.shape == (2, 2, 3)
    for assignment in everywhere():
        assert at(turned, assignment) == at(factor, assignment)
    other = random_factor(("b", "d"), 1)
    assert np.array_equal((other * turned).arrange(list("abcd")).values, (factor * other).arrange(list("abcd")).values)


def test_a_factor_is_a_read_only_copy():
    values = np.ones((2, 3))
    factor = Factor(("a", "b"), STATES, values)
    values[:] = 7
    assert factor.values.max() == 1
    for changed in (
        factor,
        factor.product(factor),
        factor.sum_out("a"),
        factor.reduce({"a": "no"}),
        factor.normalise(),
    ):
        with pytest.raises(ValueError, match="read-only"):
            changed.values[...] = 2
    with pytest.raises(AttributeError):
        factor.values = values


def test_normalise_keeps_ratios_even_of_tiny_numbers():
    factor = Factor("a", STATES, [3e-310, 1e-310])
    assert factor.normalise().values == pytest.approx([0.75, 0.25], rel=1e-10)
    assert Factor((), {}, 5.0).normalise().value() == 1
    with pytest.raises(ValueError, match="a value above 0, all are 0"):
        Factor("a", STATES, [0, 0]).normalise()


def test_reduce_passes_over_other_variables_and_wants_known_states():
    factor = random_factor(("a", "b"), 0)
    assert (factor.reduce({"c": "low", "b": 2}).values == factor.values[:, 2]).all()
    with pytest.raises(ValueError, match=r"b: expected one of the states \(0, 1, 2\), got 'two'"):
        factor.reduce({"b": "two"})


def test_value_by_keywords_and_by_mapping():
    factor = Factor(("a", "is it?"), [("yes", "no"), (1, 2)], [[1, 2], [3, 4]])
    assert factor.value({"is it?": 2}, a="yes") == 2
    with pytest.raises(ValueError, match="got none for is it?"):
        factor.value(a="yes")
    with pytest.raises(ValueError, match="got 'x'"):
        factor.value({"is it?": 2}, a="yes", x=1)


@pytest.mark.parametrize(
    "arguments, message",
    [
        ((("a", "a"), STATES, np.ones((2, 2))), "variables: expected each name once"),
        ((("a", "e"), STATES, np.ones((2, 2))), "states: expected those of every variable, got none for 'e'"),
        ((("a",), [("yes", "no"), (1, 2)], np.ones(2)), "states: expected those of 1 variables, got those of 2"),
        ((("a",), [("yes", "yes")], np.ones(2)), "states of a: expected each name once"),
        ((("a",), [()], np.ones(0)), "states of a: expected at least one"),
        ((("a",), STATES, np.ones(3)), r"values: expected shape \(2,\), got \(3,\)"),
        ((("a",), STATES, [1, -0.5]), "values: expected numbers of at least 0, got -0.5"),
        ((("a",), STATES, [1, np.inf]), "values: expected finite numbers"),
        ((("a",), STATES, [1, np.nan]), "values: expected numbers, got NaN"),
        ((3, STATES, [1, 1]), "variables: expected names, got 3"),
    ],
)
def test_bad_factors(arguments, message):
    with pytest.raises(ValueError, match=message):
        Factor(*arguments)


def test_bad_operations():
    factor = random_factor(("a", "b"), 0)
    with pytest.raises(ValueError, match="sum_out: expected variables among"):
        factor.sum_out("c")
    with pytest.raises(ValueError, match="variables: expected an order of"):
        factor.arrange(("a",))
    with pytest.raises(ValueError, match="product: expected 'a' with the states"):
        factor.product(Factor("a", [("no", "yes")], [1, 1]))
    with pytest.raises(TypeError):
        factor * 2


def test_a_product_too_large_for_memory_is_refused():
    many = [Factor([f"x{i}"], [(0, 1)], [1, 1]) for i in range(26)]
    with pytest.raises(
        ValueError, match=f"at most {LARGEST_FACTOR} entries and 64 variables, got 6.71e.07 entries over 26"
    ):
        many[0].product(*many[1:])
    single = [Factor([f"x{i}"], [(0,)], [1]) for i in range(65)]
    with pytest.raises(ValueError, match="over 65 variables"):
        single[0].product(*single[1:])


def test_as_names_takes_any_iterable():
    assert as_names("x", {"a": 1, "b": 2}) == as_names("x", iter(["a", "b"])) == ("a", "b")
    assert as_names("x", "ab") == ("ab",)
    with pytest.raises(ValueError, match="x: expected names"):
        as_names("x", [["a"]])
