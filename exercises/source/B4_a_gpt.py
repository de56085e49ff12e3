# %% [markdown]
# # B4 · A GPT
#
# You need lessons 09 to 11.

# %%
import torch
from torch import nn

from transformer_course.exercises import check, hint, solution
from transformer_course.my_transformer import MultiHeadAttention

# %% [markdown]
# ## 1 · The feed-forward network (program, 6 minutes, ●○○)
#
# `FeedForward(d_model, d_ff)` applies `w_1`, a ReLU and `w_2` to each vector of `x`, `(…, d_model)`. Both are nn.Linear with bias.


# %% exercise="build.feed_forward"
class FeedForward(nn.Module):
    """Two linear maps with a ReLU between them."""

    def __init__(self, d_model, d_ff):
        ### BEGIN SOLUTION
        super().__init__()
        self.w_1, self.w_2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        ### END SOLUTION

    def forward(self, x):
        ### BEGIN SOLUTION
        return self.w_2(torch.relu(self.w_1(x)))
        ### END SOLUTION


# %%
check("build.feed_forward", FeedForward)

# %% [markdown]
# ## 2 · LayerNorm (program, 10 minutes, ●●○)
#
# `LayerNorm(d_model, eps=1e-5)` normalises each vector of `x`, `(…, d_model)`, then applies its parameters `gamma` and `beta`.


# %% exercise="build.layer_norm"
class LayerNorm(nn.Module):
    """Normalise each vector by its own mean and variance, then apply a gain and a bias per dimension."""

    def __init__(self, d_model, eps=1e-5):
        ### BEGIN SOLUTION
        super().__init__()
        self.gamma, self.beta = (
            nn.Parameter(torch.ones(d_model)),
            nn.Parameter(torch.zeros(d_model)),
        )
        self.eps = eps
        ### END SOLUTION

    def forward(self, x):
        ### BEGIN SOLUTION
        mean, variance = x.mean(-1, keepdim=True), x.var(-1, keepdim=True, correction=0)
        return self.gamma * (x - mean) / torch.sqrt(variance + self.eps) + self.beta
        ### END SOLUTION


# %%
check("build.layer_norm", LayerNorm)

# %% [markdown]
# ## 3 · A block (program, 12 minutes, ●●○)
#
# `Block(d_model, num_heads, d_ff)` is a causal pre-norm block: `x` of shape `(b, n, d_model)` in, the same shape out. Its parts
# are `norm_1`, `attention`, `norm_2` and `feed_forward`.


# %% exercise="build.block"
class Block(nn.Module):
    """Causal attention and a feed-forward network, each with a LayerNorm before it and a residual connection around it."""

    def __init__(self, d_model, num_heads, d_ff):
        ### BEGIN SOLUTION
        super().__init__()
        self.norm_1, self.attention = LayerNorm(d_model), MultiHeadAttention(d_model, num_heads)
        self.norm_2, self.feed_forward = LayerNorm(d_model), FeedForward(d_model, d_ff)
        ### END SOLUTION

    def forward(self, x):
        ### BEGIN SOLUTION
        n = x.shape[1]
        may_attend = torch.ones(n, n, dtype=torch.bool, device=x.device).tril()
        y = self.norm_1(x)
        x = x + self.attention(y, y, y, may_attend)
        return x + self.feed_forward(self.norm_2(x))
        ### END SOLUTION


# %%
check("build.block", Block)

# %% [markdown]
# ## 4 · The whole model (program, 15 minutes, ●●●)
#
# `GPT(vocabulary_size, max_length, d_model, num_heads, num_layers, d_ff)` takes `tokens` of shape `(b, n)` and returns logits of
# shape `(b, n, v)`. Its parts are `tokens` and `positions` (nn.Embedding), `blocks`, `final_norm`, and `output`, an nn.Linear
# without bias.


# %% exercise="build.gpt"
class GPT(nn.Module):
    """Characters in, logits for each next character out."""

    def __init__(self, vocabulary_size, max_length, d_model, num_heads, num_layers, d_ff):
        ### BEGIN SOLUTION
        super().__init__()
        self.tokens = nn.Embedding(vocabulary_size, d_model)
        self.positions = nn.Embedding(max_length, d_model)
        self.blocks = nn.ModuleList(Block(d_model, num_heads, d_ff) for _ in range(num_layers))
        self.final_norm = LayerNorm(d_model)
        self.output = nn.Linear(d_model, vocabulary_size, bias=False)
        ### END SOLUTION

    def forward(self, tokens):
        ### BEGIN SOLUTION
        x = self.tokens(tokens) + self.positions(
            torch.arange(tokens.shape[1], device=tokens.device)
        )
        for block in self.blocks:
            x = block(x)
        return self.output(self.final_norm(x))
        ### END SOLUTION


# %%
check("build.gpt", GPT)
