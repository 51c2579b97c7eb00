from __future__ import annotations

import pytest

from esascore.text.blank import is_blank


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "\t\u00a0\u2028",
        "\x00",
        "\u200b\ufeff",
        "null",
        "NULL",
        "None",
        "NaN",
        " null ",
        '"null"',
        "'None'",
        '""',
    ],
)
def test_nothing_was_said(text: str) -> None:
    assert is_blank(text)


@pytest.mark.parametrize(
    "text",
    [".", "-", "0", "null.", "null null", "'", '"', "Null Island", "nanny", "\"null'", "é", "中", "\ufffd"],
)
def test_something_was_said(text: str) -> None:
    assert not is_blank(text)
