"""Stage B9, from a GPT to a Llama: RMSNorm, a gated feed-forward network, and attention with shared keys and values."""
