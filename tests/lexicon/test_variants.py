from __future__ import annotations

import pickle
import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from esascore.errors import UsageError
from esascore.lexicon import SOURCES, Lexicon, UserEntry, Variant
from esascore.lexicon.rules import is_plain, name_of
from esascore.lexicon.sources import RESPELLED
from esascore.model import Entity
from esascore.wordlists import load, names, values


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


PERSON = ("birthPlace",)
ALL = Lexicon()


def forms(
    term: str, source: str, *, subject_of: tuple[str, ...] = (), object_of: tuple[str, ...] = ()
) -> set[str]:
    """What one source makes of a term, beside the label."""
    lexicon = Lexicon(sources=("label", source))
    return {v.text for v in lexicon.variants(Entity(term, subject_of, object_of)) if v.source == source}


@pytest.mark.parametrize(
    ("source", "term", "expected"),
    [
        ("no-parentheses", "Zorblax_(2001_film)", {"Zorblax"}),
        ("no-parentheses", "(film)", set()),
        ("parentheses", "Mermaid_(Train_song)", {"Train song Mermaid"}),
        (
            "parentheses",
            "Ard_Airport_(New_Zealand)",
            {"Ard Airport in New Zealand", "Ard Airport, New Zealand"},
        ),
        ("before-comma", "Abilene,_Texas", {"Abilene"}),
        ("before-comma", '"Kestrel Row, Leeds, England"', {"Kestrel Row"}),
        ("before-comma", '"January, 2014"', set()),
        ("comma-in", "Abilene,_Texas", {"Abilene in Texas", "Abilene of Texas", "Texas's Abilene"}),
        ("comma-in", '"Kestrel Row, Leeds, England"', set()),
        ("state", "Abilene,_Texas", {"Abilene, TX", "Abilene, Tex."}),
        ("state", "Texas", {"TX"}),
        ("state", "Indiana", set()),  # "in" and "ind" are everyday words
        ("state", "New_South_Wales", {"NSW"}),
        ("place", "United_Kingdom", {"U.K.", "UK", "Britain", "Great Britain"}),
        ("place", "USA", {"United States", "U.S.", "America"}),
        ("place", "United_States_Navy", {"US Navy", "U.S. Navy"}),
        ("place", "Turkey", {"Türkiye"}),
        ("place", "Myanmar", {"Burma"}),
        ("place", "New_York", set()),  # the state is not the city, although the city is called so
        ("place", "New_York_City", {"NYC", "New York"}),
        ("demonym", "Denmark", {"Danish", "Dane", "Danes"}),
        ("demonym", "Great_Britain", {"British", "Briton", "Britons"}),
        ("people", "Turkish_people", {"Turkish", "Turk", "Turks"}),
        ("people", "Americans", {"American"}),
        ("homeland", "Americans", {"United States", "US"}),
        ("homeland", "Danish_cuisine", {"Denmark"}),
        ("language", "English_language", {"English"}),
        ("language", "Sign_languages", {"Sign"}),
        ("language", "Languages", set()),
        ("class-word", "Malay_cuisine", {"Malay"}),
        ("class-word", "Rock_music", {"Rock"}),
        ("number", "Sweet_potato", {"Sweet potatoes", "Sweet potatos"}),
        ("number", "Test_pilots", {"Test pilot"}),
        ("number", "Almond", {"Almonds"}),
        ("number", "Berry", {"Berries"}),
        ("number", "Zorblax_Tower", set()),  # a proper name
        ("acronym", "Zorblax_Institute_of_Technology", {"ZIT"}),
        ("acronym", "Alianza_F.C.", set()),
        ("acronym", "Two_Words", set()),
        ("dots", "A.S._Gubbio_1910", {"AS Gubbio 1910"}),
        ("dots", "A.E_Dimitra", {"AE Dimitra"}),
        ("dots", "FC_Zorblax", {"F.C. Zorblax"}),
        ("dots", "St._Louis", set()),
        ("affix", "Zorblax_F.C.", {"Zorblax"}),
        ("affix", "A.S._Zorblax_1910", {"Zorblax 1910", "Zorblax"}),
        ("affix", "1._FC_Zorblax", {"FC Zorblax", "Zorblax"}),
        ("affix", "Zorblax_Lufthavn_A/S", {"Zorblax Lufthavn"}),
        ("affix", "Zorblax_Motors_Pty._Ltd.", {"Zorblax Motors"}),
        ("affix", "F.C.", set()),
        ("title", '"Dr. Ann Lee"', {"Ann Lee"}),
        ("title", '"Ann Lee, Jr."', {"Ann Lee"}),
        ("title", '"Lt. Gen. Ann Lee"', {"Ann Lee"}),
        ("title", '"Prime Minister Ann Lee, Ph.D."', {"Ann Lee"}),
        ("title", "President_of_Turkey", set()),
        ("article", "The_Secret_Door", {"Secret Door"}),
        ("inner-article", "School_at_the_Lake", {"School at Lake"}),
        ("season", "2014–15_Serie_Z", {"2014–2015 Serie Z", "Serie Z 2014–15", "2014–15 season of Serie Z"}),
        ("season", "2012_Zorblax_Cup", {"Zorblax Cup 2012", "2012 Zorblax Cup season"}),
        ("without-year", "2014–15_Serie_Z", {"Serie Z"}),
        ("without-place", "Native_Americans_in_the_United_States", {"Native Americans"}),
        ("without-place", "President_of_Turkey", {"President"}),
        ("without-place", "Filipinos_in_Japan", {"Filipinos"}),
        ("without-place", "Bank_of_England", set()),
        ("without-place", "Republic_of_Ireland", set()),
        ("without-first-place", "United_States_invasion_of_Panama", {"invasion of Panama"}),
        ("without-first-place", "Filipinos_in_Japan", set()),
        ("without-first-place", "Indian_rupee", set()),  # too little would be left
        ("office", "Prime_Minister_of_Romania", {"Romanian Prime Minister", "Romania's Prime Minister"}),
        ("place-at-end", "Superleague_Greece", {"Superleague of Greece", "Greek Superleague"}),
        ("place-at-end", "United_States", set()),
        ("polity", "City_of_Brussels", {"Brussels"}),
        ("polity", "Akita_Prefecture", {"Akita"}),
        ("polity", "Atlantic_City", set()),
        ("currency", "Indian_rupee", {"rupee", "rupees", "INR", "₹"}),
        ("currency", "United_States_dollar", {"dollar", "dollars", "USD", "$"}),
        ("colon", "Porius:_A_Romance", {"Porius", "A Romance"}),
        ("colon", "1634:_The_War", {"The War"}),
        ("slash", "Asphalt/Concrete", {"Asphalt", "Concrete", "Asphalt and Concrete"}),
        ("slash", "14L/32R", set()),
        ("slash", "<http://a.example/b>", set()),
        ("abbreviation", "Saint_Louis", {"St. Louis", "St Louis"}),
        ("abbreviation", "Mt._Kestrel", {"Mount Kestrel"}),
        ("abbreviation", "College_of_Ann_&_Mary", {"College of Ann and Mary"}),
        ("abbreviation", "Salt_and_Pepper", {"Salt & Pepper"}),
        ("ordinal", "11th_Zorblax_Infantry", {"Eleventh Zorblax Infantry"}),
        ("ordinal", "99th_Zorblax_Infantry", set()),
        ("file", '"Legion of Merit ribbon.svg"', {"Legion of Merit ribbon", "Legion of Merit"}),
    ],
)
def test_a_source(source, term, expected):
    made = forms(term, source)
    assert made >= expected
    if not expected:
        assert not made


PERSONS = {
    ("last-name", "Ann_Lee"): {"Lee"},
    ("last-name", "Ann_van_der_Laan"): {"van der Laan", "Laan"},
    ("last-name", "Felipe_VI_of_Spain"): {"Felipe"},
    ("last-name", "Tony_Hall,_Baron_Hall_of_Birkenhead"): {"Hall"},
    ("last-name", '"Dr. Ann Lee, Jr."'): {"Lee"},
    ("last-name", "Ann"): set(),
    ("last-name", '"Ann Lee and Bo Ek"'): set(),
    ("last-name", "Zorblax_City_Council"): set(),  # the property may say person, the name does not
    ("first-name", "Ann_Lee"): {"Ann"},
    ("first-name", "J._P._Lee"): set(),
    ("short-person", "Ann_B._Lee"): {"Ann Lee"},
    ("short-person", 'Ann "Buzz" Lee'): {"Ann Lee"},
}


@pytest.mark.parametrize(("source", "term"), PERSONS)
def test_a_source_for_persons(source, term):
    assert forms(term, source, subject_of=PERSON) == PERSONS[source, term]
    assert forms(term, source) == set()


def test_the_kind_of_thing_follows_from_either_role():
    assert forms("Ann_Lee", "last-name", object_of=("leaderName",)) == {"Lee"}
    assert forms("Ann_Lee", "last-name", object_of=("Leader name",)) == {"Lee"}
    assert forms("Ann_Lee", "last-name", object_of=("location",)) == set()


def test_shortened_names_are_respelled_and_costs_add_up():
    lexicon = Lexicon(sources=("label", "before-comma", "abbreviation"))
    found = {v.text: v for v in lexicon.variants(Entity("Saint_Louis,_Missouri"))}
    cost = SOURCES["before-comma"].cost + SOURCES["abbreviation"].cost
    assert found["St. Louis"] == Variant("St. Louis", "before-comma+abbreviation", pytest.approx(cost))
    assert found["St. Louis, Missouri"].source == "abbreviation"


def test_numbers_and_dates_are_left_to_their_detectors():
    assert [v.text for v in ALL.variants(Entity("185.0 (centimetres)"))] == ["185.0 (centimetres)", "185.0"]
    assert [v.text for v in ALL.variants(Entity('"1937-04-27"'))] == ["1937-04-27"]
    assert ALL.variants(Entity("")) == ALL.variants(Entity("  ")) == ()


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        ("Squeeze_(The_Band_album)", ["Squeeze_(The_Band_album)", "Squeeze"]),
        ("Saint_Louis,_Missouri", ["Saint_Louis,_Missouri", "Saint_Louis"]),
        ("Old_English_language", ["Old_English_language", "Old_English"]),
        ('"Kestrel Row, Leeds"', ["Kestrel Row, Leeds", "Kestrel Row"]),
    ],
)
def test_the_published_algorithm_keeps_underscores(term, expected):
    paper = Lexicon(("label", "no-parentheses", "before-comma", "language"), keep_underscores=True)
    assert [v.text for v in paper.variants(Entity(term))] == expected


def test_a_users_forms_join_and_replace_dearer_ones():
    user = (
        UserEntry("Abilene, Texas", "Key City", "alias", 0.0, "my.tsv", 3),
        UserEntry("Abilene, Texas", "Abilene", "alias", 0.0, "my.tsv", 4),
        UserEntry("Abilene, Texas", "Abilene in Texas", "drop", 0.0, "my.tsv", 5),
    )
    entity = Entity("Abilene,_Texas")
    lexicon = Lexicon(("label", "before-comma", "comma-in"), user=user)
    found = {v.text: v.source for v in lexicon.variants(entity)}
    assert found["Key City"] == "user:my.tsv:3"
    assert found["Abilene"] == "user:my.tsv:4"
    assert "Abilene in Texas" not in found
    assert "Abilene of Texas" in found
    assert lexicon.dropped("Abilene, Texas") == {"Abilene in Texas"}
    assert lexicon.dropped("Other") == Lexicon().dropped("Abilene, Texas") == frozenset()
    assert lexicon.variants(Entity('"Abilene, Texas"')) == lexicon.variants(entity)


def test_an_unknown_source_is_refused_with_those_that_are_known():
    with pytest.raises(
        UsageError, match=re.escape("unknown source of variants 'demonyms': known are label, ")
    ):
        Lexicon(sources=("label", "demonyms"))


def test_the_table_of_sources():
    costs = [source.cost for source in SOURCES.values()]
    assert costs == sorted(costs)
    assert costs[0] == 0 < costs[1]
    assert costs[-1] <= 0.12
    assert {name for source in SOURCES.values() for name in source.lexicons} <= set(names())
    assert {*RESPELLED, *(then for some in RESPELLED.values() for then in some)} <= set(SOURCES)


def test_a_lexicon_crosses_process_borders():
    lexicon = Lexicon(("label",), keep_underscores=True, user=(UserEntry("A", "B"),))
    again = pickle.loads(pickle.dumps(lexicon))
    assert again.digest == lexicon.digest
    assert again.variants(Entity("A")) == lexicon.variants(Entity("A"))


def test_the_digest_changes_with_all_that_changes_variants():
    digests = [
        Lexicon().digest,
        Lexicon(("label",)).digest,
        Lexicon(keep_underscores=True).digest,
        Lexicon(user=(UserEntry("A", "B"),)).digest,
        Lexicon(user=(UserEntry("A", "C"),)).digest,
        Lexicon(user=(UserEntry("A", "B", "drop"),)).digest,
    ]
    assert len(set(digests)) == len(digests)
    assert Lexicon(user=(UserEntry("A", "B", file="x"),)).digest == digests[3]  # not where it was read


NAMES = """A.S. Zorblax & F.C. FC The the of in and Saint St. United States Turkey Turkish people Americans ,
    1910 2014–15 Dr. Jr. van Ann Lee City (film) language cuisine University Texas, TX 11th ribbon.svg İzmir
    Straße " _ ' : / Navy Republic rupee"""
WORDS = st.sampled_from(sorted(set(NAMES.split())))


@given(
    st.one_of(st.text(max_size=40), st.lists(WORDS, max_size=8).map("_".join)), st.booleans(), st.booleans()
)
def test_any_term_gives_clean_distinct_forms_cheapest_first(term, person, keep):
    entity = Entity(term, PERSON if person else (), ())
    found = Lexicon(keep_underscores=keep).variants(entity)
    texts = [v.text for v in found]
    assert len(set(texts)) == len(texts)
    assert all(text == text.strip() and text for text in texts)
    assert [v.cost for v in found] == sorted(v.cost for v in found)
    assert all(0 <= v.cost <= 0.2 for v in found)
    assert not found or found[0].source == "label"


@given(st.lists(WORDS, min_size=1, max_size=6).map("_".join), st.sets(st.sampled_from(sorted(SOURCES))))
def test_sources_are_independent(term, chosen):
    """A source makes the same forms whatever else is active, unless a cheaper one makes them first."""
    entity = Entity(term)
    full = {v.text: v for v in ALL.variants(entity)}
    for variant in Lexicon(sources=tuple(chosen)).variants(entity):
        assert full[variant.text].cost <= variant.cost
