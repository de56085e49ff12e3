"""Write what the `transformers` package computes with small random GPT-2s, and how it splits a text.

``python tools/gpt2_reference.py`` needs the extra ``bench``. It writes tests/library/gpt2, with which the tests compare, and
transformer_course/experiments/small_gpt2, with which GPT-2's notebook does where there is no network: files with the names and
the layout of the published ones, and random numbers.
"""

import json
from pathlib import Path

import safetensors.torch
import torch
from tokenizers import ByteLevelBPETokenizer
from transformers import GPT2Config, GPT2LMHeadModel

FOLDER = Path(__file__).parents[1] / "tests" / "library" / "gpt2"
SMALL = Path(__file__).parents[1] / "transformer_course" / "experiments" / "small_gpt2"
SIZES = {
    "a": {"vocabulary_size": 29, "max_length": 7, "d_model": 16, "num_heads": 4, "num_layers": 2},
    "b": {"vocabulary_size": 301, "max_length": 12, "d_model": 24, "num_heads": 2, "num_layers": 3},
}
TEXT = "It's the year 1984, and we'll say: \"Zoë doesn't know x² or snake_case.\"\n\n  日本   is Japan;  flags: 🎏!!\t½ ٣ Ⅷ \n"


def model(sizes: dict[str, int]) -> GPT2LMHeadModel:
    """A GPT-2 whose biases and norms are random too, so that none can be left out without a difference."""
    names = ("vocab_size", "n_positions", "n_embd", "n_head", "n_layer")
    renamed = dict(zip(names, sizes.values(), strict=True))
    result = GPT2LMHeadModel(GPT2Config(**renamed, bos_token_id=None, eos_token_id=None)).eval()
    for parameter in result.parameters():
        torch.nn.init.normal_(parameter, mean=0.1, std=0.5)
    return result


SMALL_SIZES = {"vocabulary_size": 385, "max_length": 64, "d_model": 32, "num_heads": 4, "num_layers": 2}
SENTENCES = """The best way to learn is to build something, to break it, and to find out why it broke.
In the middle of the night, somebody reads a letter by the light of a candle.
Python is a language in which a short program can say a great deal.
The model reads the whole text, and then it writes the next token, and the next, and the next.
It's unbelievable, they say, that the weights of a model are nothing but numbers.
We'll see what the network learns, and what it doesn't; there are 12 blocks, and each of them has 12 heads.
"""


def main() -> None:
    references()
    small()


def small() -> None:
    """A model of the published layout: no output layer, names without "transformer.", and a mask in each layer."""
    SMALL.mkdir(exist_ok=True)
    tokenizer = ByteLevelBPETokenizer()
    tokenizer.train_from_iterator(
        [SENTENCES * 2], SMALL_SIZES["vocabulary_size"] - 1, 2, show_progress=False, special_tokens=[]
    )
    tokenizer.save_model(str(SMALL))
    vocabulary = json.loads((SMALL / "vocab.json").read_text(encoding="utf-8"))
    vocabulary["<|endoftext|>"] = len(vocabulary)
    assert len(vocabulary) == SMALL_SIZES["vocabulary_size"]
    (SMALL / "vocab.json").write_text(json.dumps(vocabulary), encoding="utf-8")
    torch.manual_seed(0)
    theirs = model(SMALL_SIZES)
    tokens = torch.tensor([tokenizer.encode(SENTENCES).ids[:20]])
    with torch.no_grad():
        logits = theirs(tokens).logits
    weights = {key.removeprefix("transformer."): weight.clone() for key, weight in theirs.state_dict().items()}
    del weights["lm_head.weight"]
    length = SMALL_SIZES["max_length"]
    for layer in range(SMALL_SIZES["num_layers"]):
        weights[f"h.{layer}.attn.bias"] = torch.ones(1, 1, length, length).tril()
    safetensors.torch.save_file(weights, SMALL / "model.safetensors")
    notes = {"sizes": json.dumps(SMALL_SIZES)}
    safetensors.torch.save_file({"tokens": tokens, "logits": logits}, SMALL / "reference.safetensors", notes)


def references() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, sizes in SIZES.items():
        torch.manual_seed(0)
        theirs = model(sizes)
        tokens = torch.randint(sizes["vocabulary_size"], (2, sizes["max_length"]))
        tokens[0, :2] = 0  # an id like any other
        with torch.no_grad():
            result = {"tokens": tokens, "logits": theirs(tokens).logits}
        weights = {key: weight.clone() for key, weight in theirs.state_dict().items()}
        notes = {"sizes": json.dumps(sizes)}
        safetensors.torch.save_file(weights | result, FOLDER / f"{name}.safetensors", notes)
    tokenizer = ByteLevelBPETokenizer()
    tokenizer.train_from_iterator([TEXT * 3], 300, 2, show_progress=False, special_tokens=[])
    tokenizer.save_model(str(FOLDER))
    vocabulary = json.loads((FOLDER / "vocab.json").read_text(encoding="utf-8"))
    vocabulary["<|endoftext|>"] = len(vocabulary)
    assert len(vocabulary) == SIZES["b"]["vocabulary_size"]
    (FOLDER / "vocab.json").write_text(json.dumps(vocabulary), encoding="utf-8")
    encoded = {"text": TEXT, "ids": tokenizer.encode(TEXT).ids}
    (FOLDER / "encoded.json").write_text(json.dumps(encoded), encoding="utf-8")


if __name__ == "__main__":
    main()
