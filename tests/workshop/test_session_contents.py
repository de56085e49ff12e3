"""What a session covers of a lesson."""

from workshop_pages import EACH, of

from transformer_course.workshop import session_contents
from transformer_course.workshop.exit_tickets import TICKETS
from transformer_course.workshop.sessions import Lead


@EACH
def test_each_part_has_questions_about_what_the_room_has_had(plan):
    known = set()
    for lead in of(plan, Lead):
        before = session_contents.recall_questions_to_ask(lead, known)
        way = [question for question in session_contents.questions_in(lead) if question.is_prediction]
        last = session_contents.final_questions(lead)
        known.add(lead.lesson)
        assert lead.lesson == "00" or lead.start or len(before + way + last) >= 3
        assert way or lead.lesson == "00"
        for question in before + way + last:
            assert question.is_prediction == (question in way)
            assert len(question.choices) >= 3
            assert set(question.origin) <= known - {lead.lesson} or question in last
    for day in TICKETS[plan.name]:
        assert 3 <= len(day) <= 4
        assert {ticket.lesson for ticket in day} <= {"", *known}
