"""GPT-2's weights and tokenizer, compared with what tools/gpt2_reference.py stored of the `transformers` package's own."""

import hashlib
import json
import socket
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
import torch

from transformer_course import build_parts, gpt2, weights
from transformer_course._util import paths
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
    assert gpt2.split("ab² 1½Ⅷ it's   on_x") == [*("ab", "Â²", " 1Â½â\x85§", " it", "'s", "  ", " on", "_", "x")]


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


CONTENT = {"vocab.json": b"{}", "merges.txt": b"# none", "model.safetensors": bytes(range(256)) * 12_000}  # 3.1 MB


class Server(ThreadingHTTPServer):
    """Serves CONTENT. ``stops_after``: how many bytes of an answer arrive. ``knows_ranges``: whether it obeys Range."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.content, self.asked, self.stops_after, self.knows_ranges = dict(CONTENT), [], None, True
        self.address = f"http://127.0.0.1:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self):
        name, begin = self.path.strip("/"), 0
        self.server.asked.append((name, self.headers["Range"]))
        content = self.server.content.get(name)
        if content is None:
            self.send_error(404)
            return
        if self.server.knows_ranges and self.headers["Range"]:
            begin = int(self.headers["Range"].removeprefix("bytes=").removesuffix("-"))
            if begin >= len(content):
                self.send_error(416)
                return
        self.send_response(206 if begin else 200)
        self.send_header("Content-Length", str(len(content) - begin))
        self.end_headers()
        self.wfile.write(content[begin:][: self.server.stops_after])

    def log_message(self, *_):
        pass


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setattr(gpt2, "FILES", {name: hashlib.sha256(content).hexdigest() for name, content in CONTENT.items()})
    monkeypatch.delenv(gpt2.OFFLINE, raising=False)
    with Server() as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_files_that_arrive_whole_are_kept_and_not_asked_for_again(server, tmp_path):
    for _ in range(2):
        assert gpt2.download(tmp_path, server.address) == {name: tmp_path / name for name in CONTENT}
    assert contents(tmp_path) == CONTENT
    assert server.asked == [(name, None) for name in CONTENT]


def test_they_go_where_the_course_keeps_models(server, tmp_path, monkeypatch):
    (tmp_path / "notebooks").mkdir()
    (tmp_path / paths.RECORD).write_text("{}", encoding="utf-8")
    monkeypatch.chdir(tmp_path / "notebooks")
    gpt2.download(address=server.address)
    assert contents(tmp_path / "models" / "gpt2") == CONTENT


@pytest.mark.parametrize("knows_ranges", [True, False])
def test_a_download_that_is_cut_goes_on_where_it_stopped_if_the_server_can(server, tmp_path, knows_ranges):
    server.stops_after, server.knows_ranges = 1_500_000, knows_ranges
    with pytest.raises(OSError, match="the connection ended") as stopped:
        gpt2.download(tmp_path, server.address)
    assert str(stopped.value) == (
        "model.safetensors could not be downloaded (the connection ended 1.6 MB before the end); 1.5 MB are here, and the "
        "next try goes on from there; try again with a network"
    )
    assert not (tmp_path / "model.safetensors").exists()
    server.stops_after = None
    gpt2.download(tmp_path, server.address)
    assert contents(tmp_path) == CONTENT
    assert server.asked[-1] == ("model.safetensors", "bytes=1500000-")


def test_what_was_cut_after_its_last_byte_is_whole(server, tmp_path):
    (tmp_path / "model.safetensors.part").write_bytes(CONTENT["model.safetensors"])
    gpt2.download(tmp_path, server.address)
    assert contents(tmp_path) == CONTENT


def test_a_file_with_another_hash_is_deleted_when_it_arrives_and_refused_where_it_lies(server, tmp_path):
    server.content["merges.txt"] = b"something else"
    with pytest.raises(ValueError, match=r"merges.txt has arrived, but is not GPT-2's published file: its SHA-256 differs"):
        gpt2.download(tmp_path, server.address)
    assert contents(tmp_path) == {"vocab.json": CONTENT["vocab.json"]}
    (tmp_path / "vocab.json").write_bytes(b"mine")
    with pytest.raises(ValueError, match=r"vocab.json is not GPT-2's published vocab.json: its SHA-256 differs; delete it"):
        gpt2.download(tmp_path, server.address)
    assert contents(tmp_path) == {"vocab.json": b"mine"}


def test_without_a_network_a_file_or_a_folder_one_sentence_says_so(server, tmp_path, monkeypatch):
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        nowhere = f"http://127.0.0.1:{closed.getsockname()[1]}"
    (tmp_path / "file").write_text("not a folder", encoding="utf-8")
    tries = {
        "Connection refused": (tmp_path, nowhere),
        "Not Found": (tmp_path, f"{server.address}/other"),
        "file": (tmp_path / "file", server.address),
        f"{gpt2.OFFLINE} is set": (tmp_path, server.address),
    }
    for reason, (folder, address) in tries.items():
        if reason.startswith(gpt2.OFFLINE):
            monkeypatch.setenv(gpt2.OFFLINE, "1")
        with pytest.raises(OSError, match=r"^vocab\.json could not be downloaded \(.+\); try again with a network$") as error:
            gpt2.download(folder, address)
        assert reason.lower() in str(error.value).lower()
        assert "\n" not in str(error.value)
