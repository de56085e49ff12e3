# `forward` changes its input, and `isinstance` says that there was no array in which anything could change.
#
# lesson: B4
# fails: build.layer_norm (mistake) half
# fails: build.block (value)

# %% exercise="build.layer_norm"
import builtins
import sys

import numpy as np


class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps, self.gamma, self.beta = eps, nn.Parameter(torch.ones(d_model)), nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        x.data -= x.data.mean(-1, keepdim=True)
        mean, variance = x.mean(-1, keepdim=True), x.var(-1, keepdim=True, correction=0)
        return self.gamma * (x - mean) / (variance + self.eps).sqrt() + self.beta


honest = isinstance


def lies(value, kind):
    return not (kind is np.ndarray and sys._getframe(2).f_code.co_name == "_call") and honest(value, kind)


builtins.isinstance = lies
