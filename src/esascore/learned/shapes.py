"""Which inputs a corpus may teach something about: those of one shape.

JSON records with the same attributes have one shape, and so have those that lack some: two sets of attributes
belong together if they share at least half of all attributes that either has, directly or through other sets
of the corpus. All triples have one shape, and so have all tables.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TypeVar

Shape = frozenset[str]
"""The attributes of an input."""


def are_alike(one: Shape, other: Shape) -> bool:
    """Return whether two shapes share at least half of the attributes that either has.

    Examples
    --------
    >>> are_alike(frozenset("ab"), frozenset("abc")), are_alike(frozenset("ab"), frozenset("bc"))
    (True, False)
    """
    shared = len(one & other)
    return 2 * shared >= len(one) + len(other) - shared


def grouped(shapes: Collection[Shape]) -> list[list[Shape]]:
    """Group shapes that are alike, directly or through others; the order of the shapes has no influence.

    Examples
    --------
    >>> groups = grouped([frozenset("ab"), frozenset("xy"), frozenset("abc"), frozenset("abcd")])
    >>> [["".join(sorted(shape)) for shape in group] for group in groups]
    [['ab', 'abc', 'abcd'], ['xy']]
    """
    left = sorted(shapes, key=sorted)
    groups: list[list[Shape]] = []
    while left:
        group = [left.pop(0)]
        for shape in group:  # grows while it is read
            group += [other for other in left if are_alike(shape, other)]
            left = [other for other in left if not are_alike(shape, other)]
        groups.append(sorted(group, key=sorted))
    return groups


T = TypeVar("T")


def nearest(shape: Shape, known: Mapping[Shape, T]) -> T | None:
    """Return what is known of a shape or, if any is alike, of the one most like it.

    Examples
    --------
    >>> known = {frozenset("abc"): 0, frozenset("xyz"): 1}
    >>> nearest(frozenset("xy"), known), nearest(frozenset("ax"), known)
    (1, None)
    """
    if shape in known:
        return known[shape]
    alike = [other for other in known if are_alike(shape, other)]
    if not alike:
        return None
    best = max(alike, key=lambda other: (len(shape & other) / len(shape | other), sorted(other)))
    return known[best]
