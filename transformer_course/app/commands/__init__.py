"""The commands of ``transformer-course``, one function each. ``cli`` combines them into one program."""
