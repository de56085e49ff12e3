"""Stage B5, encoder and decoder: the two layers, and a whole Transformer."""
