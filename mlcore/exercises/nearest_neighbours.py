"""Checks of the exercises of chapter 3. They test what makes an answer right, not one stored answer."""

import numpy as np

from mlcore.datasets import metal_and_wood
from mlcore.exercises._answers import array, function, labels, number, parts, same_label, shown
from mlcore.exercises._verdict import check, refuse
from mlcore.neighbors import KNeighborsClassifier, k_nearest

__all__ = [
    "check_classify",
    "check_lead",
    "check_scaling",
    "check_undecided",
    "check_unit",
    "check_width",
]

_SAME = 1e-9  # relative: distances or sums closer than this count as equal


@check
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
    ask = function("classify", classify, "X, y and u")
    for X, y, u in _labelling_tasks():
        distances = np.linalg.norm(X - u, axis=1)
        fair = y[distances <= distances.min() * (1 + _SAME)].tolist()
        label = ask(X, y, u)
        if not any(same_label(label, one) for one in fair):
            refuse(
                f"For u = {_place(u)} (n = {len(X)}, d = {X.shape[1]}) the nearest point is "
                f"{distances.min():.3g} away and has the label {fair[0]!r}, but classify says {shown(label)}."
            )
    return "The label always comes from a point to which no other is closer: on the five objects it is +1, metal."


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


@check
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
    X = array("X", X, ("n", "d"))
    y, u = labels("y", y, len(X)), array("u", u, (X.shape[1],))
    k = number("k", k, whole=True, least=1)
    if k > len(X):
        refuse(f"k = {k} asks more points than the {len(X)} there are.")
    if k % 2 != odd:
        refuse(f"k = {k} is {'even' if odd else 'odd'}; this example needs an {'odd' if odd else 'even'} one.")
    distances, rows = (values[0] for values in k_nearest(X, [u], len(X)))
    if k < len(X) and distances[k] <= distances[k - 1] * (1 + _SAME):
        refuse(
            f"Points {k} and {k + 1} in order of distance are both {distances[k]:.3g} away: it is not clear who votes. "
            "Move one of them."
        )
    names, votes = np.unique(y[rows[:k]], return_counts=True)
    ballot = ", ".join(f"{name} {count}" for name, count in zip(names, votes))
    if (votes == votes.max()).sum() < 2:
        refuse(f"These {k} decide: {ballot}.")
    return f"The votes are {ballot}: nobody has most, and a rule for ties must decide."


@check
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
    ask = function("lead", lead, "k and plus")
    for k in range(1, 26):
        for plus in range(k + 1):
            counted = sum([1] * plus + [-1] * (k - plus))
            answer = number(f"lead({k}, {plus})", ask(k, plus))
            if answer != counted:
                refuse(
                    f"With {plus} votes for + and {k - plus} for −, + is ahead by {counted}, but lead({k}, {plus}) = "
                    f"{answer:g}."
                )
    return (
        "2·plus is even, so lead and k are odd or even together, and an odd number is never 0: up to k = 25, "
        "no case with odd k ties, while every even k has one at plus = k/2."
    )


@check
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
    factor = number("factor", factor, above=0)
    X, y, unknown = metal_and_wood()
    scale = np.array([factor, 1.0])
    distances, rows = k_nearest(X * scale, [unknown * scale], 4)
    if distances[0, 3] <= distances[0, 2] * (1 + _SAME):
        refuse("With this factor the third and the fourth object are equally far: it is not clear who votes.")
    voters = ", ".join(f"{'metal' if y[row] > 0 else 'wood'} at {d:.4g}" for row, d in zip(rows[0, :3], distances[0]))
    if y[rows[0, :3]].sum() < 0:
        refuse(f"Times {factor:g}, the three nearest are {voters}: still wood.")
    return f"Times {factor:g}, the three nearest are {voters}: the same object is of metal now."


@check
def check_scaling(scale):
    """Check ``scale(X, u)``, which must make the neighbours independent of the units of the features.

    It is tried on random points under random changes of unit and of origin: the nearest three stay the same. What it
    does to X may not depend on u, and an object that is a row of X must land where this row does.

    Parameters
    ----------
    scale : callable
        From points (n × d) and an object (d,) to scaled points and a scaled object.

    Returns
    -------
    Verdict
    """
    ask = function("scale", scale, "X and u")

    def scaled(X, u):
        points, asker = parts("scale", ask(X, u), ("the scaled X", "the scaled u"))
        return array("the scaled X", points, X.shape), array("the scaled u", asker, u.shape)

    rng = np.random.default_rng(0)
    for n, d in [(5, 2), (20, 3), (40, 5)]:
        X, u = rng.normal(size=(n, d)), rng.normal(size=d)
        units, origin = np.exp(rng.normal(scale=3, size=d)), rng.normal(scale=5, size=d)
        points, asker = scaled(X, u)
        if np.ptp(points, axis=0).min() < 1e-6:
            refuse("All scaled points are the same in some feature: nothing is left of what it said.")
        for i in range(3):
            others, twin = scaled(X, X[i])
            if not np.allclose(points, others, rtol=1e-6):
                refuse("The scaled points change when u changes. Take mean and deviation from X alone.")
            if not np.allclose(twin, points[i], rtol=1e-6):
                refuse(
                    f"With u = row {i} of X, {_place(X[i])}, the scaled u is {_place(twin)}, but row {i} of the scaled "
                    f"X is {_place(points[i])}: the same object must land in the same place."
                )
        again, asker_again = scaled(X * units + origin, u * units + origin)
        rows, rows_again = (k_nearest(*pair, 3)[1][0] for pair in ((points, [asker]), (again, [asker_again])))
        if rows.tolist() != rows_again.tolist():
            refuse(
                f"In other units ({', '.join(f'{unit:.3g}' for unit in units)} times the numbers, and another origin) "
                f"the three nearest are rows {rows_again.tolist()}, before they were {rows.tolist()}."
            )
    return "Whatever the units, the same points are the nearest."


@check
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
    width = number("width", width, above=0)
    X, y, unknown = metal_and_wood()
    distances, rows = KNeighborsClassifier(k=3).fit(X, y).kneighbors(unknown[None])
    # Relative to the nearest: a common factor changes no sign, and no similarity is lost by underflow.
    similarity = np.exp((distances[0, 0] - distances[0]) / width)
    total = float(similarity @ y[rows[0]])
    shares = ", ".join(f"{value:.3f}" for value in similarity / similarity.sum())
    if total <= 0:
        refuse(f"With width {width:g} the three votes have the shares {shares}, and only the first is for metal.")
    return f"With width {width:g} the shares are {shares}: the nearest object alone outvotes the other two."
