"""Readers of corpora and of systems' outputs: one format per file, detected from the content.

What each format looks like is in ``docs/formats.md``.
"""
