"""The folders that people work in: filled from the course, brought up to date, never written over."""
