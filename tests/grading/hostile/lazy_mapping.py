# A mapping that gives another answer each time it is read. It is read once, and that answer is judged.
#
# lesson: 03
# fails: attention.saturated (value|mistake|type)


# %%
class Changing(dict):
    reads = 0

    def items(self):
        Changing.reads += 1
        return {"claim": "abcd"[Changing.reads % 2 * 2], "reason": "a", "value": float(Changing.reads)}.items()


# %% exercise="attention.saturated"
verdict = Changing(claim="b", reason="b", value=8)
