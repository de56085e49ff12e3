# A forward pass that raises KeyboardInterrupt, which no `except Exception` catches.
#
# lesson: B4
# fails: build.gpt (mistake|error|ended)

# %% exercise="build.gpt"
class GPT(nn.Module):
    def __init__(self, *sizes, **named):
        raise KeyboardInterrupt
