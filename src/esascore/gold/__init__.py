"""Annotated data: benchmarks of mention detection against it, and corpora made from it."""

from esascore.gold.mentions.benchmark import read_annotated, score

__all__ = ["read_annotated", "score"]
