"""Who belongs to a class, and who was late."""

from datetime import datetime
from functools import partial

import pytest
from reporting import EXERCISES, POINTS, graded, missed, refused, rows, write

from transformer_course.grading.errors import GradingError
from transformer_course.grading.graded import Graded, Submission
from transformer_course.grading.points import marks
from transformer_course.grading.submissions.class_list import ClassList, late_by_download, read_roster

DUE = datetime(2026, 12, 1, 18, 0)


def roster(tmp_path, text, encoding="utf-8"):
    path = tmp_path / "roster.csv"
    path.write_bytes(text.encode(encoding))
    return read_roster(path)


def handed_in(name, hours=None, **more):
    """A submission, saved so many hours after the deadline."""
    return Submission(name, None, changed=None if hours is None else DUE.timestamp() + 3600 * hours, **more)


@pytest.mark.parametrize(
    "text",
    [
        "name,number,extra hours\r\nAnna Lee,20417,24\r\n张伟,20418,\r\n",
        "\ufeffNumber;Name;Extra hours\n20417;Anna Lee;24,0\n20418;张伟;0",  # no final line end
        "name\tnumber\textra hours\n\nAnna Lee\t20417\t24\n  \t\t\n张伟\t20418\n",
    ],
)
def test_a_roster_is_read_however_a_spreadsheet_saves_it(tmp_path, text):
    found = [(each.name, each.number, each.extra_hours) for each in roster(tmp_path, text).values()]
    assert found == [("Anna Lee", "20417", 24.0), ("张伟", "20418", 0.0)]


def test_those_who_handed_in_nothing_are_listed_and_strangers_are_named(tmp_path):
    members = roster(tmp_path, "name,number\nAnna Lee,1\nJosé,2\nZoe,77\nNever There,4\n")
    given = [handed_in("anna  lee"), handed_in("Jose\u0301"), handed_in("Z. Z.", participant="77"), handed_in("Guest")]
    listed, strangers = ClassList(members).applied(given, "03")
    assert [(each.learner, each.number) for each in listed] == [
        ("anna  lee", "1"),
        ("Guest", ""),
        ("Jose\u0301", "2"),
        ("Never There", "4"),
        ("Z. Z.", "77"),
    ]
    assert listed[3].problem == "Nothing was handed in for sheet 03."
    assert strangers == ["Guest"]


def test_names_match_the_folders_of_moodle_which_lack_some_characters(tmp_path):
    members = roster(tmp_path, 'name\n"O\'Brien, Siobhán"\n"Zoë ""Zo"" Müller"\nAna_Beatriz Costa\nDr. J.. Doe\nD\'Angelo\n')
    folders = ("OBrien, Siobhán", "Zoë Zo Müller", "Ana Beatriz Costa", "Dr. J Doe", "D’Angelo")
    listed, strangers = ClassList(members).applied([handed_in(name) for name in folders], "03")
    assert (len(listed), strangers) == (5, [])


def test_a_roster_in_which_nobody_is_found_is_refused(tmp_path):
    members = roster(tmp_path, "name\nAnna\nBo\n")
    with pytest.raises(GradingError, match=r"None of the 2 names on the roster .* the first submission is from 'Guest'"):
        ClassList(members).applied([handed_in("Guest")], "03")


@pytest.mark.parametrize(
    ("hours", "downloaded"),
    [((5, 5, 5), True), ((5, 29, 77), True), ((5, 5), False), ((5, 5, -1), False), ((-1, -1, -1), False)],
)
def test_that_all_are_late_at_once_is_noticed(hours, downloaded):
    listed, _ = ClassList({}, DUE, 10).applied([handed_in(str(place), each) for place, each in enumerate(hours)], "02")
    assert late_by_download(listed) == downloaded


def test_each_day_that_has_begun_costs_and_extra_hours_come_first(tmp_path):
    members = roster(tmp_path, "name,extra hours\nslow,24\nother,\n")
    given = [handed_in("slow", 24), handed_in("slow ", 25), handed_in("other", 0), handed_in("Guest", 25), handed_in("x", 999)]
    listed, _ = ClassList(members, DUE, 10).applied(given, "02")
    late = {each.learner: (each.days_late, each.deducted) for each in listed}
    assert late == {"slow": (0, 0), "slow ": (1, 0.1), "other": (0, 0), "Guest": (2, 0.2), "x": (42, 1.0)}
    assert [each.learner for each in listed if each.in_extra_hours] == ["slow"]
    without, _ = ClassList({}, DUE).applied(given[-1:], "02")
    assert (without[0].days_late, without[0].deducted) == (42, 0.0)  # only told
    no_time, _ = ClassList({}, DUE, 10).applied([handed_in("Guest")], "02")
    assert no_time[0].days_late == 0


def test_what_is_deducted_is_in_the_total_and_said(tmp_path):
    late = Submission("Ada", None, changed=0.0, days_late=2, deducted=0.2, number="=7")
    mark = marks(late, graded(missed()), POINTS)  # 27 of 28 points
    assert mark.total == pytest.approx(27 - 0.2 * 28)
    assert mark.late == "2 days late, which costs 5.6 of 28 points (20%)."
    nothing = Graded({exercise.id: missed() for exercise in EXERCISES})
    assert (marks(late, nothing, POINTS).total, marks(late, nothing, POINTS).late) == (0, "2 days late.")
    little = Graded({exercise.id: missed(0.1) for exercise in EXERCISES})  # 2.8 of 28 points
    assert (marks(late, little, POINTS).total, marks(late, little, POINTS).late) == (
        0,
        "2 days late, which costs all the points.",
    )
    in_time = marks(Submission("Bo", None), graded(), POINTS)
    assert (in_time.late, in_time.percent) == ("", 100)
    assert marks(Submission("Cy", None, in_extra_hours=True), graded(), POINTS).late == "On time, within the extra hours."
    punctual, nobody = Submission("Bo", None, changed=0.0), Submission("Di", None, "Nothing was handed in for sheet 02.")
    write(tmp_path, [(late, graded(missed())), (punctual, graded()), (nobody, nothing)])
    first, *others = rows(tmp_path)
    assert (first["number"], others[0]["number"]) == ("'=7", "")  # no formula
    assert (first["days late"], *(row["days late"] for row in others)) == ("2", "0", "")
    assert first["remark"] == mark.late
    assert mark.late in (tmp_path / "feedback" / "Ada.html").read_text().replace("&#39;", "'")


UNREADABLE = {
    "empty": "",
    "nobody": "name,number\n",
    "no header": "Anna Lee,20417\n",
    "a name twice": "name,number\nAnna,1\nanna,2\n",
    "a number twice": "name,number\nAnna,1\nBo,1\n",
    "no name": "name,number\n,1\n",
    "hours in words": "name,extra hours\nAnna,two\n",
    "negative hours": "name,extra hours\nAnna,-1\n",
    "NaN": "name,extra hours\nAnna,nan\n",
}


def test_what_is_no_roster_gets_one_sentence(tmp_path, snapshot):
    reads = {case: partial(roster, tmp_path, text) for case, text in UNREADABLE.items()}
    reads["not UTF-8"] = partial(roster, tmp_path, "name\nJosé\n", "latin-1")
    reads["no file"] = partial(read_roster, tmp_path / "missing.csv")
    told = {case: refused(tmp_path, read) for case, read in reads.items()}
    assert told == snapshot
