"""Annotated texts from which an entity was removed on purpose, and whether detection notices."""
