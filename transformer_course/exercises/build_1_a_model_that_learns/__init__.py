"""Stage B1, a model that learns: a bigram table, its text and its training step."""
