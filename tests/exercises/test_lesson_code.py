"""A lesson's own code, pasted into its sheet: the reply names what is missing, or the answer passes."""

import math

import numpy as np
import torch
from examining import told


def softmax(scores):  # lessons 03, 05 and 13
    exponentials = np.exp(scores - scores.max(-1, keepdims=True))
    return exponentials / exponentials.sum(-1, keepdims=True)


def scaled_dot_product(query, key, value):  # lesson 03
    return softmax(query @ key.T / math.sqrt(4)) @ value


def attention_in_loops(query, key, value):  # lesson 03
    outputs = []
    for each in query:
        exponentials = [math.exp(each @ other) for other in key]
        weights = [each / sum(exponentials) for each in exponentials]
        outputs.append(sum(weight * row for weight, row in zip(weights, value, strict=True)))
    return np.array(outputs)


def masked_attention(query, key, value, mask):  # lesson 04, "late"
    return torch.softmax(query @ key.transpose(-2, -1), dim=-1) * mask @ value


def split_heads(x, num_heads):  # lesson 05, for one sequence of three tokens with two heads
    return x.reshape(3, 2, 2).swapaxes(0, 1)


def split_one_sequence(x, num_heads):
    n, width = x.shape
    return x.reshape(n, num_heads, width // num_heads).swapaxes(0, 1)


def merge_heads(x):  # lesson 05
    return x.swapaxes(0, 1).reshape(3, 4)


def multi_head(x, w_q, w_k, w_v, w_o, num_heads):  # lesson 05
    (n, _), h, d_k = x.shape, num_heads, w_q.shape[1] // num_heads
    q, k, v = (m.reshape(n, h, d_k).swapaxes(0, 1) for m in (x @ w_q, x @ w_k, x @ w_v))
    a = softmax(q @ k.swapaxes(-2, -1) / math.sqrt(d_k))
    return (a @ v).swapaxes(0, 1).reshape(n, h * d_k) @ w_o


def rotated(x, positions):  # lesson 08, one pair
    (a, b), cos, sin = x, math.cos(positions), math.sin(positions)
    return np.array([a * cos - b * sin, a * sin + b * cos])


def one_token_normalised(x, gamma, beta, eps):  # lesson 11, the first cell
    return (x - x.mean()) / x.std()


def batch_norm(x, gamma, beta, eps):  # lesson 11
    return (x - x.mean(0)) / torch.sqrt(x.var(0, correction=0) + 1e-5)


def loss_by_hand(logits, labels, pad):  # lesson 14
    p = logits.softmax(-1)
    return -sum(math.log(p[row, t, i]) for row in range(len(labels)) for t, i in enumerate(labels[row])) / labels.numel()


WRONG = {
    "attention.scaled_dot_product": (scaled_dot_product, attention_in_loops),
    "attention.masked": (masked_attention,),
    "heads.split": (split_heads, split_one_sequence),
    "heads.merge": (merge_heads,),
    "heads.multi_head": (multi_head,),
    "positions.rotate": (rotated,),
    "layers.layer_norm": (one_token_normalised, batch_norm),
    "training.loss": (loss_by_hand,),
}


def test_code_for_the_lessons_own_case_is_told_what_it_lacks(snapshot):
    assert {
        f"{name}: {answer.__name__}": told(name, answer) for name, answers in WRONG.items() for answer in answers
    } == snapshot
