"""Grading a class: other people's notebooks are run where they can reach nothing, and judged where they cannot reach.

``collect`` finds the submissions, ``judge`` puts the questions and judges what comes back, ``sandbox`` holds the process
in which learners' code runs (``bubble`` starts it, and ``inside/`` is all that it sees of ours), ``classroom`` grades many at
once and ``cluster`` does on other computers, ``report`` writes what teachers and learners read, and ``release`` makes what is
handed out.
"""
