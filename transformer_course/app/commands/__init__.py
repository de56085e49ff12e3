"""What ``transformer-course`` can do, a function for each command; ``cli`` makes the program of them."""
