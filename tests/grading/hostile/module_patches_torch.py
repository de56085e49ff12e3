# A class that replaces what the runner uses of torch, and answers to every name. It costs its own mark only.
#
# lesson: B3
# fails: build.multi_head (type|value|shape|mistake|error)


# %% exercise="build.multi_head"
class Everything(dict):
    def __getattr__(self, name):
        return lambda *arguments, **named: self

    def __reduce__(self):
        return eval, ("1 / 0",)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        torch.nn.Module.named_parameters = lambda *_, **__: [("w_q.weight", Everything())]

    def __getattr__(self, name):
        return Everything()

    def forward(self, *inputs):
        return Everything()
