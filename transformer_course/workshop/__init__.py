"""A workshop for a room: timetables, what learners get, states to rejoin from, and pages for whoever leads it."""
