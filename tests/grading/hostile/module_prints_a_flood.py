# A constructor that prints a hundred megabytes.
#
# lesson: B4
# fails: build.gpt (mistake)

# %% exercise="build.gpt"
class GPT(nn.Module):
    def __init__(self, vocabulary_size, max_length, d_model, num_heads, num_layers, d_ff):
        super().__init__()
        for _ in range(100):
            print("x" * 1_000_000)
