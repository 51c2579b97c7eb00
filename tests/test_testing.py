from __future__ import annotations

from importlib.metadata import entry_points

import pytest

from esascore.errors import UsageError
from esascore.testing import assert_faithful

DATA = {"name": "Blue Spice", "area": "Oslo", "stars": 3}


def test_a_faithful_text_passes():
    assert_faithful(DATA, "Blue Spice in Oslo has 3 stars.")
    assert_faithful([("Bionico", "country", "Mexico")], "Bionico is a dish from Mexico.")


def test_the_message_is_a_diff():
    with pytest.raises(AssertionError) as raised:
        assert_faithful(DATA, "Blue Spice in Rome has 3 stars.")
    lines = str(raised.value).split("\n")
    assert lines[:3] == [
        "the text is not faithful to its data",
        "  text: Blue Spice in {Rome}! has 3 stars.",
        "  - Oslo (area)",
    ]
    assert lines[3].startswith("  + Rome (replacement: ")
    with pytest.raises(AssertionError, match=r"text: \(blank\)"):
        assert_faithful(DATA, "")


def test_what_is_allowed():
    text = "Blue Spice in Rome has 3 stars."
    assert_faithful(DATA, text, allow_missing=["Oslo"], allow_added=["Rome"])
    assert_faithful(DATA, text, allow_missing=True, allow_added=True)
    with pytest.raises(AssertionError, match="Rome"):
        assert_faithful(DATA, text, allow_missing=True)
    with pytest.raises(AssertionError, match="Oslo"):
        assert_faithful(DATA, text, allow_added=True)
    assert_faithful(DATA, "Blue Spice has 3 stars.", optional=["area"])
    assert_faithful({**DATA, "sku": "X-1"}, "Blue Spice in Oslo has 3 stars.", ignore=["sku"])
    with pytest.raises(UsageError, match="fits no attribute"):
        assert_faithful(DATA, text, optional=["aera"])
    with pytest.raises(UsageError, match="lists of strings"):
        assert_faithful(DATA, text, allow_missing="Oslo")


pytest_plugins = ["pytester"]


def test_the_fixture_of_pytest(pytester):
    pytester.makepyfile(
        """
        def test_good(assert_faithful):
            assert_faithful({"name": "Blue Spice", "area": "Oslo"}, "Blue Spice is in Oslo.")

        def test_bad(assert_faithful):
            assert_faithful({"name": "Blue Spice", "area": "Oslo"}, "Blue Spice is in Rome.")
        """
    )
    # An installation from before the plug-in does not offer it.
    offered = any(point.name == "esascore" for point in entry_points(group="pytest11"))
    named = [] if offered else ["-p", "esascore.pytest_plugin"]
    result = pytester.runpytest_subprocess(*named, "-p", "no:cacheprovider")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        ["E *AssertionError: the text is not faithful to its data", "E *- Oslo (area)"]
    )
    result.stdout.no_fnmatch_line("*def assert_faithful*")  # the failure is shown where the test calls it
