"""The sandbox in which learners' code runs: what it can see, and what it can do."""
