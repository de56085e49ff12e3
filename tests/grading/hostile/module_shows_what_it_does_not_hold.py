# Weights outside the object, in a global list: an optimizer would not find them, but `named_parameters` says so.
#
# lesson: B2
# fails: build.causal_head (mistake)
# uses: attend

# %% exercise="build.causal_head"
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
