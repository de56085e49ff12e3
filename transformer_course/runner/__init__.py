"""Running a learner's answer, in a notebook and in the sandbox. It needs NumPy alone, and knows no answer."""
