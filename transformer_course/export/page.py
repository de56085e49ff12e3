"""The file itself: a page, its scripts, and a model's weights, in one text."""

import base64
import json
import re
from collections.abc import Sequence
from dataclasses import asdict
from html import escape
from pathlib import Path

from torch import nn

from transformer_course._util.files import write_whole
from transformer_course._util.palette import PALETTE, custom_properties, with_colours
from transformer_course._util.paths import PACKAGE
from transformer_course.byte_pairs import BYTES, BytePairs
from transformer_course.experiments.build_ladder import LENGTH
from transformer_course.experiments.talking import Chat

from .packing import Packed, pack
from .sizes import Sizes, sizes_of

HERE = Path(__file__).parent
LARGE = 4_000_000  # bytes: what is larger, some mail programs refuse
SAMPLES = "Return the café's id_2, twice.\n\n  Zoë draws a 日本 flag 🎏: x² = 4\t(½)", "aaaa  aa\n a\r\n", "Ⅷ 4٤२ _x_ é"
WARNING = "It has learned how its text sounds, not what is true."
GOES_ON = " It does not answer questions: it goes on with whatever you begin."
FORMATS = {"int8": "8 bits each, with a scale for every 32 of them", "float16": "16 bits each"}


def export(model: nn.Module, tokenizer: object, path: str | Path, **about: object) -> None:
    """Write a model as one HTML file that runs it in any browser, and print how large the file is.

    ``model`` is a `GPT` of the Build (stage B4) or a `Llama` (B9). ``tokenizer`` is a string with the characters in the order
    of their ids, `BytePairs`, or your `Tokenizer` of stage B10. The other arguments are those of `page`. The file is written
    completely or not at all.

    Raises ValueError, in one sentence, for a model that a page cannot run, for a tokenizer that does not belong to it or
    splits texts in another way, and for a name that is not an HTML file's. Raises OSError if the file cannot be written.
    """
    path = Path(path).expanduser()
    if path.suffix.lower() not in (".html", ".htm") or path.is_dir():
        raise ValueError(f'the file should have a name such as "my-model.html", got {str(path)!r}')
    if not path.absolute().parent.is_dir():
        raise ValueError(f"there is no folder {path.absolute().parent}; create it, or choose another one")
    text = page(model, tokenizer, **about).encode()
    write_whole(path, text)
    advice = "" if len(text) <= LARGE else ", which is too large for some mail programs"
    print(f"{path}: {len(text) / 1e6:.1f} MB{advice}. Open it in a browser, or send it to somebody.")


def page(
    model: nn.Module,
    tokenizer: object,
    *,
    title: str = "A small language model",
    by: str = "",
    text: str = "",
    prompt: str = "The",
    context: int = LENGTH,
    chat: Chat | None = None,
) -> str:
    """Return a page that runs a model.

    Its first sentences say that ``by`` trained it on ``text``, such as "the letters of my grandmother". ``prompt`` is what
    its box holds at first. ``context`` is how many tokens a Llama sees, which has no table of positions. With ``chat``, a
    visitor's texts are turns. Raises ValueError as `export` does.
    """
    sizes, weights = sizes_of(model, context)
    words = _tokenizer(tokenizer, sizes.vocabulary)
    packed = pack(sizes, weights)
    content = base64.b64encode(packed.content).decode()
    turns = chat and {
        name: value if isinstance(value, bool) else _ids(tokenizer, value) for name, value in asdict(chat).items()
    }
    spec = {
        "sizes": asdict(sizes),
        "tensors": packed.tensors,
        "characters": len(content),
        "tokenizer": words,
        "chat": turns,
        "begin": _encode(tokenizer, "\n") or [0],  # a line end begins a paragraph
    }
    parts = {
        "title": escape(title),
        "colours": custom_properties(),
        "light": custom_properties(printed=True),
        "weight": " ".join(map(str, bytes.fromhex(PALETTE["picture"]["weight"][1:]))),
        "css": _asset("page.css"),
        "about": escape(_about(packed, words, by, text)),
        "warning": WARNING + (GOES_ON if chat is None else ""),
        "ask": "Write the beginning of a text. The model goes on from there." if chat is None else "Your message",
        "prompt": escape(prompt if chat is None else ""),
        "write": "Write" if chat is None else "Send",
        "facts": "\n".join(f"<li>{escape(fact)}</li>" for fact in _facts(sizes, packed, words)),
        "spec": json.dumps(spec, separators=(",", ":"), ensure_ascii=False).replace("</", "<\\/"),
        "engine": engine(),
        "page": with_colours((PACKAGE / "explorables" / "shared.js").read_text(encoding="utf-8")) + _asset("page.js"),
        "weights": content,
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda name: parts[name[1]], _asset("page.html"))


def engine() -> str:
    """Return the JavaScript that computes and writes, for a worker or a page."""
    return (PACKAGE / "explorables" / "arithmetic.js").read_text(encoding="utf-8") + _asset("model.js")


def _asset(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8")


def _tokenizer(tokenizer: object, vocabulary: int) -> dict[str, list]:
    """Return what the page needs of a tokenizer: its characters, or the ids that each merge joins and other tokens' names."""
    kind = type(tokenizer).__name__
    try:
        size = len(tokenizer)
    except TypeError:
        raise ValueError(f"tokenizer must be a string of characters, BytePairs or your Tokenizer, got {kind}") from None
    if size != vocabulary:
        raise ValueError(f"the model has {vocabulary:,} tokens, and the tokenizer {size:,}; they do not belong together")
    if not hasattr(tokenizer, "merges"):
        if not all(isinstance(each, str) and len(each) == 1 for each in tokenizer) or len({*tokenizer}) != size:
            raise ValueError("tokenizer must be a string of different characters, BytePairs or your Tokenizer")
        return {"characters": list(tokenizer)}
    merges = [tuple(pair) for pair in tokenizer.merges]
    reference = BytePairs(merges)
    for sample in SAMPLES:
        if list(tokenizer.encode(sample)) != reference.encode(sample):
            raise ValueError(f"your {kind} splits {sample!r} in another way than the course's, and a page knows only that one")
    ids = reference.ids
    return {
        "merges": [[ids[left], ids[right]] for left, right in merges],
        "specials": [str(each) for each in getattr(tokenizer, "tokens", BYTES)[len(reference) :]],
    }


def _ids(tokenizer: object, marker: str | Sequence[int]) -> list[int]:
    ids = _encode(tokenizer, marker) if isinstance(marker, str) else [int(each) for each in marker]
    if not ids or not all(0 <= each < len(tokenizer) for each in ids):
        raise ValueError(f"each marker of a chat must be a text with tokens, or ids below {len(tokenizer)}, got {marker!r}")
    return ids


def _encode(tokenizer: object, text: str) -> list[int]:
    if hasattr(tokenizer, "merges"):
        return list(tokenizer.encode(text))
    return [list(tokenizer).index(character) for character in text if character in tokenizer]


def _about(packed: Packed, words: dict, by: str, text: str) -> str:
    piece = "one character" if "characters" in words else "a piece of a word"
    return (
        "This is a very small language model, of the kind that is inside chat programs: it continues a text, "
        f"{piece} at a time. {by or 'Its author'} wrote this one, and trained it on {text or 'a text of their choice'}, in a "
        f"course about how such models work. It consists of {_amount(packed)} numbers, where a chat program has billions. It "
        "runs here in your browser, even without a network, and nothing that you type leaves this page."
    )


def _amount(packed: Packed) -> str:
    count = sum(values for _, values, *_ in packed.tensors)
    return f"{count / 1e6:.1f} million" if count >= 1e6 else f"{round(count, -3):,}"


def _facts(sizes: Sizes, packed: Packed, words: dict) -> list[str]:
    kind = "characters" if "characters" in words else "tokens (pieces of words)"
    shared = f", which share the keys and values of {sizes.groups}" if sizes.groups < sizes.heads else ""
    positions = {None: "a table of positions", "adjacent": "rotary positions", "half": "rotary positions"}[sizes.pairs]
    formats = {kind for _, _, kind, _ in packed.tensors}
    return [
        f"{_amount(packed)} parameters, the numbers that training has set",
        f"{sizes.layers} layers of width {sizes.width}, each with {sizes.heads} attention heads{shared}, and {positions}",
        f"a vocabulary of {sizes.vocabulary:,} {kind}, of which it sees the last {sizes.context} at a time; when more are "
        "written, it forgets the older half",
        f"its weights are stored in {FORMATS['int8' if 'int8' in formats else 'float16']}, which costs it {packed.cost:.4f} "
        "bits per token on its own texts",
        f"the file has {len(packed.content) * 4 / 3e6:.1f} MB",
    ]
