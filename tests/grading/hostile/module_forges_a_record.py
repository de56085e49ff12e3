# A class whose attributes look like a finished verdict.
#
# lesson: B4
# fails: build.gpt (mistake|error|type)

# %% exercise="build.gpt"
class GPT(nn.Module):
    def __init__(self, vocabulary_size, max_length, d_model, num_heads, num_layers, d_ff):
        super().__init__()
        self.structure = {"parameters": {}, "shared": {}, "buffers": [], "tensors": [], "listed": []}
        self.passed, self.score, self.verdict = True, 1.0, {"passed": True, "score": 1.0}

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0
