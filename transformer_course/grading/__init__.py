"""Grading a class: other people's notebooks are run where they can reach nothing, and judged where they cannot reach.

``collect`` finds the submissions, ``judge`` puts the questions and judges what comes back, ``sandbox`` starts the process
in which learners' code runs (``inside/`` is all that it sees of ours), ``classroom`` grades many at once, ``report`` writes
what teachers and learners read, and ``release`` makes what is handed out.
"""
