"""Building the notebooks of lessons and sheets from their sources."""
