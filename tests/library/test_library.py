"""What holds for every module of the library: it says what it needs, what it gives and where it comes from."""

import importlib
import inspect

import pytest

PARTS = (
    *("byte_pairs", "positions", "cache", "masks", "attention", "inspection", "embedding", "layers", "config", "transformer"),
    *("family", "generation_state", "beam", "decoding", "weights", "gpt2", "training"),
)
NO_PAPER = {
    *("save_parameters", "attention_maps", "attentions", "count_parameters", "hooked", "perturbation_map", "padding_mask"),
    *("next_tokens_mask", "check_mask", "check_right_padding", "Vocabulary", "pad_right", "translation_loss", "exact_match"),
    *("continuation_loss", "save", "load", "DecodingState", "masked_loss", "classification_loss", "check_cached", "eval_mode"),
    *("split", "count_words", "count_pairs", "merge", "read", "by_stage_names", "copy_weights", "TokensSoFar"),
    *("config", "load_weights", "by_library_names", "read_tokenizer", "download"),  # of GPT-2, which its module cites
    *("Scheme", "scheme", "LayerNorm", "dropout", "greedy", "sample", "output_layer", "ViTConfig", "TransformerConfig"),
}


def public(part: str) -> list:
    module = importlib.import_module(f"transformer_course.{part}")
    own = [thing for thing in vars(module).values() if getattr(thing, "__module__", "") == module.__name__]
    return [thing for thing in own if inspect.isfunction(thing) or inspect.isclass(thing)]


@pytest.mark.parametrize("part", PARTS)
def test_every_public_name_says_what_it_gives_what_it_refuses_and_where_it_comes_from(part):
    for thing in public(part):
        if thing.__name__.startswith("_"):
            continue
        methods = [m for name, m in vars(thing).items() if inspect.isfunction(m) and not name.startswith("_")]
        methods = [m for m in methods if inspect.isclass(thing) and m.__qualname__.startswith(thing.__name__)]
        texts = [
            inspect.getdoc(thing) or "",
            *(inspect.getdoc(m) or "" for m in methods if len(inspect.getsource(m).splitlines()) > 6),
        ]
        assert all(texts), thing
        told = "\n".join(texts)
        if "raise ValueError" in inspect.getsource(thing):
            assert "Raises" in told or "raises" in told or "config" in thing.__name__.lower(), thing
        if thing.__name__ not in NO_PAPER:
            assert any(year in told for year in map(str, range(1989, 2025))), thing
    assert NO_PAPER - {thing.__name__ for p in PARTS for thing in public(p)} == set()
