"""Is one system better than another, and does a metric agree with people?

Everything is computed from arrays of segments: ``resampling`` draws them, ``comparison`` compares systems
with a baseline, ``pairs`` with each other, ``multiple`` corrects for many comparisons, ``correlation`` and
``dependent`` compare metrics with ratings, ``agreement`` asks how reliable the ratings are.
"""
