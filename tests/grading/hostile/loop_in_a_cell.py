# A cell that never ends is left out, and the answers of all others are asked for.
#
# lesson: 03
# says: Code cell 1 (`while True:`) stopped the run: it was still running after 2.5 seconds. It was skipped

# %%
while True:
    pass
