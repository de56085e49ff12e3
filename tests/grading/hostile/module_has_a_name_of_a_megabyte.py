# A parameter whose name has a million characters.
#
# lesson: B4
# fails: build.gpt (mistake|error|type)

# %% exercise="build.gpt"
class GPT(nn.Module):
    def __init__(self, vocabulary_size, max_length, d_model, num_heads, num_layers, d_ff):
        super().__init__()
        self.register_parameter("n" * 1_000_000, nn.Parameter(torch.zeros(1)))
