"""What GPT-2 writes: recorded where there is a network, with the code and the seed, and shown where there is none.

``python tools/gpt2_completions.py`` downloads GPT-2 and writes ``gpt2_completions.json`` beside this file. GPT-2's notebook
also works without that file.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path

import torch

from transformer_course import byte_pairs, gpt2, weights
from transformer_course.decoding import next_token_distribution
from transformer_course.family import GPT

FILE = Path(__file__).with_suffix(".json")
PROMPTS = (
    "The best way to learn is",
    "In the middle of the night,",
    "Python is a language",
    "The capital of France is",
    "Question: How many legs does a spider have?\nAnswer:",
    "English: Where is the station?\nFrench:",
)
COUNT, TOP_P, SEED = 40, 0.9, 0


def record(
    files: Mapping[str, Path],
    sizes: Mapping[str, int] = gpt2.SIZES,
    prompts: Sequence[str] = PROMPTS,
    count: int = COUNT,
    file: Path = FILE,
) -> None:
    """Let the library's GPT write ``count`` tokens after each prompt, and keep what it wrote, and how, in ``file``.

    ``files`` are those of `gpt2.download`, and ``sizes`` those of its model.
    """
    model = GPT(gpt2.config(**sizes)).eval()
    gpt2.load_weights(model, weights.read(files["model.safetensors"])[1])
    tokens, merges = gpt2.read_tokenizer(files["vocab.json"], files["merges.txt"])
    ids = {token: number for number, token in enumerate(tokens)}
    written = []
    for prompt in prompts:
        text = [ids[piece] for word in gpt2.split(prompt) for piece in _pieces(word, merges)]
        text += _drawn(model, text, count)
        written.append("".join(tokens[number] for number in text).encode("latin-1").decode("utf-8", "replace"))
    found = {
        "recorded": date.today().isoformat(),
        "code": {"file": "transformer_course/experiments/gpt2_completions.py", "sha256": _code()},
        "model": {"address": gpt2.ADDRESS, "sha256": gpt2.FILES["model.safetensors"]},
        "torch": torch.__version__,
        **{"seed": SEED, "top_p": TOP_P, "tokens": count, "written": written},
    }
    file.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _pieces(word: str, merges: Sequence[byte_pairs.Pair]) -> list[str]:
    pieces = list(word)
    for left, right in merges:
        pieces = byte_pairs.merge(pieces, left, right) if left + right in word else pieces
    return pieces


@torch.no_grad()
def _drawn(model: GPT, text: Sequence[int], count: int) -> list[int]:
    caches, new, drawn = model.caches(len(text) + count), list(text), []
    generator = torch.Generator().manual_seed(SEED)
    while len(drawn) < count:
        probabilities = next_token_distribution(model(torch.tensor([new]), caches)[0, -1], top_p=TOP_P)
        new = [int(torch.multinomial(probabilities, 1, generator=generator))]
        drawn += new
    return drawn


def recorded(file: Path = FILE) -> str:
    """Return what is recorded, with the day, the code and the seed; or one sentence that nothing is."""
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
        how = f"{found['tokens']} tokens each, top-p {found['top_p']}, seed {found['seed']}"
        heading = f"Recorded on {found['recorded']}: GPT-2, {how} ({found['code']['file']})"
        return "\n\n".join([heading, *found["written"]])
    except (OSError, KeyError, TypeError, ValueError):
        return (
            "No completions of GPT-2 are recorded in this version of the course: they can only be made where there is a "
            "network. There, python tools/gpt2_completions.py records them."
        )


def _code() -> str:
    return hashlib.sha256(Path(__file__).read_bytes()).hexdigest()
