# %% [markdown]
# # B3 · Several heads

# %%
import torch
from torch import nn

from transformer_course.exercises import check, hint, solution

# %% [markdown]
# ## 1 · Multi-head attention (program, 40 minutes, ●●●)
#
# `MultiHeadAttention(d_model, num_heads)` is called as `(query, key, value, mask=None)`. `query` has shape `(b, n, d_model)`,
# `key` and `value` have shape `(b, m, d_model)`, and the output has shape `(b, n, d_model)`. The mask is boolean, True = may
# attend, and has shape `(n, m)` for all sequences alike, or `(b, n, m)` or `(b, 1, m)` for a mask per sequence. Its layers
# `w_q`, `w_k`, `w_v` and `w_o` are nn.Linear with bias.


# %% exercise="build.multi_head"
class MultiHeadAttention(nn.Module):
    """Several attention heads in parallel, each with its own columns of the projections, and their outputs combined."""

    def __init__(self, d_model, num_heads):
        ### BEGIN SOLUTION
        super().__init__()
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        ### END SOLUTION

    def split(self, x):
        """(b, n, d_model) to (b, h, n, d_k)."""
        ### BEGIN SOLUTION
        b, n, _ = x.shape
        return x.reshape(b, n, self.num_heads, -1).transpose(1, 2)
        ### END SOLUTION

    def forward(self, query, key, value, mask=None):
        ### BEGIN SOLUTION
        q, k, v = (
            self.split(self.w_q(query)),
            self.split(self.w_k(key)),
            self.split(self.w_v(value)),
        )
        scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask.unsqueeze(-3), float("-inf"))  # an axis for the heads
        heads = scores.softmax(dim=-1) @ v
        return self.w_o(heads.transpose(1, 2).flatten(2))
        ### END SOLUTION


# %%
check("build.multi_head", MultiHeadAttention)
