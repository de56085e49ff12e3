"""Small helpers for every subpackage: writing files, a progress bar, the paths of the course's files, Markdown, colours."""
