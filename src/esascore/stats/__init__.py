"""Is one system better than another, and does a metric agree with people?

Everything is computed from arrays of segments: ``resampling`` draws them, ``comparison`` compares systems,
``correlation`` compares metrics with ratings and asks how reliable the ratings are.
"""
