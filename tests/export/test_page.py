"""The file: what it says, and what it refuses."""

import re

import pytest
from small_gpts import LETTERS, MERGES, gpt, of_byte_pairs

from transformer_course.build_parts import Tokenizer
from transformer_course.byte_pairs import BytePairs
from transformer_course.export import Chat, export
from transformer_course.export.page import page


class OnSpaces(Tokenizer):
    """A learner's tokenizer that splits texts in another way."""

    def encode(self, text):
        return [self.ids[piece] for word in text.split(" ") for piece in word.encode().decode("latin-1")]


def text_of(html: str) -> str:
    """A page's words, without its scripts."""
    body = re.sub(r"<(script|style)\b.*?</\1>", "", html[html.index("<main>") :], flags=re.DOTALL)
    return re.sub(r"\n\s*", "\n", re.sub(r"<[^>]*>", "", body)).strip()


def test_a_page_says_who_trained_what_on_which_text(snapshot):
    assert text_of(page(gpt(), LETTERS, title="Ada's <model>", by="Ada", text="the letters of her grandmother")) == snapshot
    assert text_of(page(of_byte_pairs(), Tokenizer(MERGES), chat=Chat("U:", "M:", "\n"))) == snapshot


def test_an_export_says_how_large_it_is(tmp_path, capsys):
    export(gpt(), LETTERS, tmp_path / "a.html")
    assert capsys.readouterr().out == f"{tmp_path / 'a.html'}: 0.1 MB. Open it in a browser, or send it to somebody.\n"


def test_what_does_not_belong_together_is_refused_in_one_sentence(tmp_path, snapshot):
    def told(model, tokenizer, name="a.html", **about) -> str:
        with pytest.raises(ValueError, match=" ") as raised:
            export(model, tokenizer, tmp_path / name, **about)
        assert not [*tmp_path.iterdir()]
        return str(raised.value).replace(str(tmp_path), "…")

    assert [
        told(gpt(), LETTERS[1:]),
        told(gpt(), "a" * len(LETTERS)),
        told(gpt(), 5),
        told(of_byte_pairs(), OnSpaces(MERGES)),
        told(of_byte_pairs(), BytePairs(MERGES), chat=Chat("U", [999], "\n")),
        told(gpt(), LETTERS, chat=Chat("U", "a", "b")),
        told(gpt(), LETTERS, name="model.txt"),
        told(gpt(), LETTERS, name="missing/a.html"),
    ] == snapshot
