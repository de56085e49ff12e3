# A class that replaces torch's functions for random numbers and dtypes.
#
# lesson: B4
# fails: build.gpt (mistake|error)

# %% exercise="build.gpt"
def refuse(*given, **named):
    raise RuntimeError("not today")


class GPT(nn.Module):
    def __init__(self, vocabulary_size, max_length, d_model, num_heads, num_layers, d_ff):
        super().__init__()
        torch.manual_seed = torch.set_default_dtype = torch.from_numpy = refuse
