"""Whose number is it: a number in a text belongs to a subject and an attribute of the input."""
