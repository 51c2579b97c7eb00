"""Profiles: plain data that a user can copy and change."""

from __future__ import annotations

import pytest

from esascore.errors import DataError, UsageError
from esascore.pipeline import build_pipeline
from esascore.profiles import Profile, changed, load_profile, names


@pytest.fixture
def write(tmp_path):
    """Write a profile of one's own."""

    def make(*lines: str, name: str = "mine.toml"):
        path = tmp_path / name
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return path

    return make


def test_the_profiles_of_the_package():
    assert names() == ("default", "paper")
    for name in names():
        profile = load_profile(name)
        assert (profile.name, profile.base, profile.changes) == (name, None, ())
        assert isinstance(profile.version, int)


def test_the_settings_of_the_published_algorithm():
    settings = load_profile("paper").settings
    assert settings["strings"]["rule"] == "greedy"
    assert settings["strings"]["max_distance"] == 0.4
    assert settings["resolve"]["rule"] == "distance"
    assert settings["pronouns"]["resolver"] == "root"
    assert settings["anaphora"]["count"] is True
    assert "boundaries" not in settings


# A profile of one's own


def test_a_profile_of_ones_own_says_only_what_differs(write):
    profile = load_profile(
        write('base = "paper"', "[strings]", "max_distance = 0.2", "[anaphora]", "count = false")
    )
    assert (profile.name, profile.version, profile.base) == ("mine", 1, "paper")
    assert profile.changes == ("strings.max_distance=0.2", "anaphora.count=False")
    assert profile.settings["strings"]["max_distance"] == 0.2
    assert profile.settings["strings"]["sources"] == load_profile("paper").settings["strings"]["sources"]
    assert load_profile("paper").settings["strings"]["max_distance"] == 0.4


def test_it_may_have_a_name_and_a_version(write):
    profile = load_profile(str(write('base = "default"', 'name = "strict"', "version = 3")))
    assert (profile.name, profile.version, profile.base, profile.changes) == ("strict", 3, "default", ())


def test_what_is_said_again_is_no_change(write):
    assert load_profile(write('base = "paper"', "[strings]", "max_distance = 0.4")).changes == ()


def test_a_whole_number_may_stand_for_a_fraction(write):
    path = write('base = "paper"', "[strings]", "max_distance = 0")
    assert load_profile(path).settings["strings"]["max_distance"] == 0


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ([], 'add the line base = "default" or base = "paper"'),
        (['base = "best"'], 'add the line base = "default" or base = "paper"'),
        (['base = ["default"]'], 'add the line base = "default" or base = "paper"'),
        (['base = "paper"', "[string]", "x = 1"], "unknown section 'string'"),
        (['base = "paper"', "[boundaries]", "on = true"], "unknown section 'boundaries'"),
        (['base = "paper"', "strings = 3"], "unknown section 'strings'"),
        (['base = "paper"', "[strings]", "max_distanc = 0.2"], "unknown setting strings.max_distanc"),
        (['base = "paper"', "[strings]", 'max_distance = "0.2"'], "strings.max_distance must be a float"),
        (['base = "paper"', "[strings]", "max_distance = true"], "strings.max_distance must be a float"),
        (['base = "paper"', "[anaphora]", "count = 1"], "anaphora.count must be a bool"),
        (['base = "paper"', "[strings]", 'sources = "label"'], "strings.sources must be a list"),
        (['base = "paper"', "name = 3"], "name must be a string"),
        (['base = "paper"', 'version = "x"'], "version an integer"),
        (['base = "paper"', "[strings"], "not valid TOML"),
        (['base = "paper"', "x = " + "[" * 50_000], "not valid TOML: it is nested too deeply"),
        (['base = "paper"', "version = " + "9" * 5_000], "not valid TOML: Exceeds the limit"),
        (['base = "paper"', "[strings]", "sources = [3]"], "strings.sources must be a list like ['label',"),
    ],
)
def test_mistakes_are_named_with_the_file(write, lines, problem):
    path = write(*lines)
    with pytest.raises(DataError) as caught:
        load_profile(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    assert problem in message
    assert "\n" not in message


def test_known_sections_and_settings_are_listed(write):
    with pytest.raises(DataError, match="known: strings, dates, pronouns, anaphora, resolve"):
        load_profile(write('base = "paper"', "[x]"))
    with pytest.raises(DataError, match="known: rule, max_distance, sources"):
        load_profile(write('base = "paper"', "[strings]", "x = 1"))


def test_a_file_that_is_not_utf8(tmp_path):
    path = tmp_path / "latin.toml"
    path.write_bytes(b'base = "paper"  # caf\xe9\n')
    with pytest.raises(DataError, match=r"latin\.toml:1: not UTF-8 \(byte 0xe9\)"):
        load_profile(path)


@pytest.mark.parametrize("name", ["nothing.toml", "Paper", "", ".", "a\0b"])
def test_a_profile_that_is_not_there(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(
        UsageError, match=r"\(a name, or the path of a TOML file\)(; known: default, paper|: did you mean)"
    ):
        load_profile(name)


def test_a_name_goes_before_a_file_of_that_name(write, tmp_path, monkeypatch):
    write('base = "default"', name="paper")
    monkeypatch.chdir(tmp_path)
    assert load_profile("paper").base is None
    assert load_profile("./paper").base == "default"


# Experiments


def test_changed():
    once = changed(load_profile("paper"), {"strings": {"max_distance": 0.2}})
    twice = changed(once, {"anaphora": {"count": False}}, name="both")
    assert (once.name, once.base, once.changes) == ("paper", "paper", ("strings.max_distance=0.2",))
    assert (twice.name, twice.base) == ("both", "paper")
    assert twice.changes == ("strings.max_distance=0.2", "anaphora.count=False")
    assert twice.settings["strings"]["max_distance"] == 0.2
    assert load_profile("paper").settings["strings"]["max_distance"] == 0.4


def test_changed_knows_the_settings():
    with pytest.raises(DataError, match=r"unknown setting strings\.x"):
        changed(load_profile("paper"), {"strings": {"x": 1}})


# What the signature says


def parts(profile) -> dict[str, str]:
    return build_pipeline(profile).signature_parts()


def test_the_signature_names_every_change(write):
    path = write('base = "paper"', "version = 2", "[strings]", "max_distance = 0.2")
    plain, own = parts("paper"), parts(path)
    assert (plain["profile"], own["profile"]) == ("paper.v1", "mine.v2")
    assert "base" not in plain
    assert "changed" not in plain
    assert (own["base"], own["changed"]) == ("paper", "strings.max_distance=0.2")
    assert (plain["linker"], plain["coref"]) == ("none", "root")
    assert plain["lexicons"] == own["lexicons"]


def test_the_signature_of_the_lexicon_and_the_resolver(tmp_path):
    lexicon = tmp_path / "my.tsv"
    lexicon.write_text("Lake_Town\tLaketown\n")
    plain = parts("default")
    with_lexicon = build_pipeline("default", lexicon=[lexicon]).signature_parts()
    assert plain["lexicons"] != with_lexicon["lexicons"]
    assert {k: v for k, v in plain.items() if k != "lexicons"} == {
        k: v for k, v in with_lexicon.items() if k != "lexicons"
    }
    assert build_pipeline("default", coref="root").signature_parts()["coref"] == "root"
    assert plain["coref"].startswith("rules.")


def test_the_backend_is_not_in_the_signature():
    by_backend = [build_pipeline("paper", backend=b).signature_parts() for b in ("python", "rapidfuzz")]
    assert by_backend[0] == by_backend[1]


# What cannot be built


@pytest.mark.parametrize(
    ("section", "key", "value"),
    [
        ("strings", "rule", "magic"),
        ("resolve", "rule", "magic"),
        ("pronouns", "resolver", "magic"),
        ("strings", "sources", ["magic"]),
    ],
)
def test_unknown_names_in_a_profile(section, key, value):
    with pytest.raises(UsageError, match=r"'magic'.*known"):
        build_pipeline(changed(load_profile("default"), {section: {key: value}}))


def test_unknown_parts_by_name():
    with pytest.raises(UsageError, match="unknown linker 'magic'"):
        build_pipeline(linker="magic")
    with pytest.raises(UsageError, match="unknown coreference resolver 'magic'"):
        build_pipeline(coref="magic")


def test_a_profile_made_by_hand_that_lacks_settings():
    with pytest.raises(DataError, match="the profile 'bare' is not complete"):
        build_pipeline(Profile("bare", 1, {"strings": {"rule": "greedy"}}))
