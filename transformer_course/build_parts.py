"""The whole Transformer in one file: every part of the Build, as the course itself solves it.

Read it from top to bottom. It follows the stages, and each part uses only parts above it: a bigram model (B1), one attention
head (B2), several (B3), a GPT (B4), the encoder, the decoder and the Transformer (B5), training (B6), decoding and the cache
(B7), byte pairs (B8), a Llama (B9), what trains a model of one's own (B10), what makes it an assistant (B11), what learns
from rewards (B12), and experts with eight bits (B13). It has few options and checks no input; the library's modules do more.

`make notebooks` writes this file from the solutions in `exercises/source/`, so make changes there.
"""

import functools
import json
import math
import re
from collections import Counter

import torch
from torch import nn
from torch.nn import functional as F


def encode(text, characters):
    """The id of each character: its position in characters."""
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
        later = torch.ones_like(scores, dtype=torch.bool).triu(1)
        weights = scores.masked_fill(later, -torch.inf).softmax(dim=-1)
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
        # 1. Project the three inputs, and split them.
        # 2. Compute the scores of all heads, and scale them.
        # 3. If there is a mask, give it an axis for the heads, and apply it.
        # 4. Average the values, join the heads, and apply w_o.
        q = self.split(self.w_q(query))
        k = self.split(self.w_k(key))
        v = self.split(self.w_v(value))
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


@torch.no_grad()
def estimate_loss(model, batches):
    """The mean cross-entropy over all labels, in evaluation mode and without gradients."""
    mode, total, count = model.training, 0.0, 0
    model.eval()
    for inputs, labels in batches:
        logits = model(inputs)
        total += F.cross_entropy(logits.flatten(0, 1), labels.flatten(), reduction="sum").item()
        count += labels.numel()
    model.train(mode)
    return total / count


class Residual(nn.Module):
    """A residual connection around a sublayer, with a LayerNorm before the sublayer or after the sum."""

    def __init__(self, d_model, dropout=0.0, norm="pre"):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.order = norm  # "pre" or "post"

    def forward(self, x, sublayer):
        if self.order == "pre":
            return x + self.dropout(sublayer(self.norm(x)))
        return self.norm(x + self.dropout(sublayer(x)))


class EncoderLayer(nn.Module):
    """Self-attention, then the feed-forward network, each with a residual connection."""

    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, norm="pre"):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads)
        self.feed_forward = FeedForward(d_model, d_ff)
        self.attention_residual = Residual(d_model, dropout, norm)
        self.feed_forward_residual = Residual(d_model, dropout, norm)

    def forward(self, x, mask=None):
        x = self.attention_residual(x, lambda y: self.self_attention(y, y, y, mask))
        return self.feed_forward_residual(x, self.feed_forward)


class DecoderLayer(nn.Module):
    """Self-attention, cross-attention to the memory, and the feed-forward network, each with a residual connection."""

    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, norm="pre"):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads)
        self.cross_attention = MultiHeadAttention(d_model, num_heads)
        self.feed_forward = FeedForward(d_model, d_ff)
        self.self_attention_residual = Residual(d_model, dropout, norm)
        self.cross_attention_residual = Residual(d_model, dropout, norm)
        self.feed_forward_residual = Residual(d_model, dropout, norm)

    def forward(self, x, memory, mask=None, memory_mask=None):
        x = self.self_attention_residual(x, lambda y: self.self_attention(y, y, y, mask))
        attend = self.cross_attention
        x = self.cross_attention_residual(x, lambda y: attend(y, memory, memory, memory_mask))
        return self.feed_forward_residual(x, self.feed_forward)


def sine_waves(n, d_model):
    """Alternating sines and cosines for the positions 0 to n - 1: (n, d_model)."""
    even = torch.arange(0, d_model, 2)
    angles = torch.arange(n)[:, None] / 10_000 ** (even / d_model)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)


class TextInput(nn.Module):
    """Ids to vectors: rows of a table, scaled by the square root of d_model, plus sine waves for the positions."""

    def __init__(self, vocabulary_size, d_model, dropout=0.0):
        super().__init__()
        table = torch.randn(vocabulary_size, d_model) / d_model**0.5
        self.embedding = nn.ParameterDict({"table": table})
        self.d_model = d_model
        self.dropout = nn.Dropout(dropout)

    def forward(self, tokens):
        x = self.embedding.table[tokens] * self.d_model**0.5
        return self.dropout(x + sine_waves(tokens.shape[1], self.d_model).to(x))


def shift(targets, begin=1):
    """Inputs and labels for teacher forcing: each input is the token before its label."""
    first = torch.full_like(targets[:, :1], begin)
    return torch.cat([first, targets[:, :-1]], dim=1), targets


class Stack(nn.Module):
    """Layers, one after another, and a final norm."""

    def __init__(self, layer, config):
        super().__init__()
        sizes = config.d_model, config.num_heads, config.d_ff, config.dropout, config.norm
        self.layers = nn.ModuleList(layer(*sizes) for _ in range(config.num_layers))
        final = config.norm == "pre" if config.final_norm is None else config.final_norm
        self.norm = LayerNorm(config.d_model) if final else nn.Identity()

    def forward(self, x, *others):
        for layer in self.layers:
            x = layer(x, *others)
        return self.norm(x)


class Transformer(nn.Module):
    """From a source and the target so far to logits for the next token at each position."""

    def __init__(self, config):
        super().__init__()
        self.config = config
        size = config.target_vocabulary_size or config.vocabulary_size
        self.source = TextInput(config.vocabulary_size, config.d_model, config.dropout)
        self.target = TextInput(size, config.d_model, config.dropout)
        if config.target_vocabulary_size is None:  # one vocabulary, and so one table
            self.target.embedding = self.source.embedding
        self.encoder = Stack(EncoderLayer, config)
        self.decoder = Stack(DecoderLayer, config)
        self.output = nn.Linear(config.d_model, size, bias=False)
        if config.tied:
            self.output.weight = self.target.embedding.table

    def encode(self, source):
        mask = (source != 0).unsqueeze(1)
        return self.encoder(self.source(source), mask), mask

    def decode(self, target, memory, memory_mask=None):
        n = target.shape[1]
        causal = torch.ones(n, n, dtype=torch.bool, device=target.device).tril()
        return self.output(self.decoder(self.target(target), memory, causal, memory_mask))

    def forward(self, source, target):
        return self.decode(target, *self.encode(source))


def smoothed_loss(logits, labels, pad, smoothing):
    """Mean cross-entropy with label smoothing; padding does not count."""
    real = labels != pad
    log_p, labels = logits[real].log_softmax(-1), labels[real]
    of_label = log_p.gather(-1, labels[:, None])[:, 0]
    return -((1 - smoothing) * of_label + smoothing * log_p.mean(-1)).mean()


def clip_gradients(gradients, limit):
    """Scale the gradients in place so that their global norm is at most the limit."""
    norm = sum((gradient**2).sum() for gradient in gradients) ** 0.5
    if norm > limit:
        for gradient in gradients:
            gradient *= limit / norm


def adamw_step(parameters, gradients, state, lr, betas, eps, weight_decay):
    """Take one step of AdamW: change the parameters and the state in place."""
    state["step"] += 1
    beta_1, beta_2 = betas
    m_scale, v_scale = 1 - beta_1 ** state["step"], 1 - beta_2 ** state["step"]
    for parameter, grad, m, v in zip(parameters, gradients, state["m"], state["v"], strict=True):
        m *= beta_1
        m += (1 - beta_1) * grad
        v *= beta_2
        v += (1 - beta_2) * grad**2
        parameter *= 1 - lr * weight_decay
        parameter -= lr * (m / m_scale) / ((v / v_scale) ** 0.5 + eps)


def learning_rate(step, peak, warmup, steps):
    """The learning rate of a step: warm-up, then linear decay."""
    return peak * min((step + 1) / warmup, (steps - step) / (steps - warmup))  # the lower one


def generate(step, begin, end, limit, choose=torch.argmax):
    """The new ids that follow those of begin: up to end, and at most limit."""
    generated = []
    while len(generated) < limit and end not in generated:
        generated.append(int(choose(step([*begin, *generated]))))
    return generated


def next_probabilities(logits, temperature, p):
    """The softmax at a temperature, cut to the fewest tokens that together have at least p."""
    ranked, order = (logits / temperature).softmax(-1).sort(descending=True)
    ahead = ranked.cumsum(-1) - ranked  # the sum of those before each one
    kept = torch.where(ahead < p, ranked, 0)
    return torch.zeros_like(kept).scatter(-1, order, kept / kept.sum())


class CachedGPT(GPT):
    """A GPT that reads only new tokens, with a key–value cache for each block."""

    def attend(self, attention, x, cache):
        """Causal self-attention of new tokens (b, n, d), which also see all earlier ones."""
        q, k, v = (attention.split(w(x)) for w in (attention.w_q, attention.w_k, attention.w_v))
        if cache:
            k = torch.cat([cache["key"], k], dim=2)
            v = torch.cat([cache["value"], v], dim=2)
        cache["key"], cache["value"] = k, v
        n, m = q.shape[2], k.shape[2]
        mask = torch.ones(n, m, dtype=torch.bool, device=x.device).tril(m - n)
        heads = F.scaled_dot_product_attention(q, k, v, mask)
        return attention.w_o(heads.transpose(1, 2).flatten(2))

    def forward(self, tokens, caches):
        start = caches[0]["key"].shape[2] if caches[0] else 0
        positions = torch.arange(start, start + tokens.shape[1], device=tokens.device)
        x = self.tokens(tokens) + self.positions(positions)
        for block, cache in zip(self.blocks, caches, strict=True):
            x = x + self.attend(block.attention, block.norm_1(x), cache)
            x = x + block.feed_forward(block.norm_2(x))
        return self.output(self.final_norm(x))


def merge(pieces, left, right):
    """The pieces, with left and right joined wherever they are neighbours."""
    joined, i = [], 0
    while i < len(pieces):
        found = pieces[i : i + 2] == [left, right]
        joined.append(left + right if found else pieces[i])
        i += 2 if found else 1
    return joined


def train_merges(words, num_merges):
    """The pairs to merge, in the order in which they are merged."""
    pieces = {word: list(word) for word in words}
    merges = []
    for _ in range(num_merges):
        counts = {}
        for word, count in words.items():
            for pair in zip(pieces[word], pieces[word][1:], strict=False):
                counts[pair] = counts.get(pair, 0) + count
        if not counts:
            break
        merges.append(max(counts, key=lambda pair: (counts[pair], pair)))
        pieces = {word: merge(pieces[word], *merges[-1]) for word in words}
    return merges


def encode_word(word, merges):
    """The pieces of a word."""
    pieces = list(word)
    for pair in merges:
        pieces = merge(pieces, *pair)
    return pieces


def decode_ids(ids, tokens):
    """The text of the ids."""
    return "".join(tokens[i] for i in ids).encode("latin-1").decode("utf-8", errors="replace")


class RMSNorm(nn.Module):
    """Divide each token's vector by its root mean square, then scale by gamma."""

    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.gamma = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        mean_square = (x**2).mean(dim=-1, keepdim=True)
        return self.gamma * x / torch.sqrt(mean_square + self.eps)


class SwiGLU(nn.Module):
    """A feed-forward network with a gate."""

    def __init__(self, d_model, d_ff):
        super().__init__()
        self.w_gate = nn.Linear(d_model, d_ff, bias=False)
        self.w_up = nn.Linear(d_model, d_ff, bias=False)
        self.w_down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        return self.w_down(F.silu(self.w_gate(x)) * self.w_up(x))


@functools.lru_cache(maxsize=1)
def rotation_angles(n, width, device):
    """How far each pair turns at each position: (n, width / 2), in float32."""
    pairs = torch.arange(0, width, 2, dtype=torch.float32, device=device)
    positions = torch.arange(n, dtype=torch.float32, device=device)
    return positions[:, None] / 10000 ** (pairs / width)


def rotate(x):
    """Rotate each pair of numbers of x, (b, heads, n, width), by the position of its token."""
    angles = rotation_angles(x.shape[-2], x.shape[-1], x.device)
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    first, second = x[..., 0::2], x[..., 1::2]
    turned = first * cos - second * sin, first * sin + second * cos
    return torch.stack(turned, dim=-1).flatten(-2)


class GroupedAttention(nn.Module):
    """Self-attention with rotary positions; groups of heads share keys and values."""

    def __init__(self, d_model, num_heads, num_groups):
        super().__init__()
        self.num_heads, self.num_groups = num_heads, num_groups
        width = d_model // num_heads
        if width % 2:
            raise ValueError(f"each head needs an even width for its pairs, got {width}")
        self.w_q = nn.Linear(d_model, d_model, bias=False)
        self.w_k = nn.Linear(d_model, num_groups * width, bias=False)
        self.w_v = nn.Linear(d_model, num_groups * width, bias=False)
        self.w_o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, query, key, value, mask=None):
        b, n, _ = query.shape
        q = self.w_q(query).reshape(b, n, self.num_heads, -1).transpose(1, 2)
        k = self.w_k(key).reshape(b, n, self.num_groups, -1).transpose(1, 2)
        v = self.w_v(value).reshape(b, n, self.num_groups, -1).transpose(1, 2)
        q, k = rotate(q), rotate(k)
        heads_per_group = self.num_heads // self.num_groups
        k = k.repeat_interleave(heads_per_group, dim=1)
        v = v.repeat_interleave(heads_per_group, dim=1)
        heads = F.scaled_dot_product_attention(q, k, v, mask)
        return self.w_o(heads.transpose(1, 2).flatten(2))


class LlamaBlock(Block):
    """The block of stage B4 with other parts."""

    def __init__(self, d_model, num_heads, num_groups, d_ff):
        super().__init__(d_model, num_heads, d_ff)
        self.norm_1 = RMSNorm(d_model)
        self.attention = GroupedAttention(d_model, num_heads, num_groups)
        self.norm_2 = RMSNorm(d_model)
        self.feed_forward = SwiGLU(d_model, d_ff)


class Llama(nn.Module):
    """A language model like GPT, with the parts of the Llama models."""

    def __init__(self, vocabulary_size, d_model, num_heads, num_groups, num_layers, d_ff):
        super().__init__()
        self.tokens = nn.Embedding(vocabulary_size, d_model)
        nn.init.normal_(self.tokens.weight, std=0.02)
        self.blocks = nn.ModuleList(
            LlamaBlock(d_model, num_heads, num_groups, d_ff) for _ in range(num_layers)
        )
        self.final_norm = RMSNorm(d_model)
        self.output = nn.Linear(d_model, vocabulary_size, bias=False)

    def forward(self, tokens):
        x = self.tokens(tokens)
        for block in self.blocks:
            x = block(x)
        return self.output(self.final_norm(x))


WORD = re.compile(r" ?[^\W\d_]+| ?(?:[\d_]|[^\w\s])+|\s")


def split(text):
    """The words, each with the space before it, in byte characters. Joined, they are the text."""
    return [word.encode("utf-8").decode("latin-1") for word in WORD.findall(text)]


class Tokenizer:
    """Byte pairs that were learned from a text: text to ids, and back."""

    def __init__(self, merges):
        self.merges = merges
        self.tokens = [chr(byte) for byte in range(256)] + [left + right for left, right in merges]
        self.ids = {token: number for number, token in enumerate(self.tokens)}
        self.known = {}  # the ids of words that were encoded before

    def __len__(self):
        return len(self.tokens)

    @classmethod
    def train(cls, text, num_merges):
        return cls(train_merges(Counter(split(text)), num_merges))

    def encode(self, text):
        ids = []
        for word in split(text):
            if word not in self.known:
                merges = [(left, right) for left, right in self.merges if left + right in word]
                self.known[word] = [self.ids[piece] for piece in encode_word(word, merges)]
            ids += self.known[word]
        return ids

    def decode(self, ids):
        return decode_ids(ids, self.tokens)

    def to_json(self):
        return json.dumps(self.merges)

    @classmethod
    def from_json(cls, text):
        return cls([tuple(pair) for pair in json.loads(text)])


@torch.no_grad()
def generate_text(model, tokenizer, prompt, count, length, temperature=0.8, p=0.9, rows=4):
    """Several texts that begin with the prompt."""
    model.eval()
    device = next(model.parameters()).device
    ids = torch.tensor([tokenizer.encode(prompt)] * rows, device=device)
    for _ in range(count):
        logits = model(ids[:, -length:])[:, -1]
        probabilities = torch.stack([next_probabilities(row, temperature, p) for row in logits])
        ids = torch.cat([ids, torch.multinomial(probabilities, 1)], dim=1)
    return [tokenizer.decode(row) for row in ids.tolist()]


def fit(model, optimizer, batch, rate, evaluate, save, steps, every, start=0, best=math.inf):
    """Train from step start on; return the lowest held-out loss."""
    model.train()
    for step in range(start, steps):
        for group in optimizer.param_groups:
            group["lr"] = rate(step)
        inputs, labels = batch(step)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), labels.flatten())
        if not torch.isfinite(loss):
            raise ValueError(f"the loss is {loss.item()} at step {step}; try a lower learning rate")
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        done = step + 1
        if done % every == 0 or done == steps:
            model.eval()
            train, held_out = evaluate(model)
            model.train()
            save(done, train, held_out, held_out < best)
            best = min(best, held_out)
    return best


def chat_tokens(turns, user, assistant, end):
    """The ids of a conversation, and for each of them whether the assistant writes it."""
    ids, written = [], []
    for question, answer in turns:
        given, said = [user, *question, assistant], [*answer, end]
        ids += given + said
        written += [False] * len(given) + [True] * len(said)
    return ids, written


def answer_loss(model, ids, written):
    """The mean cross-entropy over the tokens that the assistant writes."""
    if not written.any():
        raise ValueError(
            "nothing in this batch was written by the assistant; is the mask upside down?"
        )
    counts = written[:, 1:]
    return F.cross_entropy(model(ids)[:, :-1][counts], ids[:, 1:][counts])


class LoRALinear(nn.Module):
    """A frozen linear layer with a trained correction of low rank."""

    def __init__(self, base, rank, alpha):
        super().__init__()
        d_out, d_in = base.weight.shape
        self.base = base.requires_grad_(False)
        self.a = nn.Parameter(torch.randn(rank, d_in) / d_in**0.5)
        self.b = nn.Parameter(torch.zeros(d_out, rank))
        self.scale = alpha / rank

    def forward(self, x):
        return self.base(x) + self.scale * (x @ self.a.T @ self.b.T)


def log_prob(model, ids, written):
    """The log-probability of what the assistant writes in each row."""
    each = model(ids)[:, :-1].log_softmax(-1).gather(-1, ids[:, 1:, None])[..., 0]
    return (each * written[:, 1:]).sum(-1)


def dpo_loss(model, reference, chosen, rejected, beta):
    """How far the chosen answers lead, compared with the reference model."""
    with torch.no_grad():
        before = log_prob(reference, *chosen) - log_prob(reference, *rejected)
    lead = log_prob(model, *chosen) - log_prob(model, *rejected)
    return -F.logsigmoid(beta * (lead - before)).mean()


def advantages(rewards, group):
    """How much better each answer is than its group, in standard deviations."""
    rows = rewards.view(-1, group)
    difference = rows - rows.mean(dim=1, keepdim=True)
    deviation = rows.std(dim=1, keepdim=True, correction=0)
    return (difference / deviation.clamp(min=1e-6)).flatten()


def log_probs(model, ids):
    """The log-probability of each token but the first, given those before it."""
    return model(ids)[:, :-1].log_softmax(-1).gather(-1, ids[:, 1:, None])[..., 0]


def policy_loss(model, reference, ids, written, sampled, advantages, clip, kl_weight):
    """The clipped policy loss, and what it costs to leave the reference."""
    now, counts = log_probs(model, ids), written[:, 1:]
    with torch.no_grad():
        start = log_probs(reference, ids)
    ratio, a = (now - sampled).exp(), advantages[:, None]
    cost = -torch.minimum(ratio * a, ratio.clamp(1 - clip, 1 + clip) * a)
    d = start - now
    cost = cost + kl_weight * (d.exp() - d - 1)
    return ((cost * counts).sum(1) / counts.sum(1)).mean()


def pass_at_k(right, k):
    """For each prompt, the probability that k of its answers hold a right one."""
    n = right.shape[1]
    return torch.tensor([1 - math.comb(n - c, k) / math.comb(n, k) for c in right.sum(1).tolist()])


class Experts(nn.Module):
    """A mixture of experts: each token goes through k of several networks."""

    def __init__(self, d_model, d_ff, num_experts, k):
        super().__init__()
        if not 1 <= k <= num_experts:
            raise ValueError(f"each token needs 1 to {num_experts} of the experts, got k = {k}")
        self.k = k
        self.experts = nn.ModuleList(SwiGLU(d_model, d_ff) for _ in range(num_experts))
        self.router = nn.Linear(d_model, num_experts, bias=False)

    def forward(self, x):
        scores = self.router(x)
        best, chosen = scores.topk(self.k, dim=-1)
        weights = torch.zeros_like(scores).scatter(-1, chosen, best.softmax(-1))
        return sum(weights[..., [i]] * expert(x) for i, expert in enumerate(self.experts))

    def balance(self, x):
        """How unevenly the experts are used: 1 if all are used equally."""
        scores = self.router(x)
        chosen = scores.topk(self.k, dim=-1).indices.flatten()
        shares = chosen.bincount(minlength=len(self.experts)) / len(chosen)
        return len(self.experts) * (shares * scores.softmax(-1).flatten(0, -2).mean(0)).sum()


class Int8Linear(nn.Module):
    """A linear layer whose weight takes one byte per number, and one scale per row."""

    def __init__(self, linear):
        super().__init__()
        weight = linear.weight.detach()
        scale = weight.abs().amax(1, keepdim=True) / 127
        codes = (weight / scale.clamp(min=1e-12)).round()
        self.register_buffer("weight", codes.to(torch.int8))
        self.register_buffer("scale", scale)
        self.bias = linear.bias

    def forward(self, x):
        return F.linear(x, self.weight.to(x.dtype) * self.scale, self.bias)


def speculative(p, q, drafted, chances):
    """The drafted tokens that are kept, and the distribution of one more."""
    if p.shape[-1] != q.shape[-1]:
        raise ValueError(
            f"the draft has a vocabulary of {q.shape[-1]} tokens, the model of {p.shape[-1]}"
        )
    for i, (token, chance) in enumerate(zip(drafted, chances, strict=True)):
        if chance >= p[i, token] / q[i, token]:
            missing = (p[i] - q[i]).clip(0)
            return drafted[:i], missing / missing.sum()
    return drafted, p[-1]
