"""What exercises ask for, written with torch."""

import math

import torch

from transformer_course.exercises.lesson_10_residual.residual import NAMED
from transformer_course.exercises.lesson_16_decoding.greedy import STEPS
from transformer_course.layers import Residual


def torch_states(x, w_h, w_x):
    h, found = torch.zeros(len(w_h)), []
    for t in range(x.shape[-2]):
        h = torch.tanh(h @ w_h + x[..., t, :] @ w_x)
        found.append(h)
    return torch.stack(found, dim=-2)


def torch_attention(query, key, value, mask):
    if not mask.any(-1).all():
        raise ValueError("a query without a key")
    return torch.nn.functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)


def torch_attention_in_steps(query, key, value, mask):
    if (~mask).all(dim=-1).any():
        raise ValueError("a query without a key")
    scores = query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5
    return scores.masked_fill(~mask, float("-inf")).softmax(-1) @ value


def heads_in_torch(x, w_q, w_k, w_v, w_o, h, mask=None):
    query, key, value = ((x @ w).unflatten(-1, (h, -1)).transpose(1, 2) for w in (w_q, w_k, w_v))
    return torch.nn.functional.scaled_dot_product_attention(query, key, value, mask).transpose(1, 2).flatten(2) @ w_o


def torch_sinusoids(length, d_model):
    if d_model % 2 != 0:
        raise ValueError("d_model must be even")
    position = torch.arange(length).unsqueeze(1)
    turns = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
    table = torch.zeros(length, d_model)
    table[:, 0::2] = torch.sin(position * turns)
    table[:, 1::2] = torch.cos(position * turns)
    return table


def torch_residual(x, sublayer, norm, order):
    layer = Residual(x.shape[-1], norm=order)
    layer.norm = torch.nn.Module()
    layer.norm.forward = NAMED[norm]
    return layer(x, NAMED[sublayer])


def torch_encoder_layer(x, weights, num_heads, mask):
    """The same with torch's module, which has the weights side by side and turned round, and masks the other way."""
    d, d_ff = weights["w1"].shape
    module = torch.nn.TransformerEncoderLayer(d, num_heads, d_ff, dropout=0.0, batch_first=True, dtype=x.dtype)
    three = torch.cat([weights[name] for name in ("w_q", "w_k", "w_v")], dim=1)
    state = {"self_attn.in_proj_weight": three.T, "self_attn.in_proj_bias": torch.zeros(3 * d, dtype=x.dtype)}
    state |= {"self_attn.out_proj.weight": weights["w_o"].T, "self_attn.out_proj.bias": torch.zeros(d, dtype=x.dtype)}
    for number in (1, 2):
        state |= {f"linear{number}.weight": weights[f"w{number}"].T, f"linear{number}.bias": weights[f"b{number}"]}
        state |= {f"norm{number}.weight": weights[f"gamma{number}"], f"norm{number}.bias": weights[f"beta{number}"]}
    module.load_state_dict(state)
    forbidden = ~mask.expand(len(x), x.shape[1], x.shape[1])
    return module(x, forbidden.repeat_interleave(num_heads, dim=0)).detach()


def torch_encoder_layer_in_steps(x, weights, num_heads, mask):
    norm = torch.nn.functional.layer_norm
    three = (weights[name] for name in ("w_q", "w_k", "w_v"))
    x = x + heads_in_torch(x, *three, weights["w_o"], num_heads, mask.unsqueeze(1))
    x = norm(x, x.shape[-1:], weights["gamma1"], weights["beta1"])
    x = x + torch.relu(x @ weights["w1"] + weights["b1"]) @ weights["w2"] + weights["b2"]
    return norm(x, x.shape[-1:], weights["gamma2"], weights["beta2"])


def torch_decoder_layer(x, memory, weights, num_heads, mask, memory_mask):
    """A decoder layer from torch's own functions."""

    def attend(prefix, asking, asked, may):
        q, k, v = (
            (side @ weights[f"{prefix}w_{letter}"]).unflatten(-1, (num_heads, -1)).transpose(1, 2)
            for side, letter in ((asking, "q"), (asked, "k"), (asked, "v"))
        )
        found = torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=may)
        return found.transpose(1, 2).flatten(2) @ weights[f"{prefix}w_o"]

    def norm(y, number):
        return torch.nn.functional.layer_norm(y, y.shape[-1:], weights[f"gamma{number}"], weights[f"beta{number}"])

    x = norm(x + attend("", x, x, mask), 1)
    x = norm(x + attend("cross_", x, memory, memory_mask[:, None]), 2)
    return norm(x + torch.relu(x @ weights["w1"] + weights["b1"]) @ weights["w2"] + weights["b2"], 3)


def torch_greedy(step, begin, end, limit):
    ids = torch.tensor([begin])
    while len(ids) <= limit and (len(ids) == 1 or ids[-1] != end):
        ids = torch.cat([ids, torch.as_tensor(STEPS[step](ids)).argmax(-1, keepdim=True)])
    return ids[1:]


def torch_top_p(probabilities, p):
    values, order = torch.sort(probabilities, dim=-1, descending=True)
    dropped = torch.cumsum(values, dim=-1) - values >= p
    kept = torch.zeros_like(probabilities).scatter(-1, order, values.masked_fill(dropped, 0.0))
    return kept / kept.sum(-1, keepdim=True)


def torch_online_softmax(blocks):
    """In place, with a finite number below all scores in the place of -inf."""
    first, values = blocks[0]
    largest = torch.full_like(first[..., :1], -1e9)
    total, mixture = torch.zeros_like(largest), torch.zeros(*first.shape[:-1], values.shape[-1])
    for scores, values in blocks:
        new = torch.maximum(largest, scores.amax(-1, keepdim=True))
        total.mul_(torch.exp(largest - new)).add_(torch.exp(scores - new).sum(-1, keepdim=True))
        mixture.mul_(torch.exp(largest - new)).add_(torch.einsum("...nc,...cd->...nd", torch.exp(scores - new), values))
        largest = new
    return mixture / total


class LayerNormInFloat32(torch.nn.Module):
    """Computes in float32 whatever it is given, as many models do."""

    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.gamma, self.beta = torch.nn.Parameter(torch.ones(d_model)), torch.nn.Parameter(torch.zeros(d_model))

    def standardised(self, x):
        return (x - x.mean(-1, keepdim=True)) / torch.sqrt(x.var(-1, keepdim=True, correction=0) + self.eps)

    def forward(self, x):
        return self.gamma * self.standardised(x.float()).to(x.dtype) + self.beta


class LayerNormOfTorchInFloat32(LayerNormInFloat32):
    def standardised(self, x):
        return torch.nn.functional.layer_norm(x, x.shape[-1:], eps=self.eps)
