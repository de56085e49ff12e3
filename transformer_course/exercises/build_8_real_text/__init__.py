"""Stage B8, real text: a byte-pair tokenizer."""
