"""Stage B11, an assistant: a chat format, the loss on the answers, LoRA and a loss for preferences."""
