# Parameters with other names: the class itself decides what `_modules` is, and renames what is in it.
#
# lesson: B2
# fails: build.causal_head (mistake)
# uses: attend

# %% exercise="build.causal_head"
class CausalHead(nn.Module):
    def __init__(self, d_model, d_head):
        super().__init__()
        self.q, self.k, self.v = (nn.Linear(d_model, d_head, bias=False) for _ in range(3))

    @property
    def _modules(self):
        return {f"w_{name}": part for name, part in vars(self)["held"].items()}

    @_modules.setter
    def _modules(self, parts):
        vars(self)["held"] = parts

    def __getattr__(self, name):
        if name not in vars(self)["held"]:
            raise AttributeError(name)
        return vars(self)["held"][name]

    def __setattr__(self, name, value):
        if isinstance(value, nn.Module):
            vars(self)["held"][name] = value
        else:
            object.__setattr__(self, name, value)

    def forward(self, x):
        return attend(x, self.q(x), self.k(x), self.v(x))
