# A constructor that leaves threads behind, which go on changing what they can.
#
# lesson: B4
# fails: build.gpt (mistake|error|ended)

# %% exercise="build.gpt"
import threading


class GPT(nn.Module):
    def __init__(self, vocabulary_size, max_length, d_model, num_heads, num_layers, d_ff):
        super().__init__()

        def spoil():
            while True:
                torch.set_default_dtype(torch.float16)
                torch.set_default_dtype(torch.float32)

        for _ in range(8):
            threading.Thread(target=spoil, daemon=True).start()
