"""Learned phrases as the lines of a lexicon, each with the reason why it is there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from esascore.lexicon.learning.forms import Form, Learned
from esascore.lexicon.phrasings import against_cell
from esascore.lexicon.user import UserEntry
from esascore.wordlists import COLUMNS, SEVERAL

_COLUMNS = ("kind", "entity", "form", "against", "support", "precision", "why")


def entries(learned: Learned) -> Iterator[UserEntry]:
    """Yield learned phrases as entries of a user's lexicon."""
    for form in learned.forms:
        against = [None if value is None else learned.spelling[value] for value in form.against]
        yield UserEntry(
            _entity(form, learned.spelling),
            form.text,
            "drop" if form.refused else "alias",
            against="" if form.refused else against_cell(against),
        )


def lexicon_lines(learned: Learned, source: str) -> Iterator[str]:
    """Yield the lines of a lexicon file."""
    yield f"# Wordings learned from the reference texts of {source}."
    yield "# support: inputs that use the form in texts that it was not learned from; precision: how often it"
    yield "# is right there. against: the values that it contradicts (- is an input without the attribute)."
    yield COLUMNS + " " + "\t".join(_COLUMNS)
    for form, entry in zip(learned.forms, entries(learned), strict=True):
        record = str(form.support), f"{form.precision:.3f}", _why(form)
        yield "\t".join((entry.kind, entry.entity, entry.form, entry.against, *record))


def _why(form: Form) -> str:
    used = f"used for {form.inputs} inputs about {form.subjects} subjects"
    if form.refused:
        return f"{used}, too often for other values"
    return f"{used}; learned from the others in {form.folds} parts of the corpus"


def _entity(form: Form, spelling: Mapping[str, str]) -> str:
    return f"{spelling[form.attribute]}={SEVERAL.join(spelling[value] for value in form.values)}"
