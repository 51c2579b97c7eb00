"""Truth values: which values of an input are one."""

from __future__ import annotations

from esascore.data import truth_of
from esascore.label import label
from esascore.model import Entity


def is_truth(entity: Entity) -> bool:
    """Return whether an entity is a truth value: yes or no, of an attribute."""
    if not entity.object_of or entity.term.isdecimal():
        return False
    return truth_of(label(entity.term)) is not None
