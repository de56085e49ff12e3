# A constructor that calls itself without end.
#
# lesson: B4
# fails: build.gpt (error|ended)

# %% exercise="build.gpt"
class GPT(nn.Module):
    def __init__(self, *sizes, **named):
        super().__init__()
        self.inner = GPT(*sizes, **named)
