from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from esascore.stats.comparison import holm


def test_worked_example():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]) == []
    assert holm([None, 0.2]) == [None, 0.2]


@given(st.lists(st.floats(0, 1), max_size=20), st.floats(0.001, 0.999))
def test_rejections_are_those_of_the_step_down_procedure(p_values, level):
    rejected = set()
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    for rank, place in enumerate(order):
        if min(1.0, p_values[place] * (len(p_values) - rank)) > level:
            break
        rejected.add(place)
    assert {place for place, p in enumerate(holm(p_values)) if p <= level} == rejected
