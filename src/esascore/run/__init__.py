"""Rows through one pool of workers, to rows and exact totals: from memory or files, here or on a cluster.

A row is an example with a text of each system (`blocks`). Every run is made of the same parts:

1. Where the ruler is to learn from the corpus, it does so in a pass of its own, before any text is judged.
   What parts of the corpus teach can be merged (`esascore.learned`): any cut and any order give the same.
2. `blocks` cuts rows into blocks of at most 1,024 texts, fewer where inputs are large or models read them.
3. `scoring` detects the entities of a block and makes the statistics of each metric, one row per text. Equal
   texts of an example are looked at once. The result is a `Scored` (`scored`).
4. `pool` gives units of work to processes (`workers`), a few ahead of what has been consumed.
5. `Sums` adds statistics up exactly. Order, block, unit and process have no influence on a result.

`evaluation` scores systems on a corpus that need not fit into memory. It is read lazily, first only to count
and check it, so that a mistake in the last line is found before any work is done. A unit is a block; blocks
come back in corpus order, and whoever reads them adds their totals up, writes their lines and forgets them.

`files` scores files of rows into a folder. A unit is some 5,000 rows of one file (`units`), which the process
that scores it reads itself (`rows`). Results are Parquet files whose footers hold the exact totals
(`results`): a unit whose files are there, with equal settings and content, is done already. `engines` and
`ray` decide where a unit is done and try again what failed, `merging` adds up the footers. Everything that a
run leaves is in its folder (`storage`); nothing there is ever half written.

`batches` scores batches of rows that other engines hand over.
"""
