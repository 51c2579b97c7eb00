"""The reference texts of a corpus as a corpus of their own."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from esascore.model import Example


class EachReference(Collection[Example]):
    """One example for each reference of a corpus: its text, and an id that ends with that of the reference.

    Examples
    --------
    >>> from esascore.model import Graph, Reference
    >>> [one] = EachReference([Example("Id1", Graph(), (Reference("Id2", "A text."),))])
    >>> one.id, one.text
    ('Id1/Id2', 'A text.')
    """

    def __init__(self, examples: Collection[Example]):
        self._examples = examples
        self._number: int | None = None

    def __len__(self) -> int:
        if self._number is None:
            self._number = sum(len(example.references) for example in self._examples)
        return self._number

    def __contains__(self, one: object) -> bool:
        return any(one == example for example in self)

    def __iter__(self) -> Iterator[Example]:
        for example in self._examples:
            for reference in example.references:
                id_ = f"{example.id}/{reference.id}"
                yield Example(id_, example.input, example.references, text=reference.text)
