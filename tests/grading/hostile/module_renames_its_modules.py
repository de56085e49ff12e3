# Parameters with other names, and `named_modules` replaced: torch's own list of parameters then has the right names.
#
# lesson: B2
# fails: build.causal_head (mistake)

# %% exercise="build.causal_head"
def attend(x, q, k, v):
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    later = torch.ones_like(scores, dtype=torch.bool).triu(1)
    return scores.masked_fill(later, -torch.inf).softmax(dim=-1) @ v


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
