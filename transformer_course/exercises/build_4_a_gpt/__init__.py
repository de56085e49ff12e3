"""Stage B4, a GPT: the parts around attention, a block, and the whole model."""
