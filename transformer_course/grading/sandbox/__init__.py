"""The sandbox in which learners' code runs, and what it can see and do there."""
