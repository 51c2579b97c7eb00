"""Inputs, texts and references as nobody would write them, and as everybody does."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from esascore.model import Cell, Example, Graph, Input, Reference

TERMS = """Abilene,_Texas|Kestrel_Arena|A.S._Gubbio_1910|Bo_Berg_(architect)|"Ajoblanco"@en|Łódź|北京|İstanbul
Straße|1999-02-03|"1999-02-03"^^xsd:date|February 2003|1907|-12.5|"185.0"^^<http://a.org/metre>|45,000|12 km
3.5 %|1e400|true|no|11:45|(((|_|__|a|.|'|"|http://example.org/a?b=c#d|O'Neil|New_York_City|United States|U.S.
½|٣٤|4⓵|٤፩|½ kg|Norway, Sweden and Denmark|2001 – 2004|\u200b|e\u0301a\u0308|🏴\u200d☠️|\x00|\ufeff|\ud800
  Oslo  |ﬁnland|ǅ|Q42|0|00|-0|∞"""
WORDS = """is the of in was born on by and which has It He Her They there nor 12 1999 May Monday 3rd twelve
Mexican Norway Abilene Texas Oslo Kestrel Arena km % $5 (sic) ... — “quoted” null NaN <br> **bold** &amp; half
1,000,000 12-05-1999 3/4 4፩ 4⓵ ² İ ß ŉ \u2028 \u0085 \x0b \x1c \u202e \ud83d \U000e0041 e\u0301 ﷽ 𝟙𝟚 ١٢"""

odd_text = st.text(max_size=30)
terms = st.one_of(st.sampled_from(TERMS.replace("\n", "|").split("|")), odd_text)
attributes = st.one_of(
    st.sampled_from(["birthDate", "country", "elevationAboveTheSeaLevel", "is_a", ""]), odd_text
)
numbers = st.one_of(st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.integers(-9, 3000))
json_values = st.recursive(
    st.one_of(
        st.none(), st.booleans(), numbers, terms, st.sampled_from(["yes", "12 km", "2020-01-01T10:00:00Z"])
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(
            st.one_of(st.sampled_from(["name", "id", "value", "unit", "1999"]), odd_text), inner, max_size=4
        ),
    ),
    max_leaves=12,
)

graphs = st.builds(
    Graph.from_triples,
    st.lists(st.tuples(terms, attributes, terms), max_size=5),
    st.one_of(st.none(), st.sampled_from(["Airport", "Food"]), odd_text),
)
cells = st.builds(
    Cell,
    terms,
    attributes,
    st.booleans(),
    st.booleans(),
    st.integers(0, 5),
    st.integers(0, 5),
    st.integers(1, 3),
)
tables = st.builds(Input.from_table, st.lists(cells, max_size=6).map(tuple), terms, terms, terms)
data = json_values.map(Graph.from_data)
inputs = st.one_of(graphs, tables, data)


@st.composite
def texts(draw: st.DrawFn, input_: Input | None = None) -> str:
    """Words, whatever else, and names of the input, whole, cut short or misspelt."""
    pieces = [st.sampled_from(WORDS.split(" ")), odd_text]
    if input_ is not None and input_.entities:
        names = [entity.term for entity in input_.entities]
        pieces += [
            st.sampled_from(names),
            st.sampled_from(names).map(_spoken),
            st.sampled_from(names).map(_broken),
        ]
    separator = draw(st.sampled_from([" ", " ", " ", "", "\n", ". ", ", ", "\u00a0"]))
    return separator.join(draw(st.lists(st.one_of(pieces), max_size=12)))


def _spoken(name: str) -> str:
    return name.replace("_", " ").strip('"')


def _broken(name: str) -> str:
    middle = len(name) // 2
    return _spoken(name[:middle] + name[middle + 1 :]).lower()


@st.composite
def corpora(draw: st.DrawFn, kinds: st.SearchStrategy[Input] = inputs) -> tuple[list[Example], Sequence[str]]:
    """Some examples with references, and one text for each."""
    examples, outputs = [], []
    for number in range(draw(st.integers(1, 4))):
        input_ = draw(kinds)
        references = draw(st.lists(texts(input_), max_size=2))
        listed = tuple(Reference(f"Id{n}", text) for n, text in enumerate(references, 1))
        examples.append(Example(f"Id{number}", input_, listed))
        outputs.append(draw(texts(input_)))
    return examples, outputs
