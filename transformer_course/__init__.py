"""The Transformer, part by part: the library behind the lessons of transformer-course.

``import transformer_course`` is instant: a part (and torch with it) is loaded when it is first used.
"""

import importlib

PARTS = (
    *("positions", "masks", "cache", "attention", "embedding", "layers", "config", "transformer", "family"),
    *("generation_state", "beam", "decoding", "speculative", "quantization", "weights", "training"),
    *("chat", "lora", "rewards", "inspection", "byte_pairs", "gpt2", "data", "models", "exercises", "figures"),
)


def __getattr__(name: str):
    if name in PARTS:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"transformer_course has no part {name!r}; its parts are {', '.join(PARTS)}")


def __dir__() -> list[str]:
    return sorted([*globals(), *PARTS])
