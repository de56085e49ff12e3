"""Inputs that should expose a bug: what is wrong with one that does not."""

from examining import told

EYE = [[1, 0], [0, 1]]


def test_an_input_that_is_none_or_hides_the_bug_is_told(snapshot):
    answers = {
        "three arrays": (EYE, EYE, EYE),
        "one array": EYE,
        "text": (EYE, EYE, "swap", EYE),
        "infinity": (EYE, EYE, [[float("inf"), 0], [0, 1]], EYE),
        "a vector": ([1, 0], EYE, EYE, EYE),
        "a row too few": (EYE, [[1, 0]], EYE, EYE),
        "different widths": (EYE, [[1], [0]], EYE, EYE),
        "large numbers": (EYE, EYE, [[0, 1e9], [1, 0]], EYE),
        "equal values": (EYE, EYE, [[1, 1], [1, 1]], [[1, 1], [1, 1]]),
        "one open": (EYE, EYE, ..., EYE),
        # all scores of a row are the same for both, since the second coordinate, which tells the tokens apart, is lost
        "both agree by chance": ([[1, 0], [1, 1]], [[1], [0]], [[2], [0]], EYE),
    }
    assert {name: told("attention.hidden_fault", answer) for name, answer in answers.items()} == snapshot
