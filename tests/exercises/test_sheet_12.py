"""Sheet 12: what it says of its exercises is so, and other answers are told why."""

import re
from functools import partial

import numpy as np
import torch
from examining import cells_of, solved, told, verdict

from transformer_course.attention import MultiHeadAttention
from transformer_course.exercises import catalogue
from transformer_course.exercises.families.mask import added, filled
from transformer_course.exercises.lesson_12_encoder.hub import MOST, reached
from transformer_course.exercises.lesson_12_encoder.steps import layer_of, self_attention
from transformer_course.inspection import attention_maps, perturbation_map
from transformer_course.transformer import Encoder, StackConfig


def test_a_large_negative_number_masks_as_well():
    for hide in (added(-1e9), added(-1e4), filled(np.finfo(np.float32).min)):
        assert verdict(catalogue()["encoder.layer"], layer_of(partial(self_attention, hide=hide))).passed


def test_what_sheet_12_says_of_its_exercises_is_so():
    text = "\n".join(cells_of("12"))
    sizes, layer, hub, maps = (catalogue()[f"encoder.{name}"] for name in ("sizes", "layer", "hub", "which_layer"))

    encoder = Encoder(StackConfig(d_model=20, num_heads=4, num_layers=3, d_ff=50, dropout=0.0))
    for each in encoder.layers:  # no biases in attention
        each.self_attention = MultiHeadAttention(20, 4, bias=False)
    with attention_maps(encoder) as weights:
        memory = encoder(torch.randn(2, 7, 20))
    parameters = [sum(p.numel() for p in part.parameters()) for part in (encoder.layers[0], encoder)]
    assert sizes.value == [weights["layers.0.self_attention"].numel(), *parameters, memory.numel()]

    keys = set(re.findall(r'\["(\w+)"\]', text))
    for _, weights, _, _ in layer.questions(0):
        assert set(weights) == keys

    encoder = Encoder(StackConfig(d_model=8, num_heads=2, num_layers=2, d_ff=16, dropout=0.0)).double()
    x = torch.randn(7, 8, dtype=torch.float64)
    for mistake in hub.mistakes:  # what the exercise says of a mask is what two layers do with it
        for mask in (solved(hub), mistake.answer, *mistake.variants):
            may = torch.from_numpy(np.asarray(mask) > 0)
            if may.any(-1).all():
                moves = perturbation_map(lambda tokens, may=may: encoder(tokens[None], may)[0], x) > 0
                assert np.array_equal(moves, reached(np.asarray(mask)))
    assert hub.violation(None, np.asarray(solved(hub), float)) is None
    assert np.asarray(solved(hub)).sum() == MOST == 12

    encoder = Encoder(StackConfig(d_model=8, num_heads=2, num_layers=3, d_ff=16, dropout=0.0)).double()
    real = (torch.arange(5) < 3)[None]

    def after(*masks):
        def run(tokens):
            tokens = tokens[None]
            for each, mask in zip(encoder.layers, masks, strict=False):
                tokens = each(tokens, mask)
            return tokens[0]

        return (perturbation_map(run, x[:5]) > 0).int()

    shown = [[part.split() for part in re.split(r"\s{4,}", row)[1:]] for row in re.findall(r"^ \d    .*$", text, re.MULTILINE)]
    for place, given in enumerate([(real,), (real, None), (real, None, real)]):
        assert [["·■"[cell] for cell in row] for row in after(*given).tolist()] == [row[place] for row in shown]
    assert torch.equal(after(real, None, real), after(real, None, None))  # of the third layer one cannot tell
    assert after(real, real, real).sum() == maps.right["value"]


def test_every_place_may_stand_in_the_middle():
    hub = catalogue()["encoder.hub"]
    for centre in range(7):
        mask = np.zeros((7, 7), dtype=bool)
        mask[centre] = mask[:, centre] = True
        assert verdict(hub, mask).mistake == "themselves allowed too"  # thirteen
        mask[centre, centre] = False
        assert verdict(hub, mask).passed


def test_a_mask_that_does_not_do_is_told_why(snapshot):
    empty_row = np.zeros((7, 7))
    empty_row[0, 1:] = empty_row[1:, 0] = 1
    empty_row[5] = 0
    masks = {
        "six positions": np.eye(6),
        "causal": np.tri(7),
        "43 entries": np.ones((7, 7)) - np.diag([1] * 6, 1),
        "an empty row": empty_row,
    }
    assert {case: told("encoder.hub", mask) for case, mask in masks.items()} == snapshot
