# %% [markdown]
# # B2 · One head

# %%
import torch
from torch import nn

from transformer_course.exercises import check, hint, solution

# %% [markdown]
# ## 1 · A causal head (program, 25 minutes, ●●○)
#
# `CausalHead(d_model, d_head)` takes `x` of shape `(b, n, d_model)` and returns `(b, n, d_head)`. Its layers `w_q`, `w_k` and
# `w_v` have no bias.


# %% exercise="build.causal_head"
class CausalHead(nn.Module):
    """One attention head in which each token sees itself and all earlier tokens."""

    def __init__(self, d_model, d_head):
        ### BEGIN SOLUTION
        super().__init__()
        self.w_q = nn.Linear(d_model, d_head, bias=False)
        self.w_k = nn.Linear(d_model, d_head, bias=False)
        self.w_v = nn.Linear(d_model, d_head, bias=False)
        ### END SOLUTION

    def forward(self, x):
        ### BEGIN SOLUTION
        q, k, v = self.w_q(x), self.w_k(x), self.w_v(x)
        scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
        n = x.shape[1]
        may_attend = torch.ones(n, n, dtype=torch.bool, device=x.device).tril()
        weights = scores.masked_fill(~may_attend, float("-inf")).softmax(dim=-1)
        return weights @ v
        ### END SOLUTION


# %%
check("build.causal_head", CausalHead)
