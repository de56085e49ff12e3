"""What is read from the lessons: every question, with its choices and replies."""

import re

from transformer_course._util import paths
from transformer_course.exercises.catalogue import predictions
from transformer_course.workshop import lesson


def test_every_question_of_the_course_is_found():
    for number in (path.stem[:2] for path in paths.notebooks("notebooks")):
        text, replied = "", {}  # the text above each cell that replies to a guess
        for cell in lesson.read(number).cells:
            if cell.cell_type == "markdown" and lesson.PREDICT in cell.source:
                text = cell.source.replace(lesson.PREDICT, "")
            elif cell.cell_type == "code" and (call := re.search(r'reply\("([\w.]+)"', cell.source)):
                replied[call[1]] = text
        predicted = [question for question in lesson.questions(number) if question.name]
        assert [question.name for question in predicted] == [*replied]
        assert [*replied] == [name for name in predictions() if name.startswith(number)]
        assert all(question.text and question.text in replied[question.name] for question in predicted)
        if number == "00":
            continue  # its questions are numbered ones, about the reader's own knowledge
        text = "\n".join(cell.source for cell in lesson.read(number).cells if cell.cell_type == "markdown")
        asked = [len(question.choices) for question in lesson.questions(number) if not question.name]
        folds = re.findall(r"(?:<details>(?:(?!</?details>).)*</details>\s*){2,}", text, re.DOTALL)
        assert asked == [fold.count("<summary>") for fold in folds]
