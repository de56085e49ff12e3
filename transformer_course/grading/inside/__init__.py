"""What the sandbox holds of ours, and all of it: the process that runs learners' code, and nothing that knows an answer.

These files, with ``link.py``, ``run.py`` and ``wire.py`` of ``exercises/`` beside them, are one package called ``inside`` in the sandbox.
"""
