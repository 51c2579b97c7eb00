"""What an input explains of a text, and what of a text nothing explains."""
