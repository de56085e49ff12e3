"""Run the command ``transformer-course`` with ``python -m transformer_course``.

In a folder that is not yours, use the command itself, or ``python -P -m``: without ``-P``, Python imports modules from the
current folder before it reads this file.
"""

from .app.main import main

main()
