"""The data flow of each operation, and the colours and shapes in it."""

import numpy as np
import pytest
import torch
from matplotlib.colors import to_hex, to_rgb
from matplotlib.patches import Rectangle

from transformer_course import figures, models
from transformer_course.figures.drawing import CELL, filled, matrix, page
from transformer_course.figures.schematics import SCHEMATICS
from transformer_course.figures.style import KEY, QUERY, VALUE
from transformer_course.quantization import quantize


def texts(ax) -> list[str]:
    return [text.get_text().replace("$", "").strip() for text in ax.texts]


def cells(ax, colour) -> int:
    return sum(isinstance(patch, Rectangle) and patch.get_facecolor()[:3] == to_rgb(colour) for patch in ax.patches)


@pytest.mark.parametrize("name", SCHEMATICS)
def test_no_two_texts_overlap_and_none_leaves_the_page(name):
    ax = figures.schematic(name)
    ax.figure.canvas.draw()
    boxes = [(text.get_text(), text.get_window_extent()) for text in ax.texts if text.get_text()]
    for k, (label, box) in enumerate(boxes):
        assert ax.figure.bbox.x0 <= box.x0 < box.x1 <= ax.figure.bbox.x1, label
        for other, place in boxes[:k]:
            assert not box.shrunk(0.98, 0.8).overlaps(place.shrunk(0.98, 0.8)), f"{label} lies on {other}"


def test_the_mixture_has_the_numbers_of_the_hand_worked_example():
    drawn = texts(figures.schematic("mixture"))
    assert [drawn.count(number) for number in ("0.4223", "0.1554", "0.8446", "0.5777")] == [5, 2, 1, 1]


def test_queries_keys_and_values_have_their_colours_and_shapes():
    ax = figures.schematic("attention")
    assert (cells(ax, QUERY), cells(ax, KEY), cells(ax, VALUE)) == (4 * 3, 4 * 3, 2 * 4 * 4)
    for shape in ("n × d", "d × d_k", "n × d_k", "n × d_v", "n × n"):
        assert shape in texts(ax)
    ax = figures.schematic("heads")
    assert (cells(ax, QUERY), cells(ax, KEY), cells(ax, VALUE)) == (24, 24, 24 + 24 + 24)


def test_cross_attention_has_as_many_queries_and_outputs_as_target_tokens_and_keys_as_source_tokens():
    ax = figures.schematic("cross_attention")
    assert (cells(ax, QUERY), cells(ax, KEY), cells(ax, VALUE)) == (2 * 4, 3 * 4, 3 * 4 + 2 * 4)
    assert [texts(ax).count(shape) for shape in ("n × d", "m × d", "n × m")] == [3, 3, 1]


def test_rotary_positions_turn_queries_and_keys_but_not_values():
    ax = figures.schematic("rotary")
    assert (cells(ax, QUERY), cells(ax, KEY), cells(ax, VALUE)) == (2 * 4 * 3, 2 * 4 * 3, 2 * 4 * 4)
    assert texts(ax).count("rotate") == 2


def test_the_ids_of_the_drawn_text_are_those_of_the_translators_vocabulary():
    ids = models.load("translator")[1]["source"].encode(["three", "hundred", "and", "five"])
    drawn = texts(figures.schematic("embedding"))
    assert all(str(number) in drawn for number in ids)


def test_masked_weights_are_zero_above_the_diagonal():
    ax = figures.schematic("mask")
    assert texts(ax).count("0") == 6


def test_a_step_of_generating_has_its_shapes_and_appends_a_token():
    drawn = texts(figures.schematic("generation"))
    assert [drawn.count(shape) for shape in ("n", "n × v", "v")] == [1, 1, 1]
    assert [token in drawn for token in ("If", "the", "file", "is")] == [True] * 4


def test_each_step_computes_one_query_key_and_value_and_keeps_the_earlier_ones():
    ax = figures.schematic("cache")
    strong = [patch.get_facecolor() for patch in ax.patches if patch.get_facecolor()[3] == 1]
    pale = [patch.get_facecolor() for patch in ax.patches if patch.get_facecolor()[3] < 1]
    for colour, computed in ((QUERY, 3), (KEY, 3), (VALUE, 6)):  # with the outputs
        assert sum(found[:3] == to_rgb(colour) for found in strong) == 3 * computed
    for colour in (KEY, VALUE):
        assert sum(found[:3] == to_rgb(colour) for found in pale) == 3 * (0 + 1 + 2)


def test_heads_share_fewer_and_fewer_keys_and_values():
    ax = figures.schematic("shared_keys")
    assert (cells(ax, QUERY), cells(ax, KEY), cells(ax, VALUE)) == (3 * 4, 4 + 2 + 1, 4 + 2 + 1)


def test_gpt_sees_a_triangle_and_has_all_labels_while_bert_and_vit_see_all_and_have_one():
    drawn = texts(figures.schematic("family"))
    assert [drawn.count(shape) for shape in ("n × n", "n × v", "1 × 10", "–")] == [3, 2, 1, 4 + 4]
    ax = figures.schematic("family")
    pale = [patch for patch in ax.patches if isinstance(patch, Rectangle) and 0 < patch.get_facecolor()[3] < 1]
    assert len(pale) == 4 + 3 + 2 + 1


def test_the_codes_of_the_drawing_are_those_of_the_library():
    drawn = texts(figures.schematic("quantization"))
    row = torch.tensor([float(text) for text in drawn if "." in text][:8])
    found = quantize(row, bits=4, group_size=4)
    start = drawn.index("codes: 4 bits each")
    assert [int(text) for text in drawn[start - 8 : start]] == found.codes.tolist()
    assert [f"{scale:.1f}" for scale in found.scales.tolist()] == ["0.1", "0.4"]


def test_a_draft_is_kept_up_to_the_first_rejected_token():
    drawn = texts(figures.schematic("speculative"))
    assert [drawn.count(token) for token in ("file", "is", "closed", "not")] == [2, 2, 1, 1]
    assert [drawn.count(shape) for shape in ("k", "k × v", "(k + 1) × v")] == [1, 1, 1]


def test_a_matrix_has_the_proportions_of_its_shape():
    ax = page(100)
    box = matrix(ax, 10, 50, filled(2, 5, QUERY), "Q", "2 × 5")
    assert (box.width, box.height) == (5 * CELL, 2 * CELL)
    assert (box.left, box.right) == ((10, 50), (10 + 5 * CELL, 50))
    assert (box.top, box.bottom) == ((10 + 2.5 * CELL, 50 - CELL), (10 + 2.5 * CELL, 50 + CELL))
    assert {to_hex(patch.get_facecolor()) for patch in ax.patches} == {QUERY.lower()}
    assert np.shape(ax.patches) == (10,)


def test_an_unknown_name_gets_a_near_one():
    with pytest.raises(ValueError, match="unknown schematic 'head'; did you mean 'heads'\\?"):
        figures.schematic("head")
