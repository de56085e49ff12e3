# A cell that never ends is skipped, and all answers are judged.
#
# lesson: 03
# says: Code cell 1 (`while True:`) was stopped: it was still running after 1.5 seconds of processor time. It was skipped

# %%
while True:
    pass
