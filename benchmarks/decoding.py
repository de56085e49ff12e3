"""Compare tokens generated per second: with our cache, without a cache, and with transformers' `generate`."""

import torch

from benchmarks.side_by_side import compare
from benchmarks.stage import names_of
from benchmarks.training import TorchGPT
from transformer_course.decoding import greedy
from transformer_course.embedding import Vocabulary
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


def of_the_build(length: int, rounds: int) -> None:
    """Compare the code that learners write in stage B7 with the library's, and with torch's layers, which have no cache."""
    names = names_of("B7")
    sizes = {"vocabulary_size": VOCABULARY, "max_length": length + 1, "d_model": D_MODEL, "num_heads": HEADS,
             "num_layers": LAYERS, "d_ff": 4 * D_MODEL}  # fmt: skip
    library = GPT(TransformerConfig(**sizes, dropout=0.0, norm="pre", positions="learned")).eval()
    library.output.weight.data[Vocabulary.end] = 0.0  # a logit of 0 is never the highest, so nothing ends early
    plain, cached, torch_gpt = names["GPT"](**sizes), names["CachedGPT"](**sizes), TorchGPT(length + 1).eval()

    def with_the_library() -> None:
        assert len(greedy(library, torch.tensor([[1]]), length)[0]) == length

    def generate(step) -> None:
        with torch.inference_mode():
            assert len(names["generate"](step, [1], -1, length)) == length

    def rerun(model):
        return lambda: generate(lambda ids: model(torch.tensor([ids]))[0, -1])

    def with_cache() -> None:
        caches = [{} for _ in cached.blocks]
        generate(lambda ids: cached(torch.tensor([ids[-1:]]), caches)[0, -1])

    programs = {
        "transformer_course, with the cache": with_the_library,
        "the Build's CachedGPT": with_cache,
        "the Build's GPT, rerunning the prefix": rerun(plain),
        "nn.TransformerEncoder, rerunning the prefix": rerun(torch_gpt),
    }
    title = f"The Build generates {length} tokens: {LAYERS} layers, d {D_MODEL}, {torch.get_num_threads()} threads"
    compare(title, programs, "tokens", length, rounds)


def run() -> None:
    for length in (128, 512):
        of_the_build(length, rounds=5)
    for length, batch, stride in ((512, 1, 1), (1024, 1, 2), (512, 8, 4), (1024, 8, 16)):
        generation(length, batch, stride, rounds=5)
