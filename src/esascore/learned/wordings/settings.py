"""What decides which phrases are learned; chosen by `esascore.gold.wordings_check`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Settings:
    """What decides which phrases are learned.

    Attributes
    ----------
    longest
        The most words of a phrase.
    support, subjects
        In how many inputs, and about how many different subjects, a phrase must be right.
    precision
        How often at least a phrase must be right, on what longer and better ones leave.
    lift, share, most
        A value belongs to a phrase if that multiplies its odds by so much, and is at least this share of its
        uses; and no phrase has more than one value of every ``most`` that its attribute has.
    widen
        A longer phrase is taken instead of a shorter one if it explains this share of what that explains.
    chance
        How probable the record of a phrase may be if it had nothing to do with its values.
    deny, sure
        A phrase speaks against a value which it makes rarer than by this factor, if it is right this often.
    quoted, kinds
        An attribute is open, and its values are names, if it has so many values and texts quote this share.
    folds, stable
        How many parts the inputs are split into, and in how many a phrase must be learned from the others.
    """

    longest: int = 5
    support: int = 3
    subjects: int = 3
    precision: float = 0.72
    lift: float = 3.0
    share: float = 0.08
    most: int = 3
    widen: float = 0.97
    chance: float = 1e-4
    deny: float = 0.2
    sure: float = 0.85
    quoted: float = 0.75
    kinds: int = 8
    folds: int = 3
    stable: int = 2


DEFAULTS = Settings()
"""What is decided where nobody asks for anything else."""
