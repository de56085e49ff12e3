"""The course's own parts of the Build, which `make notebooks` takes from the solutions of its stages."""

import torch
from torch import nn


class CausalHead(nn.Module):
    """One attention head in which each token sees itself and all earlier tokens."""

    def __init__(self, d_model, d_head):
        super().__init__()
        self.w_q = nn.Linear(d_model, d_head, bias=False)
        self.w_k = nn.Linear(d_model, d_head, bias=False)
        self.w_v = nn.Linear(d_model, d_head, bias=False)

    def forward(self, x):
        q, k, v = self.w_q(x), self.w_k(x), self.w_v(x)
        scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
        n = x.shape[1]
        may_attend = torch.ones(n, n, dtype=torch.bool, device=x.device).tril()
        weights = scores.masked_fill(~may_attend, float("-inf")).softmax(dim=-1)
        return weights @ v


class MultiHeadAttention(nn.Module):
    """Several attention heads in parallel, each with its own columns of the projections, and their outputs combined."""

    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)

    def split(self, x):
        """(b, n, d_model) to (b, h, n, d_k)."""
        b, n, _ = x.shape
        return x.reshape(b, n, self.num_heads, -1).transpose(1, 2)

    def forward(self, query, key, value, mask=None):
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
