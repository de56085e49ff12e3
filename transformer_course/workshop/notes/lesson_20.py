"""Notes on lesson 20."""

from .note import Note, Notes

NOTES: Notes = {
    "20 · Do attention weights explain?": Note(
        "Everybody can say what an attention map is a map of.",
        (
            "You have seen beautiful maps in the last two days.",
            "Now we ask what such a map proves.",
        ),
        "A weight says how a head mixed its values. Whether that is the reason for the answer is another question.",
    ),
    "Take the word away": Note(
        "Everybody can describe the experiment, and the control.",
        (
            "If the model wrote 4 because of forty, the 4 should go when we hide forty.",
            "We try this with every word, and compare with the weights. How often will the two agree?",
        ),
        "In this model, the weights are a good hint, but not a proof. Always compare them with shuffled weights.",
        {
            "Why do you hide the word in the encoder too?": "Because the encoder has mixed the words: a word that is hidden "
            "only from the decoder can still arrive inside other vectors.",
        },
    ),
    "The same test for a GPT": Note(
        "Everybody can give one reason why the same test turns out differently here.",
        (
            "We run the same test on a different model, in its last layer.",
            "Will the weights be as good a hint as before?",
        ),
        "In a late layer, the vector at a letter's position no longer represents just that letter.",
        {
            "Which layer should I look at, then?": "Nobody can say in advance. Test it, with a control, for your own model.",
        },
    ),
    "Weight times what?": Note(
        "Everybody has ranked three tokens by what they add.",
        (
            "A head adds up weight times value, so look at both.",
            "Fill in the four gaps. Which token adds most?",
        ),
        "A large weight on a short value adds little.",
    ),
    "Does the output determine the weights?": Note(
        "Everybody has found other weights with the same output, on paper.",
        (
            "Three tokens with the values 0, 1 and 2, and an output of 1.",
            "Can other weights give the same output? Try it on paper before you click.",
        ),
        "With more than d_v + 1 tokens, a head's output does not determine its weights.",
        {
            "So are attention maps useless?": "No. They hint at where to look, and an experiment tells you what the "
            "hint is worth.",
        },
    ),
}
