"""What is read from the lessons: every question, in its place."""

from transformer_course._util import paths
from transformer_course.exercises.catalogue import question_groups, questions
from transformer_course.workshop import lesson


def test_every_question_of_the_course_is_found():
    asked = [each for path in paths.notebooks("notebooks") for each in lesson.asked(path.stem[:2])]
    assert sorted(each.question.id for each in asked) == sorted(questions())
    in_groups = [question for group in question_groups().values() for question in group]
    assert all(each.is_prediction != (each.question in in_groups) for each in asked)


def test_a_question_counts_for_the_section_that_asks_it():
    asked = {each.question.id: each.heading for each in lesson.asked("02")}
    assert asked["02.recall.exp"] == lesson.title("02")
    assert asked["02.zero"] == "From scores to weights"
    assert asked["02.exit.row_sums"] == "Before you go"


def test_the_words_of_a_section_include_its_questions_but_not_the_replies_to_a_guess():
    part = next(part for part in lesson.sections("02") if part.heading == "From scores to weights")
    (prediction,) = part.asked
    without = lesson.Section(part.heading, part.begins, part.cells, part.prose)
    assert part.words - without.words == 22  # numbers are not counted
    assert prediction.question.id == "02.zero"
    final = next(part for part in lesson.sections("02") if part.heading == "Before you go")
    assert final.words > sum(len(choice.reply.split()) for each in final.asked for choice in each.question.choices) * 0.7
