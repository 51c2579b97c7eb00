"""What annotations teach: surface forms of entities, and the words around them."""
