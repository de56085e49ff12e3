"""Compare training speed: our GPT and encoder–decoder, and models of the same sizes from other libraries."""

import warnings
from functools import partial

import torch
from torch import nn

from benchmarks.side_by_side import compare
from benchmarks.stage import names_of
from transformer_course import build_parts
from transformer_course.data.windows import random_windows
from transformer_course.experiments import build_prose as prose
from transformer_course.family import GPT
from transformer_course.training import continuation_loss, sequence_loss, shift, train, translation_loss
from transformer_course.transformer import Transformer, TransformerConfig

D_MODEL, HEADS, LAYERS, D_FF = 128, 4, 4, 512
LENGTH, BATCH, VOCABULARY = 64, 32, 65


class TorchGPT(nn.Module):
    def __init__(self, max_length: int = LENGTH):
        super().__init__()
        self.tokens, self.positions = nn.Embedding(VOCABULARY, D_MODEL), nn.Embedding(max_length, D_MODEL)
        layer = nn.TransformerEncoderLayer(D_MODEL, HEADS, D_FF, 0.0, batch_first=True, norm_first=True)
        self.stack = nn.TransformerEncoder(layer, LAYERS, nn.LayerNorm(D_MODEL), enable_nested_tensor=False)
        self.output = nn.Linear(D_MODEL, VOCABULARY, bias=False)
        self.register_buffer("mask", nn.Transformer.generate_square_subsequent_mask(max_length))

    def forward(self, tokens):
        n = tokens.shape[1]
        x = self.tokens(tokens) + self.positions.weight[:n]
        return self.output(self.stack(x, mask=self.mask[:n, :n], is_causal=True))


class TorchTransformer(nn.Module):
    def __init__(self, config: TransformerConfig):
        super().__init__()
        self.source, self.target = (nn.Embedding(config.vocabulary_size, config.d_model) for _ in range(2))
        self.positions = nn.Embedding(config.max_length, config.d_model)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about nested tensors, which do not work with pre-norm
            sizes = config.d_model, config.num_heads, config.num_layers, config.num_layers, config.d_ff
            self.stacks = nn.Transformer(*sizes, dropout=0.0, batch_first=True, norm_first=True)
        self.output = nn.Linear(config.d_model, config.vocabulary_size, bias=False)

    def forward(self, source, target):
        n, m = source.shape[1], target.shape[1]
        hidden = source == 0
        x = self.stacks(
            self.source(source) + self.positions.weight[:n],
            self.target(target) + self.positions.weight[:m],
            tgt_mask=nn.Transformer.generate_square_subsequent_mask(m),
            src_key_padding_mask=hidden.float().masked_fill(hidden, float("-inf")),
            memory_key_padding_mask=hidden.float().masked_fill(hidden, float("-inf")),
            tgt_is_causal=True,
        )
        return self.output(x)


def hugging_face():
    from transformers import GPT2Config, GPT2LMHeadModel

    sizes = {"vocab_size": VOCABULARY, "n_positions": LENGTH, "n_embd": D_MODEL, "n_layer": LAYERS, "n_head": HEADS}
    no_dropout = {"resid_pdrop": 0.0, "embd_pdrop": 0.0, "attn_pdrop": 0.0}
    ends = {"bos_token_id": 1, "eos_token_id": 2, "use_cache": False}
    config = GPT2Config(**sizes, **no_dropout, **ends, activation_function="relu", attn_implementation="sdpa")
    return GPT2LMHeadModel(config)


def x_transformers():
    from x_transformers import Decoder, TransformerWrapper

    stack = Decoder(
        dim=D_MODEL, depth=LAYERS, heads=HEADS, attn_dim_head=D_MODEL // HEADS, attn_flash=True, ff_custom_activation=nn.ReLU()
    )
    return TransformerWrapper(num_tokens=VOCABULARY, max_seq_len=LENGTH, attn_layers=stack)


def step(model: nn.Module, loss_of):
    """Return a function that takes one step, as `training.train` does."""
    model.train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, betas=(0.9, 0.98))

    def run() -> None:
        optimizer.zero_grad()
        loss_of(model).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()

    return run


def step_of_the_build(config: TransformerConfig, source: torch.Tensor, target: torch.Tensor):
    """Return a function that takes one step with the code that learners write in stages B5 and B6."""
    names = names_of("B6")
    model = names["Transformer"](config).train()
    parameters = list(model.parameters())
    state = names["new_state"](parameters)
    inputs, labels = shift(target)

    def run() -> None:
        model.zero_grad()
        names["smoothed_loss"](model(source, inputs), labels, pad=0, smoothing=0.0).backward()
        gradients = [parameter.grad for parameter in parameters]
        with torch.no_grad():
            names["clip_gradients"](gradients, 1.0)
            names["adamw_step"](parameters, gradients, state, 1e-4, (0.9, 0.98), 1e-8, 0.01)

    return run


def gpt(rounds: int = 40) -> None:
    text = torch.randint(4, VOCABULARY, (BATCH, LENGTH))

    def loss_of(model):
        return continuation_loss(model, text)

    config = TransformerConfig(
        vocabulary_size=VOCABULARY, d_model=D_MODEL, num_heads=HEADS, num_layers=LAYERS, d_ff=D_FF, max_length=LENGTH,
        dropout=0.0, norm="pre", positions="learned",
    )  # fmt: skip
    programs = {
        "transformer_course.GPT": step(GPT(config), loss_of),
        "nn.TransformerEncoder, causal": step(TorchGPT(), loss_of),
        "x-transformers Decoder": step(x_transformers(), loss_of),
        "transformers GPT2LMHeadModel": step(hugging_face(), lambda m: continuation_loss(lambda x: m(x).logits, text)),
    }
    sizes = (
        f"{LAYERS} layers, {HEADS} heads, d {D_MODEL}, {LENGTH} tokens, batch {BATCH}, fp32, {torch.get_num_threads()} threads"
    )
    compare(f"Training a GPT: {sizes}", programs, "tokens", BATCH * LENGTH, rounds)


def encoder_decoder(rounds: int = 40) -> None:
    source, target = (torch.randint(4, 40, (64, 16)) for _ in range(2))
    source[::3, 12:] = 0
    config = TransformerConfig(
        vocabulary_size=40, target_vocabulary_size=40, d_model=D_MODEL, num_heads=HEADS, num_layers=2, d_ff=D_FF,
        max_length=64, dropout=0.0, norm="pre", tied=False,
    )  # fmt: skip
    programs = {
        "transformer_course.Transformer": step(Transformer(config), lambda m: translation_loss(m, source, target)),
        "nn.Transformer": step(TorchTransformer(config), lambda m: translation_loss(m, source, target)),
        "the Build's Transformer and AdamW": step_of_the_build(config, source, target),
    }
    sizes = f"2 + 2 layers, 4 heads, d 128, 16 + 16 tokens, batch 64, fp32, {torch.get_num_threads()} threads"
    compare(f"Training an encoder–decoder: {sizes}", programs, "tokens", target.numel(), rounds)


def loop_of_the_build(rounds: int = 15, steps: int = 3) -> None:
    """Compare the model and the loop that learners write (`fit` of stage B10) with the library's, at the sizes of stage B8."""
    vocabulary, text = 1280, torch.randint(4, 1280, (10_000,))
    choices = {"dropout": 0.0, "norm": "pre", "positions": "learned", "tied": False}
    config = TransformerConfig(vocabulary_size=vocabulary, **prose.SIZES, **choices)
    ours, theirs = GPT(config), build_parts.GPT(vocabulary, **prose.SIZES)

    def with_the_library(model: nn.Module) -> None:
        windows = partial(random_windows, text, BATCH, prose.LENGTH, torch.Generator().manual_seed(0))
        train(model, iter(windows, None), lambda model, x, y: sequence_loss(model(x), y), steps, lr=1e-4)

    def with_fit(model: nn.Module) -> None:
        def batch(step: int):
            starts = torch.randint(len(text) - prose.LENGTH, (BATCH,), generator=torch.Generator().manual_seed(step))
            return build_parts.get_batch(text, starts.tolist(), prose.LENGTH)

        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
        rate, evaluate, save = (lambda step: 1e-4), (lambda model: (0.0, 0.0)), (lambda *row: None)
        build_parts.fit(model, optimizer, batch, rate, evaluate, save, steps, every=steps)

    programs = {
        "transformer_course.GPT and train": partial(with_the_library, ours),
        "the Build's GPT and fit": partial(with_fit, theirs),
        "transformer_course.GPT and the Build's fit": partial(with_fit, ours),
    }
    sizes = f"4 layers, d 128, {prose.LENGTH} tokens, batch {BATCH}, {torch.get_num_threads()} threads"
    compare(f"The Build's loop: {sizes}", programs, "tokens", steps * BATCH * prose.LENGTH, rounds)
