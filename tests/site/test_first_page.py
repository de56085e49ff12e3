"""The site's first page: what the models wrote is theirs, and what it asks readers to try can be done."""

import pytest
import torch

from transformer_course.attention import softmax
from transformer_course.experiments.build_ladder import COURSE
from transformer_course.site.first_page import NAMES, TOKENS, samples


def test_each_model_whose_text_is_shown_is_as_good_as_the_ladder_of_the_build_says():
    recorded = {sample.model: sample.bits for sample in samples()}
    measured = {name: COURSE[name][0] for name in recorded if name in COURSE}
    assert len(measured) == 6
    assert {name: recorded[name] for name in measured} == pytest.approx(measured, abs=0.05)


def test_red_can_take_more_than_nine_tenths_from_car_but_only_if_both_move():
    def taken(**moved: list[float]) -> float:
        tokens = torch.tensor([moved.get(name, token) for name, token in zip(NAMES, TOKENS, strict=True)], dtype=torch.float32)
        return float(softmax(tokens[0] @ tokens.T)[NAMES.index("car")])

    corner = [2.5, 2.5]  # as far as a token can be dragged
    assert taken(car=corner) < 0.9 < taken(red=[1.25, 1.25], car=corner)
