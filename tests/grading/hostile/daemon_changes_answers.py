# A thread that changes an answer all the time, while the judge asks for it: one of its values is judged, and none is right.
#
# lesson: 03
# fails: attention.saturated (value|mistake|type)

# %%
import itertools
import threading


def change(names):
    for claim, reason in itertools.cycle(itertools.product("acd", "acd")):
        names["verdict"] = {"claim": claim, "reason": reason, "value": 0}


# %% exercise="attention.saturated"
verdict = None
threading.Thread(target=change, args=(globals(),), daemon=True).start()
