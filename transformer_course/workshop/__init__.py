"""Workshops: timetables, what learners get, folders to rejoin from, and the instructor's pages."""
