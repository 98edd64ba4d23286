"""d-separation: independence read off the graph of a Bayesian network.

A path between two nodes lets information through under the observed nodes Z unless one of its inner nodes blocks it::

    chain      A → M → B     blocked when M is observed
    fork       A ← M → B     blocked when M is observed
    collider   A → M ← B     blocked unless M or one of its descendants is observed

X and Y are d-separated by Z when every path between them is blocked; then they are independent given Z, whatever the
tables say. The search follows all open paths at once: a state of it is a node together with the direction in which it
was entered, so its time grows with the number of arrows only.

Sources: ES p. 126–131; Pearl, *Probabilistic Reasoning in Intelligent Systems*, 1988, section 3.3; the search:
Shachter, *Bayes-Ball*, 1998.
"""

from collections import deque

__all__ = ["active_path", "d_separated"]


def d_separated(net, x, y, given=()):
    """Say whether the graph makes the nodes x and y independent under the nodes `given`.

    Parameters
    ----------
    net : mlcore.bayes.BayesNet
    x, y, given : iterable of str
        Names of nodes, no node in two of them; a single string is one name.

    Returns
    -------
    bool

    Raises
    ------
    ValueError
        Unknown nodes, or sets that overlap.

    Notes
    -----
    ES p. 126–131; Pearl, 1988, section 3.3.

    Examples
    --------
    >>> from mlcore.datasets import burglary_alarm
    >>> net = burglary_alarm()
    >>> d_separated(net, "burglary", "earthquake"), d_separated(net, "burglary", "earthquake", ["alarm"])
    (True, False)
    """
    return active_path(net, x, y, given) is None


def active_path(net, x, y, given=()):
    """Return a shortest open path between x and y under the nodes `given`, or None when they are d-separated.

    Parameters
    ----------
    net : mlcore.bayes.BayesNet
    x, y, given : iterable of str
        As for `d_separated`.

    Returns
    -------
    tuple of str or None
        The names along the path, from a node of x to a node of y.

    Raises
    ------
    ValueError
        As for `d_separated`.

    Examples
    --------
    >>> from mlcore.datasets import burglary_alarm
    >>> active_path(burglary_alarm(), ["burglary"], ["earthquake"], given=["alarm"])
    ('burglary', 'alarm', 'earthquake')
    """
    x, y, given = net.known("x", x), net.known("y", y), net.known("given", given)
    _check_disjoint(x=x, y=y, given=given)
    observed, wanted = set(given), set(y)
    opens = observed.union(net.ancestors(*given))  # colliders here let information through
    start = [(name, "from child") for name in x]  # a start may be left by any arrow
    came = dict.fromkeys(start)
    front = deque(start)
    while front:
        here = front.popleft()
        name, entered = here
        if name in wanted:
            return _path(came, here)
        onward = []
        if name not in observed:
            onward += [(child, "from parent") for child in net.children(name)]
        if (name not in observed) if entered == "from child" else (name in opens):
            onward += [(parent, "from child") for parent in net.parents(name)]
        for there in onward:
            if there not in came:
                came[there] = here
                front.append(there)
    return None


def _path(came, here):
    names = []
    while here is not None:
        names.append(here[0])
        here = came[here]
    return tuple(names[::-1])


def _check_disjoint(**sets):
    owner = {}
    for argument, names in sets.items():
        for name in names:
            if name in owner:
                raise ValueError(f"{argument}: expected nodes that are not in {owner[name]}, got {name!r}")
            owner[name] = argument
