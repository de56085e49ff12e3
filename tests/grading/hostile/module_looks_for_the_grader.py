# A class that looks through all objects of its process for questions, references and verdicts.
#
# lesson: B4
# fails: build.gpt (mistake|error)

# %% exercise="build.gpt"
import gc


class GPT(nn.Module):
    def __init__(self, vocabulary_size, max_length, d_model, num_heads, num_layers, d_ff):
        super().__init__()
        words = ("oracle", "mistakes", "secret", "Verdict")
        found = [each for each in gc.get_objects() if isinstance(each, dict) and any(word in each for word in words)]
        if found:
            raise RuntimeError(f"found {[*found[0]][:5]}")
