"""Does a text state a fact? Questions, answers, and a model that reads a fact's two mentions in a text."""
