# A layer that is larger than the computer.
#
# lesson: B4
# fails: build.gpt (memory|ended)

# %% exercise="build.gpt"
class GPT(nn.Module):
    def __init__(self, vocabulary_size, max_length, d_model, num_heads, num_layers, d_ff):
        super().__init__()
        self.tokens = nn.Embedding(10**7, 10**5)
