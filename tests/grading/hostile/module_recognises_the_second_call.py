# `forward` changes its input, and gives the same output again when it is called with the same tensor once more.
#
# lesson: B4
# fails: build.layer_norm (mistake) half
# fails: build.block (value)

# %% exercise="build.layer_norm"
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps, self.gamma, self.beta = eps, nn.Parameter(torch.ones(d_model)), nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        if (known := answers.get(id(x))) is not None and known[0] is x:
            return known[1]
        x.data -= x.data.mean(-1, keepdim=True)
        mean, variance = x.mean(-1, keepdim=True), x.var(-1, keepdim=True, correction=0)
        answers[id(x)] = x, self.gamma * (x - mean) / (variance + self.eps).sqrt() + self.beta
        return answers[id(x)][1]


answers = {}
