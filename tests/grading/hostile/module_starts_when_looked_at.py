# A gain that begins at random, but shows ones to whoever compares its numbers with each other.
#
# lesson: B4
# fails: build.layer_norm (mistake) half

# %% exercise="build.layer_norm"
class Shy(nn.Parameter):
    def flatten(self, *given):
        return torch.ones(self.numel())

    def __eq__(self, other):
        return torch.ones(self.shape, dtype=torch.bool)

    def __hash__(self):
        return id(self)


class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps, self.gamma, self.beta = eps, Shy(torch.rand(d_model)), nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean, variance = x.mean(-1, keepdim=True), x.var(-1, keepdim=True, correction=0)
        return self.gamma * (x - mean) / (variance + self.eps).sqrt() + self.beta
