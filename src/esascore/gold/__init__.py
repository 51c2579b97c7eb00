"""Annotated data: benchmarks of mention detection against it, and corpora made from it."""

from esascore.gold.mentions.benchmark import AnnotatedText, annotated_texts, read_annotated, score
from esascore.gold.mentions.locate import locate

__all__ = ["AnnotatedText", "annotated_texts", "locate", "read_annotated", "score"]
