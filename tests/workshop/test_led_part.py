"""What a session covers of a lesson."""

from workshop_pages import EACH, of

from transformer_course.exercises.catalogue import predictions
from transformer_course.workshop import led_part
from transformer_course.workshop.exit_tickets import TICKETS
from transformer_course.workshop.sessions import Lead


@EACH
def test_each_part_has_questions_with_one_right_choice_and_a_reply_to_each(plan):
    known = set()
    for lead in of(plan, Lead):
        before = led_part.recall_questions_to_ask(lead, known)
        way, last = led_part.predictions_in(lead), led_part.final_questions(lead)
        known.add(lead.lesson)
        assert lead.lesson == "00" or len(before + way + last) >= 3
        assert way
        for question in before + way + last:
            assert sum(choice.right for choice in question.choices) == 1, question
            assert all(choice.text and choice.reply for choice in question.choices)
            assert len(question.choices) >= 3
            assert set(question.origin) <= known - {lead.lesson} or question in last
        for question in way:
            assert {choice.letter: choice.reply for choice in question.choices} == predictions()[question.name].replies
    for day in TICKETS[plan.name]:
        assert 3 <= len(day) <= 4
        assert {ticket.lesson for ticket in day} <= {"", *known}
