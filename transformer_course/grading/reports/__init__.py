"""What grading writes: tables, pages of feedback, the overview of a class, Gradescope's results."""
