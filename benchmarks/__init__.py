"""What the course's code costs, beside what one would use instead. Run all with `make bench`."""
