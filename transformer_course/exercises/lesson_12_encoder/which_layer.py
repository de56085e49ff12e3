"""Sheet 12: influence maps, layer after layer, of an encoder that one layer of which was run without the mask."""

from ..exercise import Mistake
from ..kinds import TwoTier

AGAIN = "Which cells does each layer add to the map below it? A cell that is dark stays dark."

which_layer = TwoTier(
    id="encoder.which_layer",
    answer_name="verdict",
    prompt="Read from influence maps which layers of an encoder were given the padding mask.",
    right={"claim": "c", "reason": "b", "value": 17},
    choices={"claim": "abcd", "reason": "abcd"},
    atol=0.1,
    why=(
        "With the mask in every layer, no real token depends on padding, so a real token's mark in a padding column shows "
        "that a layer had no mask."
    ),
    hints=(
        "First work out what the map should be if the mask were in every layer. The lesson has it, for seven places.",
        "Compare each map with the one before it. What does it take for a real token to move with the padding?",
        "Padding came in with layer 2. If layer 3 then masks the padding, does that take out what the real tokens have already heard?",
    ),
    mistakes=(
        Mistake(
            "nothing is wrong",
            "After layer 2, place 1 moves when place 5 is changed, which is padding. No residual connection carries that: it carries a "
            "place's own vector past.",
            AGAIN,
            {"claim": "a"},
        ),
        Mistake(
            "the first layer",
            "After layer 1, no real place moves with the padding. So the first layer was given the mask.",
            AGAIN,
            {"claim": "b"},
        ),
        Mistake(
            "the third layer too",
            "Layer 2 was run without it. But that the third map is dark throughout says nothing about layer 3: the real tokens had heard of the "
            "padding by then, and they are not masked.",
            AGAIN,
            {"claim": "d"},
        ),
        Mistake(
            "the diagonal as a reason",
            "The claim fits. That places 4 and 5 move with themselves is so, and it would be so with a mask in every layer: it is the "
            "residual connection.",
            "What shows that layer 2 did something that layer 1 did not?",
            {"reason": "a"},
        ),
        Mistake(
            "the third map as a reason",
            "The claim fits. But the third map would be dark throughout with the mask in layer 3 as well: whatever has come in stays in.",
            "What shows that layer 2 did something that layer 1 did not?",
            {"reason": "c"},
        ),
        Mistake(
            "the rows of padding as a reason",
            "The claim fits. But places 4 and 5 may attend to the real ones: what is masked are keys, and with them columns. Their rows are "
            "dark in every encoder.",
            "What shows that layer 2 did something that layer 1 did not?",
            {"reason": "d"},
        ),
        Mistake(
            "the diagonal forgotten",
            "Claim and reason are right. 15 are the three columns of the real places. Two more cells are dark, even with the mask in every "
            "layer: see the first map.",
            "Which cells of padding are dark in the first map?",
            {"claim": "c", "reason": "b", "value": 15},
        ),
        Mistake(
            "the rows masked too",
            "Claim and reason are right. Places of padding have queries as well, and hear the real ones: their rows are dark in the first "
            "three columns.",
            "The first map was made with the mask. Would more layers with it add a cell?",
            {"claim": "c", "reason": "b", "value": 9},
        ),
        Mistake(
            "the map as it is",
            "Claim and reason are right. 25 is what the third map has. The exercise asks how many it would have with the mask in every layer.",
            "The first map was made with the mask. Would more layers with it add a cell?",
            {"claim": "c", "reason": "b", "value": 25},
        ),
    ),
)
