"""How replies and diagnoses become HTML."""

import re

from transformer_course.exercises.catalogue import catalogue, questions
from transformer_course.exercises.markup import marked


def test_code_and_emphasis_are_shown_and_a_product_is_no_emphasis():
    assert marked("*now*, (*not* `a*b*c`), 2 * 3 * 4, **kwargs, *x <b>") == (
        "<em>now</em>, (<em>not</em> <code>a*b*c</code>), 2 * 3 * 4, **kwargs, *x &lt;b&gt;"
    )
    assert marked("**one step** of *two*, $a * b * c < d$") == "<strong>one step</strong> of <em>two</em>, $a * b * c &lt; d$"
    choices = [choice for question in questions().values() for choice in question.choices]
    texts = [question.text for question in questions().values()]
    texts += [text for choice in choices for text in (choice.text, choice.reply)]
    mistakes = [mistake for exercise in catalogue().values() for mistake in exercise.mistakes]
    texts += [text for mistake in mistakes for text in (mistake.diagnosis, mistake.hint)]
    shown = [re.sub("<code>.*?</code>", "", marked(text)) for text in texts]
    assert sum("<em>" in text for text in shown) >= 20
    assert not [text for text in shown if re.search(r"(?<!\w)\*\w[^*]*\*", text)]
