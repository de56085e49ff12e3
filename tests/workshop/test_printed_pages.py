"""The pages to print: each PDF has the words of its HTML, and the card has the library's shapes."""

import io
import math
import re
import tomllib
import unicodedata
from dataclasses import replace

import pypdf
import pytest
import torch
from chromium import chromium
from workshop_pages import EACH, EACH_WRITTEN, visible

from transformer_course._util import paths
from transformer_course.attention import MultiHeadAttention, causal_mask, padding_mask
from transformer_course.embedding import Vocabulary
from transformer_course.folders.learner_folder import sync_files
from transformer_course.training import translation_loss
from transformer_course.transformer import Transformer, TransformerConfig
from transformer_course.workshop import exit_tickets, leader_pages
from transformer_course.workshop.handouts import handouts
from transformer_course.workshop.plans import PLANS

PAPER = sorted((paths.ROOT / "docs" / "paper").glob("*.html"))


@pytest.mark.parametrize("sheet", PAPER, ids=lambda path: path.stem)
def test_a_pdf_is_one_small_page_with_the_words_of_its_html(sheet):
    printed = sheet.with_suffix(".pdf")
    (page,) = pypdf.PdfReader(printed).pages
    text = unicodedata.normalize("NFKC", page.extract_text())
    expected = unicodedata.normalize("NFKC", visible(sheet.read_text(encoding="utf-8")))
    assert re.sub(r"\s+", "", text) == re.sub(r"\s+", "", expected), f"print {sheet.name} again: make paper"
    assert printed.stat().st_size < 100_000
    assert (round(page.mediabox.width), round(page.mediabox.height)) == (595, 842)  # A4


@EACH
def test_the_exit_tickets_to_print_ask_what_the_plan_asks(plan):
    for day, stem in enumerate(exit_tickets.stems(plan.name), 1):
        page = (paths.ROOT / "docs" / "paper" / f"{stem}.html").read_text(encoding="utf-8")
        assert visible(page) == visible(leader_pages.ticket(plan, day, answers=False)), "print it again: make paper"


@EACH_WRITTEN
def test_the_list_of_copies_names_every_page_to_print_with_a_number(plan, contents):
    content = contents[plan.name]
    listed = {each.file: each.copies for each in handouts(replace(plan, people=18))}
    assert {file for file in listed if file.endswith(".pdf")} == {
        name for name in content if name.startswith("to-print/") and name.endswith(".pdf")
    }
    assert listed.keys() <= content.keys()
    assert {listed[file] for file in listed if file.endswith(".pdf")} == {18 + 3}
    assert listed["for-you/helpers.html"] == 2
    assert all(each.file in content["for-you/copies.html"] for each in handouts(plan))
    assert content["for-you/doctor-reports.html"].count("<tr>") == plan.people + 1


@pytest.mark.slow
@EACH_WRITTEN
def test_a_timetable_and_a_cue_card_are_one_page_a_day_and_the_helpers_get_two_pages(plan, contents, tmp_path):
    sync_files(tmp_path, {name: page for name, page in contents[plan.name].items() if name.endswith(".html")})
    with chromium() as browser:
        page = browser.new_page()
        for name in ("to-print/timetable.html", "for-you/cue-card.html", "for-you/copies.html", "for-you/doctor-reports.html"):
            page.goto((tmp_path / name).as_uri())
            printed = pypdf.PdfReader(io.BytesIO(page.pdf(prefer_css_page_size=True)))
            assert len(printed.pages) == (len(leader_pages.ends(plan)) if "timetable" in name or "cue" in name else 1), name
        page.goto((tmp_path / "for-you/helpers.html").as_uri())
        assert len(pypdf.PdfReader(io.BytesIO(page.pdf(prefer_css_page_size=True))).pages) <= 2


def test_a_wheel_brings_the_pages_to_print():
    settings = tomllib.loads((paths.PACKAGE.parent / "pyproject.toml").read_text(encoding="utf-8"))
    assert settings["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]["docs/paper"].endswith(
        "material/docs/paper"
    )
    assert {path.stem for path in PAPER} == {
        stem for plan in PLANS.values() for stem in (*plan.handouts, *exit_tickets.stems(plan.name))
    }


def test_the_shapes_on_the_card_are_those_of_the_library():
    page = (paths.ROOT / "docs" / "paper" / "shapes_and_symbols.html").read_text(encoding="utf-8")
    card = dict(re.findall(r'<tr data-tensor="(\w+)">.*?<td class="shape">(.*?)</td>', page))
    assert set(card) >= {"ids", "vectors", "queries", "weights", "memory", "logits", "loss"}
    sizes = {"b": 2, "h": 3, "n": 5, "m": 7, "d_model": 24, "d_k": 4, "d_v": 6, "d_ff": 11, "v": 13}
    seen = measured(**sizes)
    assert seen.keys() == card.keys()
    for name, shape in card.items():
        expected = (
            []
            if shape == "one number"
            else [math.prod(sizes.get(f) or int(f) for f in s.strip().split("·")) for s in shape.split(",")]
        )
        assert list(seen[name]) == expected, (name, shape)


def measured(b, h, n, m, d_model, d_k, d_v, d_ff, v) -> dict[str, torch.Size]:
    """The shape of each tensor on the card, as the library makes it."""
    torch.manual_seed(0)
    config = TransformerConfig(vocabulary_size=v, d_model=d_model, num_heads=h, d_ff=d_ff, num_layers=1, dropout=0.0)
    model = Transformer(config)
    source, target = torch.randint(4, v, (b, m)), torch.randint(4, v, (b, n))
    layer = model.decoder.layers[0]
    attention = MultiHeadAttention(d_model, h, d_k, d_v)
    x, y = torch.randn(b, n, d_model), torch.randn(b, m, d_model)
    q, k, value = attention._split(attention.w_q(x)), attention._split(attention.w_k(y)), attention._split(attention.w_v(y))
    out, weights = attention(x, y, y, return_weights=True)
    memory, _ = model.encode(source)
    logits = model(source, target)
    both = causal_mask(n) & padding_mask(target, Vocabulary.pad)
    hidden: list = []
    layer.feed_forward.w_1.register_forward_hook(lambda part, into, out: hidden.append(out))
    model(source, target)
    return {
        "ids": target.shape,
        "table": model.target.embedding.table.shape,
        "positions": model.target.positions(torch.zeros(1, n, d_model))[0].shape,
        "vectors": model.target(target).shape,
        "w_q": attention.w_q.weight.T.shape,
        "w_v": attention.w_v.weight.T.shape,
        "queries": q.shape,
        "keys": k.shape,
        "values": value.shape,
        "weights": weights.shape,
        "heads": (weights @ value).shape,
        "merged": (weights @ value).transpose(1, 2).flatten(2).shape,
        "w_o": attention.w_o.weight.T.shape,
        "attended": out.shape,
        "causal": causal_mask(n).shape,
        "padding": padding_mask(source, Vocabulary.pad).shape,
        "both": both.shape,
        "for_heads": both.unsqueeze(1).shape,
        "stream": layer(x, memory, causal_mask(n)).shape,
        "statistics": x.mean(-1, keepdim=True).shape,
        "gain": layer.feed_forward_residual.norm.gamma.shape,
        "w_1": layer.feed_forward.w_1.weight.T.shape,
        "hidden": hidden[0].shape,
        "w_2": layer.feed_forward.w_2.weight.T.shape,
        "memory": memory.shape,
        "cross": attention(x, memory, memory, return_weights=True)[1].shape,
        "logits": logits.shape,
        "loss": translation_loss(model, source, target).shape,
    }
