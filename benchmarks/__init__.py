"""Compare the speed of the course's code with the usual alternatives. `make bench` runs all benchmarks."""
