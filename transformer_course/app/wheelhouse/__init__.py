"""A folder for rooms without a network: what it contains, how it is filled, and how the course is installed from it."""
