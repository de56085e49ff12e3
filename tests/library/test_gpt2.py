"""GPT-2's weights and tokenizer, compared with what tools/gpt2_reference.py stored of the `transformers` package's own."""

import hashlib
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest
import torch

from transformer_course import build_parts, gpt2, weights
from transformer_course.decoding import greedy
from transformer_course.family import GPT

REFERENCE = Path(__file__).parent / "gpt2"
ENCODED = json.loads((REFERENCE / "encoded.json").read_text(encoding="utf-8"))


def stored(name: str) -> tuple[dict[str, int], dict[str, torch.Tensor], torch.Tensor, torch.Tensor]:
    """The sizes of a small GPT-2, its weights by the package's names, ids, and the package's logits for them."""
    notes, tensors = weights.read(REFERENCE / f"{name}.safetensors")
    return json.loads(notes["sizes"]), tensors, tensors.pop("tokens"), tensors.pop("logits")


def published(tensors: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """The same weights as in the published file: shorter names, no output layer, and a mask in each layer."""
    renamed = {name.removeprefix("transformer."): tensor for name, tensor in tensors.items() if name != "lm_head.weight"}
    layers = {name.split(".")[1] for name in renamed if name.startswith("h.")}
    return renamed | {f"h.{layer}.attn.bias": torch.ones(1, 1, 7, 7).tril() for layer in layers}


@pytest.mark.parametrize("names", [dict, published], ids=["package", "published file"])
@pytest.mark.parametrize("name", ["a", "b"])
def test_the_librarys_gpt_computes_what_gpt2_does(name, names):
    sizes, tensors, tokens, logits = stored(name)
    model = GPT(gpt2.config(**sizes)).eval()
    gpt2.load_weights(model, names(tensors))
    torch.testing.assert_close(model(tokens), logits, atol=1e-5, rtol=0)
    caches = model.caches(sizes["max_length"])
    steps = [model(tokens[:, i : i + 1], caches) for i in range(tokens.shape[1])]
    torch.testing.assert_close(torch.cat(steps, 1), logits, atol=1e-5, rtol=0)


def test_the_smallest_published_model_has_124_million_parameters():
    with torch.device("meta"):
        assert sum(p.numel() for p in GPT(gpt2.config(**gpt2.SIZES)).parameters()) == 124_439_808


def test_a_gpt2_is_saved_and_loaded_like_any_model(tmp_path):
    sizes, tensors, tokens, logits = stored("a")
    model = GPT(gpt2.config(**sizes))
    gpt2.load_weights(model, tensors)
    weights.save(model, tmp_path / "gpt2.safetensors")
    torch.testing.assert_close(weights.load(tmp_path / "gpt2.safetensors")[0](tokens), logits, atol=1e-5, rtol=0)


def test_decoding_with_the_courses_special_tokens_is_refused():
    with pytest.raises(ValueError, match="decoding needs the special tokens of Vocabulary"):
        greedy(GPT(gpt2.config(**stored("a")[0])), torch.ones(1, 2, dtype=torch.long), 2)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda w: {k: v for k, v in w.items() if "h.1.attn.c_attn.weight" not in k},
            r"layers.1.self_attention.w_q.weight is missing",
        ),
        (lambda w: w | {"h.2.ln_1.weight": torch.ones(16)}, "no parameter of that name"),
        (
            lambda w: w | {"transformer.wte.weight": torch.ones(30, 16), "lm_head.weight": torch.ones(30, 16)},
            r"is \(30, 16\), exp",
        ),
        (
            lambda w: w | {"transformer.h.0.mlp.c_fc.weight": torch.ones(64, 16)},
            r"w_1.weight is \(16, 64\), expected \(64, 16\)",
        ),
        (lambda w: w | {"lm_head.weight": torch.ones(29, 16)}, "are the same table, but these weights have two"),
    ],
    ids=["missing", "one more layer", "vocabulary", "not transposed", "untied"],
)
def test_weights_of_another_model_are_refused_in_one_sentence_and_nothing_is_copied(change, message):
    sizes, tensors, _, _ = stored("a")
    model = GPT(gpt2.config(**sizes))
    before = [p.clone() for p in model.parameters()]
    with pytest.raises(ValueError, match=message) as error:
        gpt2.load_weights(model, change(tensors))
    assert "\n" not in str(error.value)
    assert all(map(torch.equal, before, model.parameters()))


def test_a_class_whose_output_is_not_tied_is_refused():
    sizes, tensors, _, _ = stored("a")
    untied = build_parts.GPT(**sizes, d_ff=4 * sizes["d_model"])
    with pytest.raises(ValueError, match=r"do not fit this GPT: output.weight is missing"):
        gpt2.load_weights(untied, tensors)


def test_a_file_that_is_cut_short_is_refused(tmp_path):
    part = tmp_path / "model.safetensors"
    part.write_bytes((REFERENCE / "a.safetensors").read_bytes()[:9000])
    with pytest.raises(ValueError, match="is cut short or not a safetensors file"):
        weights.read(part)
    assert part.stat().st_size == 9000


def test_the_tokenizer_gives_the_ids_of_the_packages_own():
    tokens, merges = gpt2.read_tokenizer(REFERENCE / "vocab.json", REFERENCE / "merges.txt")
    assert sorted(tokens[:256]) == [chr(number) for number in range(256)]
    text, ids = ENCODED["text"], {token: number for number, token in enumerate(tokens)}
    words = gpt2.split(text)
    assert "".join(words).encode("latin-1").decode("utf-8") == text
    pieces = [piece for word in words for piece in build_parts.encode_word(word, merges)]
    assert [ids[piece] for piece in pieces] == ENCODED["ids"]
    assert build_parts.decode_ids(ENCODED["ids"], tokens) == text


def test_merges_of_number_signs_are_no_comments(tmp_path):
    """GPT-2's own file has these two."""
    tokens = {**json.loads((REFERENCE / "vocab.json").read_text(encoding="utf-8")), "##": 301, "####": 302}
    merges = [*(REFERENCE / "merges.txt").read_text(encoding="utf-8").splitlines(), "# #", "## ##"]
    (tmp_path / "vocab.json").write_text(json.dumps(tokens), encoding="utf-8")
    (tmp_path / "merges.txt").write_text("\n".join(merges), encoding="utf-8")
    assert gpt2.read_tokenizer(tmp_path / "vocab.json", tmp_path / "merges.txt")[1][-2:] == [("#", "#"), ("##", "##")]


def test_letters_numbers_and_endings_are_words_of_their_own():
    assert gpt2.split("ab² 1½Ⅷ it's   on_x") == [
        *("ab", "Â²", " 1Â½â\x85§", " it", "'s", "  ", " on", "_", "x"),
    ]


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("vocab.json", lambda content: content[:1000], "vocab.json is cut short or is not GPT-2's vocabulary"),
        ("vocab.json", lambda content: content.replace(b": 7,", b": 9,"), "its ids are not 0, 1, 2 and so on"),
        ("vocab.json", lambda content: b"[1, 2]", "vocab.json is cut short or is not GPT-2's vocabulary"),
        ("merges.txt", lambda content: content[:100], "merges.txt is cut short or does not belong to .*vocab.json: it has"),
        ("merges.txt", lambda content: content + b"x q\n", "it has the line 'x q'"),
    ],
)
def test_files_of_another_tokenizer_are_refused(tmp_path, name, change, message):
    for file in ("vocab.json", "merges.txt"):
        (tmp_path / file).write_bytes((REFERENCE / file).read_bytes())
    (tmp_path / name).write_bytes(change((REFERENCE / name).read_bytes()))
    with pytest.raises(ValueError, match=message):
        gpt2.read_tokenizer(tmp_path / "vocab.json", tmp_path / "merges.txt")


@pytest.fixture
def hub(tmp_path, monkeypatch) -> dict[str, bytes | Exception]:
    """What a stand-in for `huggingface_hub` finds for each name: the content of a file, or the error that it raises."""
    found = {name: name.encode() for name in gpt2.FILES}
    module = ModuleType("huggingface_hub")

    def hf_hub_download(repository, name, revision):
        assert (repository, revision) == (gpt2.REPOSITORY, gpt2.REVISION)
        if isinstance(found[name], Exception):
            raise found[name]
        (tmp_path / name).write_bytes(found[name])
        return str(tmp_path / name)

    module.hf_hub_download = hf_hub_download
    monkeypatch.setitem(sys.modules, "huggingface_hub", module)
    monkeypatch.setattr(gpt2, "FILES", {name: hashlib.sha256(name.encode()).hexdigest() for name in found})
    return found


def test_files_that_arrive_whole_are_returned(hub, tmp_path):
    assert gpt2.download() == {name: tmp_path / name for name in hub}


def test_a_download_that_stops_says_why_and_keeps_the_files_that_are_there(hub, tmp_path):
    gpt2.download()
    hub["model.safetensors"] = RuntimeError("peer closed connection\nwithout a body")
    with pytest.raises(OSError, match=r"^model.safetensors could not be downloaded \(RuntimeError: peer closed connection\)"):
        gpt2.download()
    assert {path.name for path in tmp_path.iterdir()} >= {*hub}


def test_a_file_with_another_hash_is_refused_and_stays(hub, tmp_path):
    hub["merges.txt"] = b"something else"
    with pytest.raises(ValueError, match=r"merges.txt is not GPT-2's published merges.txt: its SHA-256 differs; delete it"):
        gpt2.download()
    assert (tmp_path / "merges.txt").read_bytes() == b"something else"


def test_without_the_package_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(ModuleNotFoundError, match="pip install huggingface_hub"):
        gpt2.download()
