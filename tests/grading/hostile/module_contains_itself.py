# A module that is a part of itself.
#
# lesson: B4
# fails: build.gpt (error|mistake|ended)

# %% exercise="build.gpt"
class GPT(nn.Module):
    def __init__(self, vocabulary_size, max_length, d_model, num_heads, num_layers, d_ff):
        super().__init__()
        self.inner = self
        self.other = nn.Linear(d_model, d_model)
