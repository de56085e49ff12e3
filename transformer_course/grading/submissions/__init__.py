"""What was handed in: finding it, choosing among attempts, reading it."""
