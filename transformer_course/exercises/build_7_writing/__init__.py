"""Stage B7, writing: greedy decoding, temperature and top-p, and a key–value cache."""
