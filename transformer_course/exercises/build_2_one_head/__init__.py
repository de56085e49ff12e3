"""Stage B2, one head: causal attention as a class."""
