# Thousands of magics that are not run: a few remarks are kept of each cell.
#
# lesson: 03
# says: `!ls` was not run

# %%
for _ in range(10**4):
    get_ipython().system("ls")
