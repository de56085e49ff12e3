"""Sheet 12: influence maps, layer after layer, of an encoder that one layer of which was run without the mask."""

from ..kinds import TwoTier

AGAIN = "Which cells does each layer add to the map before it? A ■ stays a ■ in all later maps."

which_layer = TwoTier(
    id="encoder.which_layer",
    prompt="Use influence maps to tell which layers of an encoder were run with the padding mask.",
    right={"claim": "c", "reason": "b", "value": 17},
    atol=0.1,
    why=(
        "With the mask in every layer, no real token depends on padding, so a ■ in the row of a real token and the column "
        "of a padding token shows that a layer had no mask."
    ),
    hints=(
        "First draw the map of an encoder with the mask in every layer. The lesson shows one for seven positions.",
        "Compare each map with the one before it. When can a real token come to depend on the padding?",
        "Suppose that layer 3 masks the padding. Does this remove what the real tokens have already read?",
    ),
    mistakes={
        "nothing is wrong": (
            "After layer 2, output 1 depends on input 5, which is padding. A residual connection cannot cause this: it carries only a "
            "position's own vector.",
            AGAIN,
            {"claim": "a"},
        ),
        "the first layer": (
            "After layer 1, no real position depends on the padding. So the first layer had the mask.",
            AGAIN,
            {"claim": "b"},
        ),
        "the third layer too": (
            "Layer 2 was indeed run without the mask. But the third map says nothing about layer 3: by then the real tokens depended "
            "on the padding, and real tokens are not masked.",
            AGAIN,
            {"claim": "d"},
        ),
        "the diagonal as a reason": (
            "But outputs 4 and 5 would depend on their own inputs with the mask in every layer too, because of the residual "
            "connection.",
            "Which cells appear in the second map that are not in the first?",
            "a",
        ),
        "the third map as a reason": (
            "But the third map would be full even if layer 3 had the mask: what has come in stays in.",
            "Which cells appear in the second map that are not in the first?",
            "c",
        ),
        "the rows of padding as a reason": (
            "But positions 4 and 5 may attend to the real ones, because the mask is on the keys, the columns. Their rows are "
            "never empty.",
            "Which cells appear in the second map that are not in the first?",
            "d",
        ),
        "the diagonal forgotten": (
            "15 counts the three columns of the real positions. Two more cells have a ■ even with the mask in every layer.",
            "Which cells in the padding columns have a ■ in the first map?",
            15,
        ),
        "the rows masked too": (
            "But padding positions have queries too, and these attend to the real positions: their rows are not empty.",
            "The first map was made with the mask. Would more layers with the mask add a ■?",
            9,
        ),
        "the map as it is": (
            "But 25 is the number in the third map as shown, without the mask in layer 2.",
            "The first map was made with the mask. Would more layers with the mask add a ■?",
            25,
        ),
    },
)
