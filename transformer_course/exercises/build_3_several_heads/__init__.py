"""Stage B3, several heads: multi-head attention as a class."""
