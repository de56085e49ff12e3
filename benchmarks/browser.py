"""Compare tokens written per second: by the page of an exported model in a browser, and by Python with a cache."""

import shutil
import tempfile
from pathlib import Path

import torch

from benchmarks.side_by_side import compare, console
from transformer_course.build_parts import GPT, CachedGPT, next_probabilities
from transformer_course.data import python_docs
from transformer_course.experiments import build_prose
from transformer_course.export import open_model
from transformer_course.export.packing import pack
from transformer_course.export.page import page as page_of
from transformer_course.export.sizes import sizes_of

COUNT = 100
CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
WRITE = """async count => {
  window.writer ??= new Writer(() => {});
  if (!writer.model) await writer.hear({ load: page.contents() });
  await writer.hear({ write: { text: "", fresh: true, count, temperature: 0.8, p: 0.9, pace: 0 } });
}"""


def run(rounds: int = 9) -> None:
    from playwright.sync_api import sync_playwright  # of the extra `test`

    torch.set_num_threads(1)  # a page has one, too
    model, tokenizer, about = open_model("prose")
    sizes, weights = sizes_of(model, 128)
    packed = pack(sizes, weights)
    text = python_docs().test
    bits = build_prose.bits_per_character(model, tokenizer, text)
    rounded = GPT(sizes.vocabulary, **build_prose.SIZES)
    rounded.load_state_dict(packed.weights)
    cost = build_prose.bits_per_character(rounded, tokenizer, text) - bits
    console.print(f"8-bit weights: {bits:.4f} bits per character and {cost:+.6f}")
    cached = CachedGPT(sizes.vocabulary, **build_prose.SIZES).eval()
    cached.load_state_dict(model.state_dict())

    @torch.inference_mode()
    def in_python() -> None:
        caches, ids = [{} for _ in cached.blocks], [10]
        for _ in range(COUNT):
            logits = cached(torch.tensor([ids[-1:]]), caches)[0, -1]
            ids.append(int(torch.multinomial(next_probabilities(logits, 0.8, 0.9), 1)))

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        file = Path(folder) / "model.html"
        file.write_text(page_of(model, tokenizer, **about), encoding="utf-8")
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(file.as_uri())
        programs = {"the page, in Chromium": lambda: page.evaluate(WRITE, COUNT), "the Build's CachedGPT": in_python}
        compare(f"The shipped model prose writes {COUNT} tokens", programs, "tokens", COUNT, rounds)
        browser.close()
