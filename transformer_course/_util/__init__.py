"""Small things that every room may use: writing files, a progress bar, where the course's files are."""
