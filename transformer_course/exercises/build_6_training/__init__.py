"""Stage B6, training it for real: label smoothing, the learning rate, clipping and AdamW."""
