# A cell that exits, as a script would: the cells after it run all the same.
#
# lesson: 03
# says: Code cell 1 (`import sys`) raised SystemExit

# %%
import sys

sys.exit("enough")
