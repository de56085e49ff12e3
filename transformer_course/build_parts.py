"""The course's own parts of the Build, which `make notebooks` takes from the solutions of its stages."""

import torch
from torch import nn
from torch.nn import functional as F


def encode(text, characters):
    """The id of each character: its place in characters."""
    ids = {character: number for number, character in enumerate(characters)}
    return [ids[character] for character in text]


def get_batch(ids, starts, length):
    """Inputs and labels, each of shape (b, length)."""
    inputs = torch.stack([ids[start : start + length] for start in starts])
    labels = torch.stack([ids[start + 1 : start + length + 1] for start in starts])
    return inputs, labels


class Bigram(nn.Module):
    """Logits for the next character, looked up in a table by the current one."""

    def __init__(self, vocabulary_size):
        super().__init__()
        self.table = nn.Embedding(vocabulary_size, vocabulary_size)

    def forward(self, tokens):
        return self.table(tokens)


def sample(probabilities, u):
    """The id whose piece of the line from 0 to 1 contains u."""
    return int((probabilities.cumsum(0) > u).argmax())  # the first True


def train_step(model, optimizer, inputs, labels):
    """Update the model once; return the loss before the update."""
    logits = model(inputs)
    loss = F.cross_entropy(logits.flatten(0, 1), labels.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


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
    """Several heads in parallel, each with its own columns of the projections."""

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


class FeedForward(nn.Module):
    """Two linear maps with a ReLU between them, applied to each token by itself."""

    def __init__(self, d_model, d_ff):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        return self.w_2(torch.relu(self.w_1(x)))


class LayerNorm(nn.Module):
    """Normalise each token's vector, then scale by gamma and shift by beta."""

    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, keepdim=True, correction=0)
        return self.gamma * (x - mean) / torch.sqrt(variance + self.eps) + self.beta


class Block(nn.Module):
    """Causal self-attention, then a feed-forward network: pre-norm, with residuals."""

    def __init__(self, d_model, num_heads, d_ff):
        super().__init__()
        self.norm_1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.norm_2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff)

    def forward(self, x):
        n = x.shape[1]
        causal = torch.ones(n, n, dtype=torch.bool, device=x.device).tril()
        y = self.norm_1(x)
        x = x + self.attention(y, y, y, causal)
        return x + self.feed_forward(self.norm_2(x))


class GPT(nn.Module):
    """A language model: for each token, logits for the next one."""

    def __init__(self, vocabulary_size, max_length, d_model, num_heads, num_layers, d_ff):
        super().__init__()
        self.tokens = nn.Embedding(vocabulary_size, d_model)
        self.positions = nn.Embedding(max_length, d_model)
        for table in (self.tokens, self.positions):
            nn.init.normal_(table.weight, std=0.02)  # random numbers with this standard deviation
        self.blocks = nn.ModuleList(Block(d_model, num_heads, d_ff) for _ in range(num_layers))
        self.final_norm = LayerNorm(d_model)
        self.output = nn.Linear(d_model, vocabulary_size, bias=False)

    def forward(self, tokens):
        positions = torch.arange(tokens.shape[1], device=tokens.device)
        x = self.tokens(tokens) + self.positions(positions)
        for block in self.blocks:
            x = block(x)
        return self.output(self.final_norm(x))
