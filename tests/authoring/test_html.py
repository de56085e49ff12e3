"""How replies and diagnoses become HTML."""

import re

from transformer_course.authoring.html import marked
from transformer_course.exercises.catalogue import catalogue, predictions


def test_code_and_emphasis_are_shown_and_a_product_is_no_emphasis():
    assert marked("*now*, (*not* `a*b*c`), 2 * 3 * 4, **kwargs, *x <b>") == (
        "<em>now</em>, (<em>not</em> <code>a*b*c</code>), 2 * 3 * 4, **kwargs, *x &lt;b&gt;"
    )
    texts = [reply for prediction in predictions().values() for reply in prediction.replies.values()]
    mistakes = [mistake for exercise in catalogue().values() for mistake in exercise.mistakes]
    texts += [text for mistake in mistakes for text in (mistake.diagnosis, mistake.hint)]
    shown = [re.sub("<code>.*?</code>", "", marked(text)) for text in texts]
    assert sum("<em>" in text for text in shown) >= 20
    assert not [text for text in shown if re.search(r"(?<!\w)\*\w[^*]*\*", text)]
