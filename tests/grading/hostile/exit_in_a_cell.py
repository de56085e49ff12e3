# A cell that exits, as a script would: the cells after it still run.
#
# lesson: 03
# says: Code cell 1 (`import sys`) raised SystemExit

# %%
import sys

sys.exit("enough")
