"""Corpora of any size: rows are cut into units, each scored by itself, into a file that says what it is of.

How a run of ``esascore score INPUT... --out DIR`` goes:

1. `inputs` finds the files, `units` cuts them: a unit is some 50,000 rows of one file.
2. `first_pass` gathers what the corpus as a whole teaches, where a metric or the profile asks for it. Its
   parts are bounded samples that can be merged (`esascore.sample`): any cut and any order give the same.
3. `scoring` scores a unit, in whatever process of whatever machine: rows (`rows`) become scores, and one
   Parquet file (`results`), whose footer holds the exact totals of each system. A unit whose file is there,
   with equal settings and content, is done already.
4. An engine (`engines`, `ray`) only decides where and when a unit is scored, and tries again what failed.
5. `merge` adds up the footers: figures of systems come from them alone.

Everything that a run leaves is in its folder (`storage`); nothing there is ever half written.
"""

from __future__ import annotations
