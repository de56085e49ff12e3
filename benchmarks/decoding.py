"""Compare tokens generated per second: with our cache, without a cache, and with transformers' `generate`."""

import torch

from benchmarks.side_by_side import compare
from transformer_course.decoding import greedy
from transformer_course.family import GPT
from transformer_course.transformer import TransformerConfig

D_MODEL, HEADS, LAYERS, VOCABULARY = 128, 4, 4, 65


def generation(length: int, batch: int, stride: int, rounds: int) -> None:
    from transformers import GPT2Config, GPT2LMHeadModel

    config = TransformerConfig(
        vocabulary_size=VOCABULARY, d_model=D_MODEL, num_heads=HEADS, num_layers=LAYERS, d_ff=4 * D_MODEL,
        max_length=length + 1, dropout=0.0, norm="pre", positions="learned",
    )  # fmt: skip
    ours = GPT(config).eval()
    theirs = GPT2LMHeadModel(
        GPT2Config(
            vocab_size=VOCABULARY, n_positions=length + 1, n_embd=D_MODEL, n_layer=LAYERS, n_head=HEADS,
            activation_function="relu", attn_implementation="sdpa", bos_token_id=1, eos_token_id=None, pad_token_id=0,
        )
    ).eval()  # fmt: skip
    prompt = torch.full((batch, 1), 1)

    def cached() -> None:
        assert all(len(text) == length for text in greedy(ours, prompt, length))

    @torch.inference_mode()
    def rerun() -> float:
        text = torch.full((batch, length + 1), 5)
        text[:, 0] = 1
        for end in range(stride, length + 1, stride):  # only one step in ``stride``, because there are many slow steps
            text[:, end] = ours(text[:, :end])[:, -1].argmax(-1)
        return 1 / stride

    def generate() -> None:
        text = theirs.generate(prompt, max_new_tokens=length, min_new_tokens=length, do_sample=False)
        assert text.shape == (batch, length + 1)

    without_cache = "rerunning the prefix" + (f" (1 step of {stride})" if stride > 1 else "")
    programs = {"greedy, with the cache": cached, without_cache: rerun, "transformers generate": generate}
    sizes = f"{LAYERS} layers, d {D_MODEL}, batch {batch}, {torch.get_num_threads()} threads"
    compare(f"Generating {length} tokens: {sizes}", programs, "tokens", batch * length, rounds)


def run() -> None:
    for length, batch, stride in ((512, 1, 1), (1024, 1, 2), (512, 8, 4), (1024, 8, 16)):
        generation(length, batch, stride, rounds=5)
