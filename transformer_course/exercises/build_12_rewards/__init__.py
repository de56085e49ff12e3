"""Stage B12, learning from rewards: advantages within a group, a clipped loss that stays near a reference, and pass@k."""
