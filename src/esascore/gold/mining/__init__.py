"""Learning from annotations: surface forms of entities, and the words around them."""
