# Every cell ends before its time limit, but together they wait for longer than a submission may: then it is stopped.
#
# lesson: 03
# fails: attention.shapes (timeout)
# fails: attention.scaled_dot_product (timeout)
# fails: attention.score_spread (timeout)
# fails: attention.one_way (timeout)
# fails: attention.saturated (timeout)
# says: This exercise was not reached, because the notebook had waited for 24 seconds in total without computing.
# says: (`time.sleep(5)`) stopped the run: the notebook had waited for 24 seconds

# %%
import time

time.sleep(5)
# %%
time.sleep(5)
# %%
time.sleep(5)
# %%
time.sleep(5)
# %%
time.sleep(5)
# %%
time.sleep(5)
# %%
time.sleep(5)
# %%
time.sleep(5)
