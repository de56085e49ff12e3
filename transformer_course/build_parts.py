"""The course's own parts of the Build."""
