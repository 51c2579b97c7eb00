from __future__ import annotations

import pytest

from esascore.errors import UsageError
from esascore.model import Cell, Table
from esascore.text.linearise import linearise

#  | Club (2 wide) | Apps |
#  | Season | Name  | All  |       headers
#  | 2001*  | Kofu  | 35*  |
#  | Total (header, 2 wide) | 40* |
TABLE = Table(
    (
        Cell("Club", "", False, True, 0, 0, 1, 2),
        Cell("Apps", "", False, True, 0, 2),
        Cell("Season", "", False, True, 1, 0),
        Cell("Name", "", False, True, 1, 1),
        Cell("All", "", False, True, 1, 2),
        Cell("2001", "", True, False, 2, 0),
        Cell("Kofu", "", False, False, 2, 1),
        Cell("35", "", True, False, 2, 2),
        Cell("Total", "", False, True, 3, 0, 1, 2),
        Cell("40", "", True, False, 3, 2),
    ),
    title="Ken",
    section_title="Clubs",
    section_text="not written",
)


def test_the_subtable_has_the_highlighted_cells_with_their_headers():
    assert linearise(TABLE) == (
        "<page_title> Ken </page_title> <section_title> Clubs </section_title> <table> "
        "<cell> 2001 <col_header> Club </col_header> <col_header> Season </col_header> </cell> "
        "<cell> 35 <col_header> Apps </col_header> <col_header> All </col_header> </cell> "
        "<cell> 40 <col_header> Apps </col_header> <col_header> All </col_header> "
        "<row_header> Total </row_header> </cell> </table>"
    )


def test_the_full_table_marks_the_highlighted_cells():
    assert linearise(TABLE, "full", metadata=False, headers=False) == (
        "<table> <row> <cell> Club </cell> <cell> Apps </cell> </row> "
        "<row> <cell> Season </cell> <cell> Name </cell> <cell> All </cell> </row> "
        "<row> <highlighted_cell> 2001 </highlighted_cell> <cell> Kofu </cell> "
        "<highlighted_cell> 35 </highlighted_cell> </row> "
        "<row> <cell> Total </cell> <highlighted_cell> 40 </highlighted_cell> </row> </table>"
    )
    assert (
        "<cell> Season <col_header> Club </col_header> </cell> "
        "<cell> Name <col_header> Club </col_header> <row_header> Season </row_header> </cell>"
    ) in linearise(TABLE, "full")


def test_parts_can_be_left_out():
    assert linearise(TABLE, metadata=False, headers=False) == (
        "<table> <cell> 2001 </cell> <cell> 35 </cell> <cell> 40 </cell> </table>"
    )
    assert linearise(Table(())) == "<table> </table>"
    with pytest.raises(UsageError, match="subtable or full, not 'half'"):
        linearise(TABLE, "half")
