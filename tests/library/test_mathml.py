"""Formulas as MathML, and the font that draws them."""

import re

import nbformat
from fontTools.ttLib import TTFont

from transformer_course import course
from transformer_course._util import paths
from transformer_course._util.markdown import html
from transformer_course._util.mathml import MATH_FONT, THIN_SPACE, mathml

ITALIC = {"h": "\u210e"}  # a letter alone is drawn as a mathematical italic one, and h stands elsewhere in Unicode


def drawn(formula: str) -> set[str]:
    """Return the characters that a browser needs to draw a formula, given as MathML."""
    found = {"√"} if "<msqrt" in formula else set()
    for tag, text in re.findall(r"<(m[inots]\w*)[^>]*>([^<]+)</", formula):
        name = re.sub(r"&#x([0-9A-Fa-f]+);", lambda code: chr(int(code[1], 16)), text).strip()
        alone = tag == "mi" and len(name) == 1
        if alone and name.isascii() and name.isalpha():
            start = 0x1D434 + ord(name) - ord("A") if name.isupper() else 0x1D44E + ord(name) - ord("a")
            name = ITALIC.get(name, chr(start))
        found |= {*name}
    return found


def test_the_font_can_draw_every_formula_of_the_course():
    font = TTFont(MATH_FONT)
    assert "MATH" in font  # how high an index stands, for example
    texts = [path.read_text(encoding="utf-8") for path in (paths.ROOT / "docs").glob("*.md")]
    for source in course.sources():
        cells = nbformat.read(source.notebook, as_version=4).cells
        texts += [cell.source for cell in cells if cell.cell_type == "markdown"]
    formulas = [formula for text in texts for formula in re.findall(r"<math.*?</math>", str(html(text)), re.DOTALL)]
    assert len(formulas) > 300
    assert not [formula for formula in formulas if "<mo>&#x02016;" in formula]  # from \\lVert: drawn twice as high as its line
    needed = set().union(*map(drawn, formulas))
    assert {"∑", "√", "𝑄"} <= needed
    assert sorted(needed - {chr(code) for code in font.getBestCmap()}) == []


def test_the_name_of_a_function_keeps_apart_from_letters_but_not_from_brackets():
    assert f"<mi>x</mi>{THIN_SPACE}<mi>cos</mi>{THIN_SPACE}<mi>p</mi>" in mathml(r"x\cos p")
    assert f"</msub>{THIN_SPACE}<mi>log</mi>{THIN_SPACE}<msub>" in mathml(r"a_j \log a_j", display="block")
    assert THIN_SPACE not in mathml(r"\exp(s) - \sin(p)")
