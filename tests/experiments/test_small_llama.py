"""The small Llama: which renaming of its weights is accepted, and what is said of others."""

import pytest

from transformer_course import build_parts
from transformer_course.experiments import small_llama
from transformer_course.experiments.small_llama import SIZES, WIDTH

QUERY, KEY, VALUE, OUT = (f"blocks.1.attention.w_{part}.weight" for part in "qkvo")
GATE, UP, DOWN = (f"blocks.1.feed_forward.w_{part}.weight" for part in ("gate", "up", "down"))
HEAD, GAMMA = "output.weight", "blocks.1.norm_1.gamma"


def pairs(weight, width):
    return weight.unflatten(0, (-1, 2, width // 2)).transpose(1, 2).flatten(0, 2)


WRONG = {  # a parameter, what it gets, and what is said of it
    "in Llama's order": (QUERY, lambda mine, of: of("self_attn.q_proj"), "has its rows in Llama's order"),
    "all heads at once": (KEY, lambda mine, of: pairs(of("self_attn.k_proj"), 2 * WIDTH), f"its width is {WIDTH} here"),
    "the values reordered": (VALUE, lambda mine, of: pairs(mine[VALUE], WIDTH), "Only queries and keys are rotated"),
    "a square one transposed": (OUT, lambda mine, of: mine[OUT].T, "is transposed. Llama has outputs by inputs"),
    "transposed": (
        DOWN,
        lambda mine, of: mine[DOWN].T,
        "should have shape (24, 20), but yours has (20, 24). Llama has outputs",
    ),
    "up as the gate": (GATE, lambda mine, of: mine[UP], f"holds what belongs to {UP}."),
    "one norm as the other": (GAMMA, lambda mine, of: mine["blocks.1.norm_2.gamma"], "holds what belongs to blocks.1.norm_2"),
    "the table as the output": (HEAD, lambda mine, of: mine["tokens.weight"], "the output layer is a matrix of its own"),
    "other numbers": (VALUE, lambda mine, of: 2 * mine[VALUE], "holds other numbers"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_one_is_told_which_weight_is_not_in_its_place(case, capsys):
    name, change, expected = WRONG[case]

    def to_mine(tensors):
        mine = small_llama.by_stage_names(tensors)
        return mine | {name: change(mine, lambda part: tensors[f"model.layers.1.{part}.weight"])}

    assert not small_llama.fits(to_mine, build_parts.Llama(**SIZES))
    says = capsys.readouterr().out
    assert f"{name} " in says
    assert expected in says
    assert says.count("\n") == 1
