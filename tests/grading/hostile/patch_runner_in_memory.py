# The same function, found among all objects in memory.
#
# lesson: B2
# fails: build.causal_head (error)
# uses: attend, forged, without_gradients

# %% exercise="build.causal_head"
import gc

gc.unfreeze()
for each in gc.get_objects():
    if isinstance(each, dict) and "run_class" in each and "_gradients" in each:
        each["_gradients"] = forged
