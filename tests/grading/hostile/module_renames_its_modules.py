# Parameters with other names, and `named_modules` replaced: torch's own list of parameters then has the right names.
#
# lesson: B2
# fails: build.causal_head (mistake)
# uses: attend

# %% exercise="build.causal_head"
class CausalHead(nn.Module):
    def __init__(self, d_model, d_head):
        super().__init__()
        self.q, self.k, self.v = (nn.Linear(d_model, d_head, bias=False) for _ in range(3))

    def forward(self, x):
        return attend(x, self.q(x), self.k(x), self.v(x))


honest = torch.nn.Module.named_modules


def named_modules(module, *choices, **named):
    return ((f"w_{name}" if name else "", part) for name, part in honest(module, *choices, **named))


torch.nn.Module.named_modules = named_modules
