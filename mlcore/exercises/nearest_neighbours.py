"""Checks of the exercises of chapter 3. They test what makes an answer right, not one stored answer."""

import numpy as np

from mlcore.datasets import metal_and_wood
from mlcore.exercises._verdict import right, unanswered, wrong
from mlcore.neighbors import KNeighborsClassifier, k_nearest
from mlcore.validation import as_array, as_positive, as_whole_number

__all__ = [
    "check_classify",
    "check_lead",
    "check_scaling",
    "check_undecided",
    "check_unit",
    "check_width",
]

_SAME = 1e-9  # relative: distances or sums closer than this count as equal


def check_classify(classify):
    """Check a function ``classify(X, y, u)`` that gives u the label of its nearest row of X (ES p. 12).

    It is tried on the five objects of ES p. 13 and on random points in one to six dimensions. Where several points
    are nearest, each of their labels is right.

    Parameters
    ----------
    classify : callable
        From points (n × d), labels (n,) and an object (d,) to a label.

    Returns
    -------
    Verdict
    """
    missing = unanswered(classify=classify)
    if missing is not None:
        return missing
    if not callable(classify):
        return wrong(f"classify: expected a function of X, y and u, got {classify!r}.")
    for X, y, u in _labelling_tasks():
        distances = np.linalg.norm(X - u, axis=1)
        fair = set(y[distances <= distances.min() * (1 + _SAME)].tolist())
        try:
            label = classify(X.copy(), y.copy(), u.copy())
            label = np.asarray(label).item()
        except Exception as error:  # whatever the reader's function raises is told to the reader
            return wrong(f"With n = {len(X)} points, d = {X.shape[1]}: {type(error).__name__}: {error}.")
        if label not in fair:
            return wrong(
                f"For u = {_place(u)} (n = {len(X)}, d = {X.shape[1]}) the nearest point is "
                f"{distances.min():.3g} away and has the label {sorted(fair)[0]!r}, but classify says {label!r}."
            )
    return right(
        "The label always comes from a point to which no other is closer: on the five objects it is +1, metal."
    )


def _labelling_tasks():
    yield metal_and_wood()
    rng = np.random.default_rng(0)
    for n, d in [(1, 1), (2, 2), (7, 1), (12, 2), (30, 3), (40, 6)]:
        for names in (np.array([1.0, -1.0]), np.array(["metal", "wood", "glass"])):
            for _ in range(4):
                # The columns differ in size, so that an answer that forgets one of them is found out.
                sizes = np.geomspace(1, 4, d)
                yield rng.normal(size=(n, d)) * sizes, rng.choice(names, size=n), rng.normal(size=d) * sizes


def _place(u):
    return "(" + ", ".join(f"{value:.3g}" for value in u) + ")"


def check_undecided(X, y, u, k, odd=False):
    """Check an example in which the k nearest points of u do not decide: the largest numbers of votes are equal.

    Parameters
    ----------
    X : array_like of shape (n, d)
        Points.
    y : sequence of n labels
    u : array_like of shape (d,)
        The unknown object.
    k : int
        Even, or odd if `odd`.
    odd : bool
        Whether the example must have an odd k, which takes more than two classes.

    Returns
    -------
    Verdict
    """
    missing = unanswered(X=X, y=y, u=u, k=k)
    if missing is not None:
        return missing
    try:
        X = as_array("X", X, ("n", "d"))
        y = np.array([str(label) for label in y])
        if len(y) != len(X):
            return wrong(f"y: expected {len(X)} labels, one for each row of X, got {len(y)}.")
        u = as_array("u", u, (X.shape[1],))
        k = as_whole_number("k", k)
        distances, rows = k_nearest(X, [u], len(X))
    except TypeError:
        return wrong(f"y: expected a list of labels, got {y!r}.")
    except ValueError as error:
        return wrong(f"{error}.")
    if k > len(X):
        return wrong(f"k = {k} asks more points than the {len(X)} there are.")
    if k % 2 != odd:
        return wrong(f"k = {k} is {'even' if odd else 'odd'}; this example needs an {'odd' if odd else 'even'} one.")
    distances, rows = distances[0], rows[0]
    if k < len(X) and distances[k] <= distances[k - 1] * (1 + _SAME):
        return wrong(
            f"Points {k} and {k + 1} in order of distance are both {distances[k]:.3g} away: it is not clear who votes. "
            "Move one of them."
        )
    labels, votes = np.unique(y[rows[:k]], return_counts=True)
    ballot = ", ".join(f"{label} {number}" for label, number in zip(labels, votes))
    if (votes == votes.max()).sum() < 2:
        return wrong(f"These {k} decide: {ballot}.")
    return right(f"The votes are {ballot}: nobody has most, and a rule for ties must decide.")


def check_lead(lead):
    """Check ``lead(k, plus)``, the votes for + less those for − when `plus` of k voters are for + (MW p. 21).

    The function is compared with counted votes, and with the claim that for odd k it is never 0.

    Parameters
    ----------
    lead : callable

    Returns
    -------
    Verdict
    """
    missing = unanswered(lead=lead)
    if missing is not None:
        return missing
    if not callable(lead):
        return wrong(f"lead: expected a function of k and plus, got {lead!r}.")
    for k in range(1, 26):
        for plus in range(k + 1):
            counted = sum([1] * plus + [-1] * (k - plus))
            try:
                answer = lead(k, plus)
            except Exception as error:  # whatever the reader's function raises is told to the reader
                return wrong(f"lead({k}, {plus}): {type(error).__name__}: {error}.")
            if answer is None:
                return wrong(f"lead({k}, {plus}) gives None: put an expression in k and plus behind `return`.")
            if not np.isscalar(answer) or answer != counted:
                return wrong(
                    f"With {plus} votes for + and {k - plus} for −, + is ahead by {counted}, but lead({k}, {plus}) = "
                    f"{answer!r}."
                )
    return right(
        "2·plus is even, so lead and k are odd or even together, and an odd number is never 0: up to k = 25, "
        "no case with odd k ties, while every even k has one at plus = k/2."
    )


def check_unit(factor):
    """Check a change of unit that turns the verdict of the three nearest objects of ES p. 13 from wood to metal.

    Parameters
    ----------
    factor : float
        By which the numbers of the size are multiplied, such as 0.01 for metres in place of centimetres.

    Returns
    -------
    Verdict
    """
    missing = unanswered(factor=factor)
    if missing is not None:
        return missing
    X, y, unknown = metal_and_wood()
    try:
        factor = as_positive("factor", factor)
        scale = np.array([factor, 1.0])
        distances, rows = k_nearest(X * scale, [unknown * scale], 4)
    except ValueError as error:
        return wrong(f"{error}.")
    if distances[0, 3] <= distances[0, 2] * (1 + _SAME):
        return wrong("With this factor the third and the fourth object are equally far: it is not clear who votes.")
    voters = ", ".join(f"{'metal' if y[row] > 0 else 'wood'} at {d:.4g}" for row, d in zip(rows[0, :3], distances[0]))
    if y[rows[0, :3]].sum() < 0:
        return wrong(f"Times {factor:g}, the three nearest are {voters}: still wood.")
    return right(f"Times {factor:g}, the three nearest are {voters}: the same object is of metal now.")


def check_scaling(scale):
    """Check ``scale(X, u)``, which must make the neighbours independent of the units of the features.

    It is tried on random points under random changes of unit and of origin: the nearest three stay the same. And
    what it does to X may not depend on u.

    Parameters
    ----------
    scale : callable
        From points (n × d) and an object (d,) to scaled points and a scaled object.

    Returns
    -------
    Verdict
    """
    missing = unanswered(scale=scale)
    if missing is not None:
        return missing
    if not callable(scale):
        return wrong(f"scale: expected a function of X and u, got {scale!r}.")
    rng = np.random.default_rng(0)
    for n, d in [(5, 2), (20, 3), (40, 5)]:
        X, u = rng.normal(size=(n, d)), rng.normal(size=d)
        units, origin = np.exp(rng.normal(scale=3, size=d)), rng.normal(scale=5, size=d)
        try:
            scaled, asker = _scaled(scale, X, u)
            again, asker_again = _scaled(scale, X * units + origin, u * units + origin)
            other, _ = _scaled(scale, X, u + 10)
            _, rows = k_nearest(scaled, [asker], 3)
            _, rows_again = k_nearest(again, [asker_again], 3)
        except Exception as error:  # whatever the reader's function raises is told to the reader
            return wrong(f"With n = {n} points, d = {d}: {type(error).__name__}: {error}")
        if np.ptp(scaled, axis=0).min() < 1e-6:
            return wrong("All scaled points are the same in some feature: nothing is left of what it said.")
        if not np.allclose(scaled, other, rtol=1e-6):
            return wrong("The scaled points change when u changes. Take mean and deviation from X alone.")
        if rows.tolist() != rows_again.tolist():
            return wrong(
                f"In other units ({', '.join(f'{unit:.3g}' for unit in units)} times the numbers, and another origin) "
                f"the three nearest are rows {rows_again[0].tolist()}, before they were {rows[0].tolist()}."
            )
    return right("Whatever the units, the same points are the nearest.")


def _scaled(scale, X, u):
    answer = scale(X.copy(), u.copy())
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        raise ValueError(f"scale: expected two results, the scaled X and the scaled u, got {type(answer).__name__}.")
    if any(part is None for part in answer):
        raise ValueError("scale returns None: fill in what it returns.")
    return as_array("scaled X", answer[0], X.shape), as_array("scaled u", answer[1], u.shape)


def check_width(width):
    """Check a width at which three weighed votes, K(u, x) = exp(−distance / width), say metal where a count says wood.

    Parameters
    ----------
    width : float
        Above 0, in the units of the plane of ES p. 13.

    Returns
    -------
    Verdict
    """
    missing = unanswered(width=width)
    if missing is not None:
        return missing
    try:
        width = as_positive("width", width)
    except ValueError as error:
        return wrong(f"{error}.")
    X, y, unknown = metal_and_wood()
    distances, rows = KNeighborsClassifier(k=3).fit(X, y).kneighbors(unknown[None])
    # Relative to the nearest: a common factor changes no sign, and no similarity is lost by underflow.
    similarity = np.exp((distances[0, 0] - distances[0]) / width)
    total = float(similarity @ y[rows[0]])
    shares = ", ".join(f"{value:.3f}" for value in similarity / similarity.sum())
    if total <= 0:
        return wrong(f"With width {width:g} the three votes have the shares {shares}, and only the first is for metal.")
    return right(f"With width {width:g} the shares are {shares}: the nearest object alone outvotes the other two.")
