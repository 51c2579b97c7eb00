"""Fact models, which judge whether a text states a fact, and models that ask and answer questions."""
