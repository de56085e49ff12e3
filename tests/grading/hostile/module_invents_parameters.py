# A class that lists parameters which it does not have.
#
# lesson: B4
# fails: build.gpt (mistake)

# %% exercise="build.gpt"
class GPT(nn.Module):
    def __init__(self, vocabulary_size, max_length, d_model, num_heads, num_layers, d_ff):
        super().__init__()

    def named_parameters(self, *choices, **named):
        yield from ((f"blocks.{k}.norm_1.gamma", nn.Parameter(torch.ones(1))) for k in range(10**9))

    def state_dict(self, *choices, **named):
        return dict(self.named_parameters())
