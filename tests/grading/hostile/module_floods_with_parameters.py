# A class with a hundred thousand parameters, which are too many to be sent.
#
# lesson: B4
# fails: build.gpt (error|mistake|timeout|type)

# %% exercise="build.gpt"
class GPT(nn.Module):
    def __init__(self, vocabulary_size, max_length, d_model, num_heads, num_layers, d_ff):
        super().__init__()
        self.many = nn.ParameterList(nn.Parameter(torch.zeros(1)) for _ in range(100_000))
