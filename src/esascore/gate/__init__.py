"""A gate for texts: are they good enough, no worse than before, and what did a person accept?

`verdict.judge` is the door; ``esascore check``, `esascore.check` and `esascore.testing` use it.
"""
