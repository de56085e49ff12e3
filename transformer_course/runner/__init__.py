"""Running a learner's answer, in a notebook and in the sandbox. It needs only NumPy, and knows no answer."""
