# Cells that run cells, to a depth of a hundred, and one that runs itself until Python gives up.
#
# lesson: 03

# %%
import sys

sys.setrecursionlimit(3000)
depth = 0
again = "depth += 1\nif depth < 100: get_ipython().run_cell(again)"
get_ipython().run_cell(again)
assert depth == 100, depth
get_ipython().run_cell("def endless():\n    get_ipython().run_cell('endless()')\nendless()")
