"""Mention detection against mentions that people annotated."""
