"""Learned phrases as the lines of a lexicon, each with the reason why it is there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from esascore.learned.wordings.forms import Form
from esascore.lexicon.phrasings import against_cell
from esascore.lexicon.user import UserEntry
from esascore.wordlists import COLUMNS, SEVERAL

_COLUMNS = ("kind", "entity", "form", "against", "support", "precision", "why")


def entry_of(form: Form) -> UserEntry:
    """Return a learned phrase as an entry of a user's lexicon."""
    entity = f"{form.attribute}={SEVERAL.join(form.values)}"
    if form.refused:
        return UserEntry(entity, form.text, "drop")
    return UserEntry(entity, form.text, against=against_cell(form.against))


def lexicon_lines(forms: Iterable[Form], source: str) -> Iterator[str]:
    """Yield the lines of a lexicon file."""
    yield f"# Wordings learned from the texts of {source}.\n"
    yield "# support: inputs that use the form in texts that it was not learned from; precision: how often\n"
    yield "# it is right there. against: the values that it contradicts (- stands for inputs without any).\n"
    yield COLUMNS + " " + "\t".join(_COLUMNS) + "\n"
    for form in forms:
        entry = entry_of(form)
        record = str(form.support), f"{form.precision:.3f}", _why(form)
        yield "\t".join((entry.kind, entry.entity, entry.form, entry.against, *record)) + "\n"


def _why(form: Form) -> str:
    used = f"used for {form.inputs} inputs about {form.subjects} subjects"
    if form.refused:
        return f"{used}, too often for other values"
    return f"{used}; learned from the others in {form.folds} parts of the corpus"
