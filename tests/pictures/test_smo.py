import pickle
from itertools import product

import numpy as np
import pandas as pd
import pytest

from mlcore.datasets import shape_bitmaps, sixteen_points, two_clouds
from mlcore.explore.scene import Scene
from mlcore.kernels import Linear
from mlcore.pictures.drawing.readout import decimals
from mlcore.pictures.drawing.sample_data import labelled_data
from mlcore.pictures.smo import noisy_bitmaps, one_pair, smo_run, smo_variants
from mlcore.pictures.smo._bitmaps import accuracy_of_templates, trained_on_bitmaps
from mlcore.pictures.smo._pair_box import PairMove, _objective, _updated, outcome
from mlcore.pictures.smo._smo_run import VARIANTS, recorded_runs
from mlcore.pictures.smo._smo_variants import sixty_points
from mlcore.svm import solve_dual

FACTORIES = [smo_run, one_pair, smo_variants, noisy_bitmaps]


@pytest.fixture(scope="module")
def runs():
    return recorded_runs(labelled_data(*sixteen_points()), C=1.0)


@pytest.mark.parametrize("factory", FACTORIES)
def test_every_end_of_every_control_is_drawn_and_described(factory):
    picture = factory()
    assert 1 <= len(picture.page_states()) <= 120
    scene = Scene(pickle.loads(pickle.dumps(picture)))  # the page draws in other processes
    ends = [(control.page_values[0], control.page_values[-1], control.start) for control in picture.controls]
    texts, drawings = set(), set()
    for values in product(*ends):
        state = dict(zip((control.name for control in picture.controls), values))
        text = picture.describe(**state)
        assert text == picture.describe(**state)
        assert "nan" not in text.lower()
        assert "-" not in text  # typographic minus only
        texts.add(text)
        drawings.add(str(scene.moving(state)))
    assert len(texts) > 1
    assert len(drawings) > 1


class TestSMORun:
    def test_every_variant_ends_at_the_optimum_of_the_quadratic_program(self, runs):
        data = runs["simplified"].data
        exact = solve_dual(Linear()(data.X), data.y, 1.0)
        for run in runs.values():
            w, _ = run.machine(run.result.iterations)
            assert run.result.status == "optimal"
            assert run.result.objective == pytest.approx(exact.certificate.dual_value, rel=1e-3)
            assert np.allclose(w, exact.coefficients @ data.X, atol=1e-2)

    def test_the_numbers_of_the_text(self, runs):
        assert {name: run.result.iterations for name, run in runs.items()} == {
            "simplified": 27, "largest_difference": 13, "second_order": 9,
        }  # fmt: skip
        describe = smo_run().describe
        first, last = (describe(variant="second_order", step=step) for step in (1, 9))
        assert "unclipped α₂ = 3.846: clipped to H = 1.000" in first
        assert "E₁ − E₂ = −2.000" in first
        assert "Dual objective 1.740, gained 1.740. KKT gap 4.300" in first
        assert "End, optimal: dual 2.746, primal 2.746" in last

    @pytest.mark.parametrize("variant", list(VARIANTS.values()))
    def test_every_recorded_step_keeps_the_constraints_and_never_falls(self, runs, variant):
        run = runs[variant]
        assert np.abs(run.alphas @ run.data.y).max() < 1e-12
        assert run.alphas.min() >= 0
        assert run.alphas.max() <= 1
        assert np.diff([0.0, *(step.objective for step in run.result.steps)]).min() > -1e-12
        assert np.allclose(run.alphas[-1], run.result.alpha)

    def test_errors_explain_the_step(self, runs):
        """The unclipped value is α₂ + y₂(E₁ − E₂)/η with the errors that the readout shows."""
        run = runs["largest_difference"]
        K = Linear()(run.data.X)
        for number, step in enumerate(run.result.steps, start=1):
            i, j = step.pair
            E = run.errors(number - 1)
            eta = K[i, i] + K[j, j] - 2 * K[i, j]
            assert step.unclipped == pytest.approx(step.before[1] + run.data.y[j] * (E[i] - E[j]) / eta)

    def test_a_shorter_run_stays_at_its_end(self):
        describe = smo_run().describe
        assert describe(variant="second_order", step=27) == describe(variant="second_order", step=9)
        assert describe(variant="second_order", step=0).startswith("Start: every α is 0")

    def test_the_readers_data(self):
        X, y = two_clouds(n=50, distance=1.5, seed=3)
        table = pd.DataFrame(X, columns=["length", "width"])
        picture = smo_run(table, np.where(y > 0, "spam", "ham"), C=10.0)
        assert len(picture.page_states()) <= 120
        figure = Scene(picture)._figure
        assert figure.axes[1].get_xlabel() == "length"
        assert "spam" in [text.get_text() for text in figure.subfigs[1].legends[0].get_texts()]
        last = picture.page_states()[-1]
        assert "End" in picture.describe(**last)

    def test_a_long_run_is_thinned_out_in_the_page(self):
        picture = smo_run(*two_clouds(n=40, distance=2.2, seed=4), C=100.0)
        steps = picture.controls[1]
        assert len(steps.values) > 400
        assert len(picture.page_states()) <= 120
        assert steps.page_values[-1] == steps.values[-1]

    def test_twins_have_no_curvature_and_are_told_so(self):
        picture = smo_run([[1, 1], [1, 1], [0, 3]], [1, -1, 1])
        texts, scene = [], Scene(picture)
        for state in picture.page_states():
            texts.append(picture.describe(**state))
            assert "nan" not in str(scene.moving(state))
        assert any("η = 0, so α₂ goes to the better end" in text for text in texts)

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            (dict(X=[[1, 2, 3]], y=[1]), r"X: expected shape \(n, 2\)"),
            (dict(X=[[1, 2], [3, 4]], y=[1, 1]), "y: expected exactly two classes"),
            (dict(C=np.inf), "C: expected a finite number"),
            (dict(C=-1), "C: expected a number above 0"),
            (dict(tolerance=0), "tolerance: expected a number above 0"),
        ],
    )
    def test_bad_input_is_named(self, options, message):
        with pytest.raises(ValueError, match=message):
            smo_run(**options)


class TestOnePair:
    def test_every_state_is_best_on_its_segment(self):
        """No point of a fine grid of the segment has a larger objective than the one that is marked."""
        picture = one_pair()
        for state in picture.page_states():
            move, *_ = _updated(**state)
            values = [_objective(*move.point(a), state["product"]) for a in np.linspace(move.L, move.H, 51)]
            assert _objective(*move.after, state["product"]) >= max(values) - 1e-9

    def test_all_outcomes_can_be_met(self):
        picture = one_pair()
        texts = " ".join(picture.describe(**state) for state in picture.page_states())
        for outcome_text in ("nothing to clip", "clipped to H", "clipped to L", "cannot move at all"):
            assert outcome_text in texts

    def test_the_states_of_the_text(self):
        describe = one_pair().describe
        start = describe(product=1, C=1.5, share1=0.5, share2=0.0)
        assert "H = 0.750, unclipped α₂ = 0.844: clipped to H" in start
        moved = describe(product=1, C=1.5, share1=0.75, share2=0.0)
        assert "H = 1.125, unclipped α₂ = 0.984: inside" in moved
        for share in (0.0, 1.0):
            assert "cannot move" in describe(product=1, C=1.5, share1=share, share2=share)
            assert "cannot move" in describe(product=-1, C=1.5, share1=share, share2=1 - share)

    def test_words(self):
        move = PairMove((0.0, 0.0), (1.0, 1.0), 0.0, 1.0, float("-inf"), -1)
        assert outcome(move).endswith("L = 0.000, H = 1.000: L")
        assert decimals(-1e-12) == "0.000"
        assert decimals(0.6875 - 1e-13) == decimals(0.6875 + 1e-13)


class TestVariants:
    def test_the_numbers_of_the_text(self):
        describe = smo_variants().describe
        assert "random pairs 523; largest difference 68; second order 52" in describe(C=1.0)
        assert "random pairs 2883; largest difference 852; second order 294" in describe(C=100.0)
        assert describe(C=1.0).endswith("All ended: optimal.")

    def test_the_objective_missing_never_grows(self):
        for _, missing, gaps in smo_variants().draw.keywords["curves"](1.0).values():
            assert missing[0] == 1
            assert np.diff(missing).max() < 1e-12
            assert gaps[0] == 2
            assert gaps[-1] <= 1e-3

    def test_own_data_and_kernel(self):
        X, y = sixty_points()
        picture = smo_variants(X[::3], np.where(y > 0, "a", "b")[::3], kernel=Linear())
        assert "All ended: optimal" in picture.describe(C=1.0)
        with pytest.raises(ValueError, match="exactly two classes"):
            smo_variants(X, np.ones(60))


class TestBitmaps:
    def test_noise_hides_the_shapes_and_more_bitmaps_help(self):
        for n in (10, 40, 160):
            assert trained_on_bitmaps(n, 0.0)[3] == 1
            assert abs(trained_on_bitmaps(n, 0.5)[3] - 0.5) < 0.03
        few, some, many = (trained_on_bitmaps(n, 0.35)[3] for n in (10, 40, 160))
        assert few == pytest.approx(0.724, abs=0.005)
        assert some == pytest.approx(0.863, abs=0.005)
        assert many == pytest.approx(0.920, abs=0.005)

    def test_the_training_set_is_always_learned_by_heart(self):
        picture = noisy_bitmaps()
        assert all("100.0 % of the training" in picture.describe(**state) for state in picture.page_states())

    def test_no_machine_beats_the_templates_by_more_than_chance(self):
        for state in noisy_bitmaps().page_states():
            limit = accuracy_of_templates(state["noise"])
            spread = np.sqrt(limit * (1 - limit) / 1000)
            assert trained_on_bitmaps(state["n"], state["noise"])[3] <= limit + 4 * spread

    def test_the_template_rule_by_simulation(self):
        (rectangle, circle), _ = shape_bitmaps(n=2, noise=0.0)
        X, y = shape_bitmaps(n=4000, noise=0.4, seed=5)
        score = X @ (rectangle - circle) - (rectangle.sum() - circle.sum()) / 2
        right = np.where(score == 0, 0.5, np.sign(score) == y)
        assert right.mean() == pytest.approx(accuracy_of_templates(0.4), abs=0.02)

    def test_without_noise_the_weights_are_the_difference_of_the_outlines(self):
        w, b, *_ = trained_on_bitmaps(40, 0.0)
        (rectangle, circle), _ = shape_bitmaps(n=2, noise=0.0)
        difference = rectangle - circle
        assert np.allclose(w, 2 * difference / (difference @ difference), atol=1e-6)
        assert np.allclose([w @ rectangle + b, w @ circle + b], [1, -1], atol=1e-6)
