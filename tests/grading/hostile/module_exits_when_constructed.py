# A constructor that raises SystemExit.
#
# lesson: B4
# fails: build.gpt (error|ended)

# %% exercise="build.gpt"
class GPT(nn.Module):
    def __init__(self, *sizes, **named):
        raise SystemExit(0)
