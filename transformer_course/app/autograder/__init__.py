"""Grading by a platform each time somebody hands in: a zip for Gradescope, and a workflow for GitHub Classroom."""
