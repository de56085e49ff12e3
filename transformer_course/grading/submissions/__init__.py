"""Find what was handed in, choose among attempts, and read notebooks."""
