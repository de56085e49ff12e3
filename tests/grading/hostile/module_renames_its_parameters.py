# Parameters with other names, and `named_parameters` replaced, so that it calls them as the exercise does.
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


honest = torch.nn.Module.named_parameters


def named_parameters(module, *choices, **named):
    return ((f"w_{name}", parameter) for name, parameter in honest(module, *choices, **named))


torch.nn.Module.named_parameters = named_parameters
