"""What the sandbox holds of ours, and all of it: the process that runs learners' code, and nothing that knows an answer.

There, these files are the package ``inside``, beside the library and ``transformer_course.runner``.
"""
