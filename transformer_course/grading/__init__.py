"""Grading a class: other people's notebooks run in a sandbox, and their answers are judged outside it.

``submissions`` finds the notebooks and reads them. ``sandbox`` holds the process in which learners' code runs;
``sandbox/inside`` is the only part of grading that this process sees. ``judging`` asks that process for answers and judges
them, on this computer or on a cluster. ``points`` and ``corrections`` turn verdicts into marks, ``store`` keeps results on
disk, and ``reports`` writes what teachers and learners read. ``grade_class`` does all of this for a folder of submissions.
"""
