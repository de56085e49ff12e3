# A constructor that reads memory which is not there.
#
# lesson: B4
# fails: build.gpt (ended)
# says: a crash in compiled code (segmentation fault)

# %% exercise="build.gpt"
class GPT(nn.Module):
    def __init__(self, *sizes, **named):
        import ctypes

        ctypes.string_at(0)
