"""What the sandbox holds of ours, and all of it: the process that runs learners' code, and nothing that knows an answer.

There, these files are one package called ``inside``, with ``link.py``, ``run.py`` and ``wire.py`` of ``exercises/`` beside
them.
"""
