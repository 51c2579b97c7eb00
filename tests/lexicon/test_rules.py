"""Rules that are not asked about plain names make nothing of them."""

from __future__ import annotations

from collections.abc import Iterator

from esascore.lexicon import SOURCES, Lexicon
from esascore.lexicon.rules import is_plain, name_of
from esascore.wordlists import load, values


def known_labels() -> Iterator[str]:
    """Every form in the lexicons that rules read, and its words beside one that nobody knows."""
    forms = {
        form
        for name in Lexicon().lexicons
        for row in load(name).rows
        for cell in row
        for form in values(cell)
    }
    yield from forms
    for word in {word for form in forms for word in form.split()}:
        yield from (f"Zorbak {word}", f"{word.title()} zorbak Quux")


def test_only_some_rules_are_about_plain_names():
    labels = [label for label in known_labels() if any(map(str.isalpha, label))]
    plain = [name for label in labels if is_plain(name := name_of(label))]
    assert len(labels) > len(plain) > 1000
    for source, made in SOURCES.items():
        if not made.of_plain:
            wrong = [name.label for name in plain if set(made.rule(name)) - {name.label}]
            assert not wrong, source
