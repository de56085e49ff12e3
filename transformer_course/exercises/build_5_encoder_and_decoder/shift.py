"""Stage B5: the shift, as in sheet 14, now as a function of the learner's own Transformer."""

from dataclasses import replace

from ..lesson_14_loss.shift import shift_right

shift = replace(
    shift_right,
    id="build.shift",
    ids=True,
    prompt="A batch of targets as the decoder's inputs and the labels.",
    hints=(
        "The labels are the targets as they are. Which token comes before the first label?",
        "`targets[:, :-1]` is every row without its last token. It needs a column in front, of shape (b, 1), that holds "
        "`begin`.",
        "`torch.full_like(targets[:, :1], begin)` is such a column, and `torch.cat([column, rest], dim=1)` joins the two.",
    ),
)
