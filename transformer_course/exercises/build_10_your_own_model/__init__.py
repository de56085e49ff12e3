"""Stage B10, your own model: a tokenizer, the loop that trains, and the one that writes."""
