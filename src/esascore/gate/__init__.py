"""A gate for texts: are they good enough, no worse than before, and what has a person accepted?

The entry point is `verdict.judge`; ``esascore check``, `esascore.check` and `esascore.testing` use it.
"""
