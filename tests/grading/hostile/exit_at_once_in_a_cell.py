# A cell that ends the process silently: it is skipped, and all others count.
#
# lesson: 03
# says: Code cell 1 (`import os`) stopped the run: it ended its own process (exit status 0). It was skipped

# %%
import os

os._exit(0)
