"""The files that grading writes: tables, feedback pages, the overview of a class, results for Gradescope."""
