# Weights outside the object, in a global list: an optimizer would not find them, but `named_parameters` says so.
#
# lesson: B2
# fails: build.causal_head (mistake)

# %% exercise="build.causal_head"
def attend(x, q, k, v):
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    later = torch.ones_like(scores, dtype=torch.bool).triu(1)
    return scores.masked_fill(later, -torch.inf).softmax(dim=-1) @ v


weights = {}


class CausalHead(nn.Module):
    def __init__(self, d_model, d_head):
        super().__init__()
        self.own = {f"w_{name}.weight": nn.Parameter(torch.randn(d_head, d_model)) for name in "qkv"}
        weights[id(self)] = self.own

    def forward(self, x):
        return attend(x, *(x @ weight.to(x).T for weight in self.own.values()))


torch.nn.Module.named_parameters = lambda module, *_, **__: list(weights[id(module)].items())
torch.nn.Module.zero_grad = lambda module: None
