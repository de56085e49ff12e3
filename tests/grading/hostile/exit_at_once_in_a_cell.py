# A cell that ends the process without a word: it is left out, and all others count.
#
# lesson: 03
# says: Code cell 1 (`import os`) ended the run: the process was ended from within (exit status 0). It was left out

# %%
import os

os._exit(0)
