# Thousands of magics that do not run: only a few remarks are kept per cell.
#
# lesson: 03
# says: `!ls` was not run

# %%
for _ in range(10**4):
    get_ipython().system("ls")
