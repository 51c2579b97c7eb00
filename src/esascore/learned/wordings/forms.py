"""Learned phrases: chosen on all texts, kept if texts about other subjects confirm them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from esascore.learned.wordings.cover import Cover, literal
from esascore.learned.wordings.material import DEFAULTS, Material, Settings, prepare
from esascore.lexicon.phrasings import NO, YES, Phrasing, Phrasings, against_cell, chosen
from esascore.lexicon.user import UserEntry
from esascore.model import Example
from esascore.text.clauses import Bases, Clauses, phrase
from esascore.wordlists import COLUMNS, SEVERAL

Key = tuple[str, Bases]
Progress = Callable[[int, int], None]
"""Called with the number of parts learned from, and of all parts."""

_MARGIN = 0.1

_COLUMNS = ("kind", "entity", "form", "against", "support", "precision", "why")


@dataclass(frozen=True, slots=True)
class Form:
    """A learned phrase, or a value's own words if they do not mean it.

    Attributes
    ----------
    attribute, values, text
        What it realises, as the corpus spells it, and how texts write it.
    against
        The values that it contradicts; None stands for an input without the attribute.
    inputs, subjects
        How many inputs use it, and about how many subjects.
    support, precision
        How many inputs use it in parts that it was not learned from, and how often it is right there.
    folds
        In how many parts it was learned from the others.
    refused
        Whether it consists of a value's own words, which do not mean it.
    """

    attribute: str
    values: tuple[str, ...]
    text: str
    against: tuple[str | None, ...]
    inputs: int
    subjects: int
    support: int
    precision: float
    folds: int
    refused: bool = False


@dataclass(frozen=True, slots=True)
class _Record:
    """How a phrase was used: the numbers of inputs by value, and the inputs."""

    values: frozenset[str]
    counts: Counter[str | None]
    inputs: set[int]

    @property
    def right(self) -> int:
        return sum(self.counts[value] for value in self.values)


def learn(
    examples: Sequence[Example], settings: Settings = DEFAULTS, progress: Progress | None = None
) -> tuple[Form, ...]:
    """Learn which phrases realise which values of a corpus by its references; the most used come first."""
    progress = progress or _unheeded
    material = prepare(examples, settings)
    parts = _parts(material, settings.folds)
    total = len(parts) + 1
    whole = _measured(material, _choose(material, settings))
    progress(1, total)
    tested: dict[Key, list[_Record]] = defaultdict(list)
    everything = frozenset(range(len(material.values)))
    for number, part in enumerate(parts, 2):
        forms = _choose(material.part(everything - part), settings)
        for key, record in _measured(material.part(part), forms).items():
            tested[key].append(record)
        progress(number, total)
    stable = min(settings.stable, len(parts))
    kept = [
        form
        for key, record in whole.items()
        if (form := _form(material, key, record, tested[key], stable, settings)) is not None
    ]
    kept += _refused(material, kept, whole, settings)
    kept.sort(key=lambda form: (form.refused, -form.inputs, form.attribute, form.text))
    return tuple(_spelled(form, material.spelling) for form in kept)


def _spelled(form: Form, spelling: Mapping[str, str]) -> Form:
    return replace(
        form,
        attribute=spelling[form.attribute],
        values=tuple(spelling[value] for value in form.values),
        against=tuple(None if value is None else spelling[value] for value in form.against),
    )


def _unheeded(done: int, total: int) -> None:
    """Ignore progress."""


def _choose(material: Material, settings: Settings) -> dict[Key, frozenset[str]]:
    cover = Cover(material, settings)
    cover.choose()
    return cover.forms


def _parts(material: Material, folds: int) -> list[frozenset[int]]:
    """Split the inputs into parts of similar size, keeping those about one subject together."""
    about: dict[str, list[int]] = defaultdict(list)
    for number in sorted({text.input for text in material.texts}):
        about[material.subjects[number]].append(number)
    parts: list[list[int]] = [[] for _ in range(min(folds, len(about)))]
    for _, inputs in sorted(about.items(), key=lambda item: (-len(item[1]), item[0])):
        min(parts, key=len).extend(inputs)
    return [frozenset(part) for part in parts]


def _measured(material: Material, forms: dict[Key, frozenset[str]]) -> dict[Key, _Record]:
    """Return the record of each phrase after the longest phrases have claimed their words."""
    table = Phrasings(tuple(Phrasing(key[0], values, key[1], "") for key, values in forms.items()))
    records = {key: _Record(values, Counter(), set()) for key, values in forms.items()}
    for text in material.texts:
        read = Clauses(text.bases, text.words)
        for hit in chosen(read, table.all_hits(read)):
            if hit.phrasing.attribute in material.unclear[text.input]:
                continue
            record = records[hit.phrasing.attribute, hit.phrasing.bases]
            value = material.value(text, hit.phrasing.attribute)
            if hit.phrasing.values != record.values and value in (YES, NO):  # a negation reversed it
                value = YES if value == NO else NO
            record.counts[value] += 1
            record.inputs.add(text.input)
    return records


def _form(
    material: Material, key: Key, record: _Record, tested: Sequence[_Record], stable: int, settings: Settings
) -> Form | None:
    """Return a phrase with its record, if that is good enough."""
    attribute, bases = key
    uses, held = sum(record.counts.values()), sum(sum(one.counts.values()) for one in tested)
    support = len(set().union(*(one.inputs for one in tested)))
    if len(tested) < stable or min(support, len(record.inputs)) < settings.support:
        return None
    right = sum(one.right for one in tested) / held
    if min(right, record.right / uses) < settings.precision - _MARGIN:
        return None
    text = _surface(material, bases)
    if text is None:
        return None
    subjects = len({material.subjects[number] for number in record.inputs})
    against = _against(material, attribute, record, settings)
    used = len(record.inputs), subjects, support, right, len(tested)
    return Form(attribute, tuple(sorted(record.values)), text, against, *used)


def _against(
    material: Material, attribute: str, record: _Record, settings: Settings
) -> tuple[str | None, ...]:
    """Return the values that a phrase makes much rarer than they are."""
    uses = sum(record.counts.values())
    if record.right < settings.sure * uses:
        return ()
    usual = Counter(material.value(text, attribute) for text in material.texts)
    rare = (
        value
        for value, count in usual.items()
        if value not in record.values
        and record.counts[value] / uses < settings.deny * count / len(material.texts)
    )
    return tuple(sorted(rare, key=lambda value: (value is None, value or "")))


def _surface(material: Material, bases: Bases) -> str | None:
    """Return how texts most often write a phrase."""
    size = len(bases)
    seen = Counter(text.surface(at, at + size) for text in material.texts for at in text.places(bases))
    fit = [(-count, len(text), text) for text, count in seen.items() if phrase(text) == bases]
    return min(fit)[2] if fit else None


def _refused(
    material: Material, kept: Iterable[Form], whole: dict[Key, _Record], settings: Settings
) -> Iterable[Form]:
    """Return the own words of learned values that texts use so freely that they prove nothing."""
    known = {(form.attribute, value) for form in kept for value in form.values} - {
        (attribute, truth) for attribute in material.attributes for truth in (YES, NO)
    }
    taken = {(form.attribute, phrase(form.text)) for form in kept}
    for attribute, value in sorted(known):
        own = literal(attribute, value)
        if (attribute, own) in taken or (attribute, own) in whole:
            continue
        using = {text.input for text in material.texts if text.places(own)}
        right = sum(material.values[number].get(attribute) == value for number in using)
        if right < settings.precision * len(using):
            subjects = len({material.subjects[number] for number in using})
            known_as = attribute, (value,), material.spelling[value]
            yield Form(*known_as, (), len(using), subjects, len(using), right / len(using), 0, refused=True)


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
