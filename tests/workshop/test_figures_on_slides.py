"""Figures on a projector: their panels one by one, their captions, and their dark text."""

import base64
import io
import itertools

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from PIL import Image

from transformer_course.figures import drawing, style
from transformer_course.workshop import figure_parts, lesson, schematic_halves, slides
from transformer_course.workshop.dark_text import with_dark_text
from transformer_course.workshop.figure_parts import parts_of
from transformer_course.workshop.schematic_halves import halves
from transformer_course.workshop.slide import Slide
from transformer_course.workshop.slide_texts import told


def test_a_map_is_drawn_again_with_the_same_parts_highlighted():
    outputs = [output for cell in lesson.stored("04").cells for output in cell.get("outputs", [])]
    stored = next(each.data["image/png"] for each in outputs if "image/png" in each.get("data", {}))
    (shown,) = slides.title("04").pictures
    assert shown.alt.endswith("highlighted: encoder self-attention, decoder self-attention, cross-attention.")
    assert base64.b64decode(shown.png)[:4] == b"\x89PNG"
    assert shown.png != stored


def test_the_panels_of_a_wide_figure_follow_it_one_by_one():
    (maps,) = (slide for slide in slides.of_lesson("05") if len(slide.below) == 3)
    (whole,) = maps.pictures
    assert [panel.pictures[0].alt[:11] for panel in maps.below] == ["Part 1 of 3", "Part 2 of 3", "Part 3 of 3"]
    size = lambda picture: Image.open(io.BytesIO(base64.b64decode(picture.png))).size  # noqa: E731
    widths, heights = zip(*(size(panel.pictures[0]) for panel in maps.below), strict=True)
    assert (sum(widths), {*heights}) == (size(whole)[0], {size(whole)[1]})
    assert max(widths) < 0.45 * sum(widths)
    assert parts_of(whole, "ax = figures.panels(1)[0]") == ()


def test_the_panels_of_a_figure_that_answers_a_question_come_before_the_answer_and_each_says_what_it_shows():
    source = next(slide for slide in slides.of_lesson("13") if slide.id == "13.source")
    whole, left, right, answer = source.below
    assert answer.kind == "answer"
    assert left.heading == "Who can see whom? (1 of 2)"
    begins = {"On the left": "Cross-attention masks nothing", "On the right": "It masks the fourth token"}
    for panel, (side, begin) in zip((left, right), begins.items(), strict=True):
        assert panel.body.startswith(begin)  # the others are not on its slide
        assert side not in whole.body
        assert side in whole.notes
    assert "next 2 slides" in whole.notes


def test_a_figure_that_grew_during_the_training_has_panels_too():
    tokens = next(slide for slide in slides.of_lesson("15") if slide.id == "15.tokens")
    assert [each.pictures[0].alt[:11] for each in tokens.below[1:3]] == ["Part 1 of 2", "Part 2 of 2"]


@pytest.mark.parametrize("name", ["mixture", "mask", "rewards", "chat_labels"])
def test_at_the_edge_of_a_half_of_a_schematic_there_are_only_lines_that_go_on(name):
    left, right = halves(name)
    for half, edge in ((left, -1), (right, 0)):
        drawn = np.asarray(half)[:, edge, 3] > 0
        heights = [len([*rows]) for seen, rows in itertools.groupby(drawn) if seen]
        assert max(heights, default=0) <= 20  # of an arrow and its head; letters, cells and boxes are higher
        assert 0.4 < half.width / (schematic_halves.SHARP * schematic_halves.DPI * drawing.INCHES) < 0.8


def test_a_schematic_is_followed_by_its_halves():
    pictures = [slide for slide in slides.of_lesson("02") if slide.kind == "picture"]
    (mixture,) = (slide for slide in pictures if slide.heading == "The weighted average")
    assert [each.heading for each in mixture.below] == [f"{mixture.heading} ({n} of 2)" for n in (1, 2)]
    (whole,) = mixture.pictures
    alts = [each.pictures[0].alt for each in mixture.below]
    assert alts == [f"Part {n} of 2, enlarged. The whole figure: {whole.alt}" for n in (1, 2)]
    assert "The next 2 slides show its parts, enlarged." in mixture.notes


def test_each_part_of_a_figure_has_what_its_caption_says_about_it():
    def explained(count: int, said: dict[str, str]) -> list[str]:
        whole, panels = Slide("picture", "Two"), [Slide("picture", "one") for _ in range(count)]
        figure_parts.explain(whole, panels, said)
        return [whole.body, *(panel.body for panel in panels)]

    said = {"picture": "lines are medians.", "left": "a loss. It falls.", "right": "it rises. For twelve seeds:"}
    assert explained(2, said) == ["Lines are medians.", "A loss. It falls.", "It rises."]
    assert explained(0, said) == ["Lines are medians. On the left, a loss. It falls. On the right, it rises."]
    assert explained(2, {**said, "picture": ""})[0] == "On the left, a loss. It falls. On the right, it rises."
    assert explained(2, {"picture": "it rises."}) == ["It rises.", "", ""]
    assert explained(3, said)[1:] == ["", "", ""]


def test_a_caption_ends_where_its_text_leads_on_to_the_next_cell():
    assert told("Each bar is a weight. One wins by chance. Is that typical? For twelve seeds:") == (
        "Each bar is a weight. One wins by chance."
    )
    assert told("They disagree: one gains nothing.") == "They disagree: one gains nothing."


def test_on_a_slide_the_grey_text_of_a_figure_is_dark_and_all_else_is_as_it_was():
    text, query, faint = ([round(255 * each) for each in to_rgb(c)] for c in (style.TEXT, style.CYCLE[0], style.FAINT))
    before = np.array([[[*text, 255], [*text, 90], [*query, 255], [*faint, 255], [0, 0, 0, 0]]], dtype=np.uint8)
    png = io.BytesIO()
    Image.fromarray(before).save(png, "PNG")
    after = np.asarray(Image.open(io.BytesIO(base64.b64decode(with_dark_text(base64.b64encode(png.getvalue()).decode())))))
    assert after[..., 3].tolist() == before[..., 3].tolist()
    assert after[0, :2, :3].max() < 70
    assert after[0, 2:].tolist() == before[0, 2:].tolist()
    shown = [each for slide in slides.of_lesson("04") for each in (slide, *slide.below) if each.pictures]
    for slide in shown:
        pixels = np.asarray(Image.open(io.BytesIO(base64.b64decode(slide.pictures[0].png))).convert("RGBA"))
        assert not ((pixels[..., :3] == text).all(axis=-1) & (pixels[..., 3] > 0)).any(), slide.heading
