"""Stage B13, experts, and eight bits: a mixture of experts, a linear layer in int8, and a round of speculative sampling."""
