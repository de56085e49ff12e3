"""All code of grading that enters the sandbox. It runs learners' code, and knows no answers.

Inside the sandbox, these files are the package ``inside``, next to the library and ``transformer_course.runner``.
"""
