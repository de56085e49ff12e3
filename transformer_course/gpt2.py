"""GPT-2's published weights and tokenizer, for the library's `GPT` and for the one that learners write in the Build.

GPT-2 has the parts of our `GPT`. `config` lists its choices. Its files differ in names and layout: a layer's query, key and
value projections are packed into one matrix, and all matrices of a layer have shape (inputs, outputs), while `nn.Linear` has
(outputs, inputs).

Source: Radford et al. 2019, "Language Models are Unsupervised Multitask Learners", section 2; names and layout:
`GPT2Model` in the `transformers` package.
"""

import functools
import hashlib
import json
import os
import re
import sys
import unicodedata
from collections.abc import Mapping
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import torch
from torch import Tensor, nn

from transformer_course import byte_pairs
from transformer_course._util import paths
from transformer_course._util.progress_bar import progress
from transformer_course.config import TransformerConfig
from transformer_course.family import GPT
from transformer_course.weights import by_stage_names, copy_weights

REPOSITORY, REVISION = "openai-community/gpt2", "607a30d783dfa663caf39e06633721c8d4cfcd7e"
ADDRESS = f"https://huggingface.co/{REPOSITORY}/resolve/{REVISION}"
OFFLINE = "TRANSFORMER_COURSE_OFFLINE"  # if this is set in the environment, nothing is downloaded
MEGABYTE, SECONDS = 1_000_000, 60  # what is read at once, and how long the server may be silent
FILES = {  # the names in the repository, and the SHA-256 of each file
    "vocab.json": "196139668be63f3b5d6574427317ae82f612a97c5d1cdaf36ed2256dbf636783",
    "merges.txt": "1ce1664773c50f3e0cc8842619a93edc4624525b728b188a9e0be33b7726adc5",
    "model.safetensors": "248dfc3911869ec493c76e65bf2fcf7f615828b0254c12b473182f0f81d3a707",
}
# The smallest of the four published models, with 124 million parameters.
SIZES = {"vocabulary_size": 50_257, "max_length": 1024, "d_model": 768, "num_heads": 12, "num_layers": 12}
OUTSIDE_LAYERS = {
    "wte.weight": "input.embedding.table",
    "wpe.weight": "input.positions.table",
    "ln_f.weight": "stack.norm.gamma",
    "ln_f.bias": "stack.norm.beta",
}
NORMS = {"ln_1": "attention_residual.norm", "ln_2": "feed_forward_residual.norm"}
PROJECTIONS = {"attn.c_proj": "self_attention.w_o", "mlp.c_fc": "feed_forward.w_1", "mlp.c_proj": "feed_forward.w_2"}
PACKED = ("self_attention.w_q", "self_attention.w_k", "self_attention.w_v")


def config(
    vocabulary_size: int, max_length: int, d_model: int, num_heads: int, num_layers: int, dropout: float = 0.1
) -> TransformerConfig:
    """Return the configuration of a GPT-2 of these sizes. ``config(**SIZES)`` is the smallest published model."""
    return TransformerConfig(
        **{"vocabulary_size": vocabulary_size, "max_length": max_length, "d_model": d_model, "d_ff": 4 * d_model},
        **{"num_heads": num_heads, "num_layers": num_layers, "dropout": dropout, "tied": True, "norm": "pre"},
        **{"activation": "gelu_tanh", "positions": "learned", "scale_embedding": False, "special_tokens": False},
    )


def load_weights(model: nn.Module, weights: Mapping[str, Tensor]) -> None:
    """Copy GPT-2's weights into a `GPT` that was built with `config`, or into a class of your own.

    Your own class needs the parts of stage B4 under the same names, GELU in its tanh form, and an output layer that shares the
    token table. ``weights`` have the names of the `transformers` package or of the published file.

    Raises ValueError, and copies nothing, if the weights have other names or shapes, or an output layer of their own.
    """
    renamed = by_library_names(weights)
    copy_weights(model, renamed if isinstance(model, GPT) else by_stage_names(renamed))


def by_library_names(weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return GPT-2's weights under the names and in the layout of the library's `GPT`.

    The masks that are stored with them (``attn.bias``) are left out, and so is the output layer, which must equal the token
    table. Tensors of any other name keep it, so that `copy_weights` can report them.

    Raises ValueError if the output layer has weights of its own.
    """
    weights = {name.removeprefix("transformer."): weight for name, weight in weights.items()}
    output = weights.pop("lm_head.weight", None)
    if output is not None and "wte.weight" in weights and not torch.equal(output, weights["wte.weight"]):
        raise ValueError("in GPT-2, lm_head.weight and wte.weight are the same table, but these weights have two; try others")
    renamed = {}
    for name, weight in weights.items():
        if name in OUTSIDE_LAYERS:
            renamed[OUTSIDE_LAYERS[name]] = weight
        elif found := re.fullmatch(r"h\.(\d+)\.(.+)\.(weight|bias)", name):
            renamed |= {f"stack.layers.{found[1]}.{part}": value for part, value in _of_a_layer(found[2], found[3], weight)}
        else:
            renamed[name] = weight
    return renamed


def _of_a_layer(part: str, kind: str, weight: Tensor) -> list[tuple[str, Tensor]]:
    """Return what one of a layer's tensors is in the library: nothing for a mask, and three tensors for the packed ones."""
    if part == "attn":
        return []
    if part in NORMS:
        return [(f"{NORMS[part]}.{'gamma' if kind == 'weight' else 'beta'}", weight)]
    weight = weight.transpose(0, -1)  # a bias stays as it is
    if part == "attn.c_attn":
        return [(f"{name}.{kind}", third) for name, third in zip(PACKED, weight.tensor_split(3), strict=True)]
    return [(f"{PROJECTIONS.get(part, part)}.{kind}", weight)]


def split(text: str) -> list[str]:
    """Return the words of a text as GPT-2 splits it, with one character per byte, like `byte_pairs.split`.

    English endings such as "'s" are words of their own, digits are separate from letters, and of several spaces only the
    last belongs to the word after them. Joined, the words are the whole text.

    Raises ValueError as `byte_pairs.split` does.
    """
    byte_pairs.split(text)  # for its checks
    return [word.encode("utf-8").decode("latin-1") for word in _word_pattern().findall(text)]


@functools.cache  # it takes half a second
def _word_pattern() -> re.Pattern:
    """Return GPT-2's pattern ``'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+``.

    Python's `re` knows neither ``\\p{L}`` (letters) nor ``\\p{N}`` (numbers), but its ``\\w`` holds both and "_". (It also
    counts the control characters U+001C to U+001F as spaces. They are the only ones that this pattern treats differently.)
    """
    others = [chr(n) for n in range(sys.maxunicode) if unicodedata.category(chr(n)) in ("Nl", "No")]  # numbers, not digits
    number = rf"\d{''.join(others)}"
    return re.compile(rf"'(?:s|t|re|ve|m|ll|d)| ?[^\W_{number}]+| ?[{number}]+| ?(?:_|[^\s\w])+|\s+(?!\S)|\s+")


def read_tokenizer(vocabulary: str | Path, merges: str | Path) -> tuple[list[str], list[byte_pairs.Pair]]:
    """Return GPT-2's tokens in the order of their ids, and its merges, from ``vocab.json`` and ``merges.txt``.

    A token is a string with one character per byte, as in `byte_pairs`. The last one, "<|endoftext|>", comes from no merge.

    Raises OSError if a file cannot be read, and ValueError if it is cut short or is not a file of GPT-2.
    """
    to_bytes = str.maketrans(_alphabet())
    try:
        ids = json.loads(Path(vocabulary).read_text(encoding="utf-8"))
        tokens = [token.translate(to_bytes) for token in sorted(ids, key=ids.__getitem__)]
        if sorted(ids.values()) != list(range(len(ids))):
            raise ValueError("its ids are not 0, 1, 2 and so on")
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise ValueError(f"{vocabulary} is cut short or is not GPT-2's vocabulary ({error}); download it again") from None
    lines = Path(merges).read_text(encoding="utf-8").splitlines()
    pairs = [
        tuple(piece.translate(to_bytes) for piece in line.split(" ")) for line in lines if not line.startswith("#version")
    ]
    known = set(tokens)
    wrong = [pair for pair in pairs if len(pair) != 2 or not known.issuperset((*pair, "".join(pair)))]
    # Every token is a byte, comes from a merge, or is <|endoftext|>.
    if wrong or len(tokens) != 256 + len(pairs) + 1:
        found = f"it has the line {' '.join(wrong[0])!r}" if wrong else f"it has {len(pairs)} merges for {len(tokens)} tokens"
        raise ValueError(f"{merges} is cut short or does not belong to {vocabulary}: {found}; download it again")
    return tokens, pairs


def _alphabet() -> dict[str, str]:
    """Return the byte of each character in GPT-2's files. They write bytes without a visible character as 256, 257, …"""
    printed = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    others = [number for number in range(256) if number not in printed]
    return {chr(number): chr(number) for number in printed} | {chr(256 + i): chr(number) for i, number in enumerate(others)}


def download(folder: str | Path | None = None, address: str = ADDRESS) -> dict[str, Path]:
    """Return the paths of GPT-2's files by name. Those that are not there yet are downloaded, 550 MB in all.

    They are kept in ``models/gpt2`` of your course folder, or of this one, unless you name another ``folder``. If the download
    stops, the next call goes on where it stopped. A file is used only if its SHA-256 is that of the published one.

    Raises OSError if a file cannot be downloaded or written, and ValueError if one is not the published file.
    """
    if folder is None:
        folder = (paths.course_folder(Path.cwd()) or Path.cwd()) / "models" / "gpt2"
    return {name: _fetched(f"{address}/{name}", Path(folder) / name, expected) for name, expected in FILES.items()}


def _fetched(url: str, path: Path, expected: str) -> Path:
    """Return the path of a file that is there, and whole. What has arrived of it so far is beside it, in NAME.part."""
    if path.exists():
        if _sha256(path) != expected:
            raise ValueError(f"{path} is not GPT-2's published {path.name}: its SHA-256 differs; delete it and try again")
        return path
    part = path.with_name(f"{path.name}.part")
    try:
        if os.environ.get(OFFLINE):
            raise URLError(f"{OFFLINE} is set")
        path.parent.mkdir(parents=True, exist_ok=True)
        _receive(url, part)
        if _sha256(part) != expected:
            part.unlink()
            raise ValueError(
                f"{path.name} has arrived, but is not GPT-2's published file: its SHA-256 differs. It was deleted; try again"
            )
        part.replace(path)
    except (OSError, HTTPException) as error:
        here = part.stat().st_size / MEGABYTE if part.exists() else 0
        keeps = f"; {here:.1f} MB are here, and the next try goes on from there" if here >= 1 else ""
        reason = getattr(error, "reason", None) or getattr(error, "strerror", None) or error
        raise OSError(f"{path.name} could not be downloaded ({reason}){keeps}; try again with a network") from error
    return path


def _receive(url: str, part: Path) -> None:
    """Append to ``part`` what is missing of a file. Raises OSError or HTTPException if it does not arrive."""
    here = part.stat().st_size if part.exists() else 0
    try:
        answer: HTTPResponse = urlopen(Request(url, headers={"Range": f"bytes={here}-"} if here else {}), timeout=SECONDS)
    except HTTPError as error:
        error.close()
        if here and error.code == 416:  # there is nothing after what has arrived
            return
        raise
    with answer, part.open("ab" if answer.status == 206 else "wb") as file:  # some servers begin again
        if not (length := int(answer.headers.get("Content-Length", 0))):
            raise OSError("the server does not say how long the file is")
        for _ in progress(range(-(-length // MEGABYTE)), f"{part.stem}, MB"):
            file.write(answer.read(MEGABYTE))
        missing = here * (answer.status == 206) + length - file.tell()
    if missing:
        raise OSError(f"the connection ended {missing / MEGABYTE:.1f} MB before the end")


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
