"""Write a small random Llama, and what the `transformers` package computes with it, to experiments/small_llama.

``python tools/llama_reference.py`` needs the extra ``bench``. Stage B9 and its tests read the files, so they do without it.
"""

import json
from pathlib import Path

import safetensors.torch
import torch
from transformers import LlamaConfig, LlamaForCausalLM

FOLDER = Path(__file__).parents[1] / "transformer_course" / "experiments" / "small_llama"
SIZES = {"vocabulary_size": 29, "d_model": 24, "num_heads": 6, "num_groups": 2, "num_layers": 3, "d_ff": 20}
EPS = 1e-5


def main() -> None:
    torch.manual_seed(0)
    names = (
        "vocab_size",
        "hidden_size",
        "num_attention_heads",
        "num_key_value_heads",
        "num_hidden_layers",
        "intermediate_size",
    )
    renamed = dict(zip(names, SIZES.values(), strict=True))
    options = {"rms_norm_eps": EPS, "bos_token_id": None, "eos_token_id": None, "tie_word_embeddings": False}
    theirs = LlamaForCausalLM(LlamaConfig(**renamed, **options)).eval()
    for parameter in theirs.parameters():  # norms are random too, so that none can be left out without a difference
        torch.nn.init.normal_(parameter, mean=0.1, std=0.5)
    tokens = torch.randint(SIZES["vocabulary_size"], (2, 11))
    with torch.no_grad():
        result = {"tokens": tokens, "logits": theirs(tokens).logits}
    weights = {name: weight.clone() for name, weight in theirs.state_dict().items()}
    safetensors.torch.save_file(weights, FOLDER / "model.safetensors")
    safetensors.torch.save_file(result, FOLDER / "reference.safetensors", {"sizes": json.dumps(SIZES)})


if __name__ == "__main__":
    main()
