"""Small helpers for every room: writing files, a progress bar, the paths of the course's files."""
