"""File names that every file system accepts, and that nobody can share."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transformer_course.grading.sanitize import plain
from transformer_course.grading.submissions.filenames import RESERVED, file_names, look_alikes

ODD = st.sampled_from(
    ["CON", "con.txt", "aux ", "..", ".", "", "a/b", "a\\b", "a:b", "A", "a", "ａ", "ß", "ss", "é", "e\u0301", "com¹"]
)


@given(st.lists(st.one_of(st.text(max_size=300), ODD), unique=True))
def test_file_names_fit_every_file_system_and_never_meet(learners):
    names = file_names(learners)
    assert list(names) == learners
    for name in names.values():
        assert 0 < len(name.encode()) <= 200
        assert not set(name) & set('<>:"/\\|?*')
        assert not name.startswith((".", "-", " "))
        assert not name.endswith((".", " "))
        assert not RESERVED.fullmatch(name.casefold())
        assert plain(name, 300) == name
    assert len({unicodedata.normalize("NFKD", name).casefold() for name in names.values()}) == len(learners)


def test_file_names_stay_readable_and_do_not_depend_on_the_others_order():
    names = file_names(["王小明", "Anna B", "anna b", "Lee, Max", "CON", "x" * 300])
    assert (names["王小明"], names["Lee, Max"], names["CON"]) == ("王小明", "Lee, Max", "_CON")
    assert re.fullmatch(r"Anna B-[0-9a-f]{12}", names["Anna B"])
    assert file_names(["anna b", "Anna B"]) == {name: names[name] for name in ("anna b", "Anna B")}
    taken = names["Anna B"]
    assert len({name.casefold() for name in file_names([taken, "Anna B", "anna b"]).values()}) == 3


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Anna", "\u0410nna"),  # Cyrillic
        ("Anna", "\u0391nn\u0430"),  # Greek and Cyrillic
        ("Anna", "Ａｎｎａ"),
        ("Anna", "An\u200dna\u3164"),
        ("Ida m", "lda rn"),
        ("O'Hara 0", "O’Hara O"),
        ("x" * 120, "x" * 110),  # not all of it is shown
    ],
)
def test_letters_of_other_alphabets_that_look_the_same_are_told_apart(name, other):
    files = look_alikes([name, other, "Anna Lee", "Änna", "anna", "Hanna", "王小明"])
    assert files.keys() == {name, other}
    assert all(re.fullmatch(r".+-[0-9a-f]{12}", file) and len(file) <= 100 for file in files.values())
    assert files.items() <= file_names([name, other]).items()


def test_names_that_look_the_same_are_told_apart_and_no_others():
    alike = ["Ada Two", "Ada  Two", "Rene\u0301", "Ren\u00e9"]
    files = file_names([*alike, "anna b", "Anna B", "Lee/Max", "Zoe\u0301"])
    assert look_alikes(files) == {name: files[name] for name in alike}
    assert len({*files.values()}) == len(files)
