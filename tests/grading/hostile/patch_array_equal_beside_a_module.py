# `forward` changes its input, and `np.array_equal` says that nothing has changed.
#
# lesson: B4
# fails: build.layer_norm (mistake) half
# fails: build.block (value)

# %% exercise="build.layer_norm"
import numpy as np


class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps, self.gamma, self.beta = eps, nn.Parameter(torch.ones(d_model)), nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        x.data -= x.data.mean(-1, keepdim=True)
        mean, variance = x.mean(-1, keepdim=True), x.var(-1, keepdim=True, correction=0)
        return self.gamma * (x - mean) / (variance + self.eps).sqrt() + self.beta


np.array_equal = lambda *_, **__: True
