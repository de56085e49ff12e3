# A hook on all modules of the process that changes every output.
#
# lesson: B4
# fails: build.gpt (mistake)
# fails: build.estimate_loss (value)

# %% exercise="build.gpt"
class GPT(nn.Module):
    def __init__(self, vocabulary_size, max_length, d_model, num_heads, num_layers, d_ff):
        super().__init__()
        torch.nn.modules.module.register_module_forward_hook(lambda module, inputs, output: output * 0)
