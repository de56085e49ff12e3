"""Answers that learners may write for tensors, by exercise."""

from math import comb

import numpy as np
import torch
from in_torch import (
    LayerNormInFloat32,
    LayerNormOfTorchInFloat32,
    heads_in_torch,
    torch_attention,
    torch_attention_in_steps,
    torch_decoder_layer,
    torch_encoder_layer,
    torch_encoder_layer_in_steps,
    torch_greedy,
    torch_online_softmax,
    torch_residual,
    torch_sinusoids,
    torch_states,
    torch_top_p,
)

from transformer_course.exercises.lesson_10_residual.residual import NAMED
from transformer_course.experiments.scaling import power_law
from transformer_course.family import patches
from transformer_course.layers import layer_norm
from transformer_course.positions import rotate, sinusoidal_encoding
from transformer_course.speculative import acceptance, leftover


def by_complex_numbers(x):
    """The rotation of queries and keys, in float64, as a product of complex numbers."""
    pairs = torch.view_as_complex(x.double().unflatten(-1, (-1, 2)))
    positions, numbers = (torch.arange(size, device=x.device) for size in pairs.shape[-2:])
    turns = torch.polar(
        torch.ones(1, device=x.device).double(), (positions[:, None] / 10_000 ** (numbers * 2.0 / x.shape[-1])).double()
    )
    return torch.view_as_real(pairs * turns).flatten(-2).to(x)


TORCH_ANSWERS = {
    "build.rotate": [by_complex_numbers],
    "build.pass_at_k": [
        lambda right, k: torch.tensor(
            [1 - comb(right.shape[1] - k, c) / comb(right.shape[1], c) for c in np.asarray(right).sum(1).tolist()]
        ),
    ],
    "build.layer_norm": [LayerNormInFloat32, LayerNormOfTorchInFloat32],
    "layers.residual": [
        torch_residual,
        lambda x, f, n, order: torch.add(x, NAMED[f](NAMED[n](x))) if order == "pre" else NAMED[n](torch.add(x, NAMED[f](x))),
    ],
    "positions.sinusoidal": [sinusoidal_encoding, torch_sinusoids],
    "positions.rotate": [rotate],
    "recurrence.states": [
        torch_states,
        lambda x, w_h, w_x: torch_states(torch.as_tensor(x, dtype=torch.float32), w_h, w_x).double(),
    ],
    "attention.causal_mask": [
        lambda n: torch.ones(n, n, dtype=torch.bool).tril(),
        lambda n: ~torch.triu(torch.ones(n, n), diagonal=1).bool(),
    ],
    "attention.padding_mask": [
        lambda tokens, pad: (tokens != pad).unsqueeze(1),
        lambda tokens, pad: torch.ne(tokens, pad)[:, None],
    ],
    "attention.masked": [torch_attention, torch_attention_in_steps],
    "attention.softmax": [
        lambda scores: torch.softmax(scores, dim=-1),
        lambda scores: scores.softmax(-1),
        lambda scores: (scores - scores.logsumexp(-1, keepdim=True)).exp(),
        lambda scores: torch.softmax(torch.as_tensor(scores, dtype=torch.float32), dim=-1),
    ],
    "attention.self_attention": [
        lambda x, q, k, v: ((x @ q) @ (x @ k).transpose(-2, -1)).softmax(-1) @ (x @ v),
        lambda x, q, k, v: torch.nn.functional.scaled_dot_product_attention(x @ q, x @ k, x @ v, scale=1.0),
        lambda x, q, k, v: torch.einsum("...nd,...md->...nm", x @ q, x @ k).softmax(-1) @ (x @ v),
    ],
    "attention.scaled_dot_product": [
        lambda q, k, v: (q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5).softmax(-1) @ v,
        lambda q, k, v: torch.nn.functional.scaled_dot_product_attention(q, k, v),
        lambda q, k, v: (q @ k.mT / torch.sqrt(torch.tensor(q.size(-1)))).softmax(-1) @ v,
        lambda q, k, v: (s := q @ k.mT * q.size(-1) ** -0.5).sub(s.logsumexp(-1, keepdim=True)).exp() @ v,
        lambda q, k, v: (q / q.size(-1) ** 0.25 @ (k / q.size(-1) ** 0.25).mT).softmax(-1) @ v,
        lambda q, k, v: torch.einsum("...nm,...mv->...nv", (q * q.shape[-1] ** -0.5 @ k.transpose(-2, -1)).softmax(-1), v),
    ],
    "heads.split": [
        lambda x, h: x.view(*x.shape[:2], h, -1).transpose(1, 2),
        lambda x, h: torch.stack(x.chunk(h, dim=-1), dim=1),
        lambda x, h: x.unflatten(-1, (h, -1)).permute(0, 2, 1, 3),
    ],
    "heads.merge": [
        lambda x: x.transpose(1, 2).contiguous().view(x.shape[0], x.shape[2], -1),
        lambda x: torch.cat(x.unbind(1), dim=-1),
        lambda x: x.transpose(1, 2).flatten(2),
    ],
    "heads.multi_head": [heads_in_torch],
    "embedding.embed": [
        lambda tokens, table, positions: table[tokens] * table.size(1) ** 0.5 + positions[: tokens.size(-1)],
        lambda tokens, table, p: (
            torch.nn.functional.embedding(tokens, table).mul(table.shape[1] ** 0.5) + p[: tokens.shape[-1]]
        ),
        lambda tokens, table, p: (
            torch.nn.Embedding.from_pretrained(table)(tokens) * np.sqrt(table.shape[1]) + p[: tokens.shape[-1]]
        ),
    ],
    "layers.feed_forward": [
        lambda x, w1, b1, w2, b2: torch.relu(x @ w1 + b1) @ w2 + b2,
        lambda x, w1, b1, w2, b2: (x @ w1).add(b1).clamp(min=0).matmul(w2).add(b2),
        lambda x, w1, b1, w2, b2: torch.nn.functional.linear(torch.nn.functional.linear(x, w1.T, b1).relu(), w2.T, b2),
        lambda x, w1, b1, w2, b2: torch.einsum("...f,fe->...e", torch.maximum(x @ w1 + b1, torch.zeros(())), w2) + b2,
    ],
    "layers.layer_norm": [
        layer_norm,
        lambda x, gamma, beta, eps: torch.nn.functional.layer_norm(x, x.shape[-1:], gamma, beta, eps),
        lambda x, gamma, beta, eps: (
            (x - x.mean(-1, keepdim=True)) * torch.rsqrt(x.var(-1, keepdim=True, correction=0) + eps) * gamma + beta
        ),
        lambda x, gamma, beta, eps: gamma * (x - x.mean(-1).unsqueeze(-1)) / (x.var(-1, False)[..., None] + eps).sqrt() + beta,
    ],
    "encoder.layer": [torch_encoder_layer, torch_encoder_layer_in_steps],
    "decoder.layer": [torch_decoder_layer],
    "training.shift": [
        lambda targets, begin: (torch.cat([targets.new_full((len(targets), 1), begin), targets[:, :-1]], 1), targets)
    ],
    "training.loss": [
        lambda z, labels, pad: torch.nn.functional.cross_entropy(z.flatten(0, 1), labels.flatten(), ignore_index=pad),
        lambda z, labels, pad: torch.nn.functional.cross_entropy(z.mT, labels, ignore_index=pad).item(),
    ],
    "decoding.greedy": [torch_greedy],
    "decoding.top_p": [
        torch_top_p,
    ],
    "decoding.extend_cache": [
        lambda cache, key, value: {"key": torch.cat([cache["key"], key], 2), "value": torch.cat([cache["value"], value], 2)},
        lambda cache, key, value: {
            name: torch.cat((cache[name], new), dim=-2) for name, new in (("key", key), ("value", value))
        },
    ],
    "family.patches": [patches],
    "bigger.fit": [lambda sizes, losses, size: power_law(sizes, losses).at(size)],
    "fast.rule": [lambda p, q: torch.stack([acceptance(p, q), leftover(p, q)])],
    "cost.online_softmax": [
        lambda blocks: torch.cat([scores for scores, _ in blocks], -1).softmax(-1) @ torch.cat([v for _, v in blocks], -2),
        torch_online_softmax,
    ],
    "residual.who_wrote": [
        lambda parts, gamma, table, eps: (
            gamma
            * (parts - parts.mean(-1, keepdim=True))
            / (parts.sum(0).var(-1, keepdim=True, correction=0) + eps).sqrt()
            @ table.T
        ),
        lambda parts, gamma, table, eps: torch.stack(
            [
                ((p - p.mean(-1, True)) * gamma / parts.sum(0).var(-1, False).add(eps).sqrt()[..., None]) @ table.T
                for p in parts
            ]
        ),
    ],
}
