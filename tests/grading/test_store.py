"""Grading continues from the results on disk: they are read as they were written, anything damaged is graded again, and no
result is lost."""

import json

import pytest
from reporting import EXERCISES, graded, learner, missed, write

from transformer_course.grading import store


def test_only_whoever_grades_can_read_what_the_questions_depend_on(tmp_path):
    secret = store.open_folder(tmp_path / "out", "02", resume=False)
    assert store.open_folder(tmp_path / "out", "02", resume=False) == secret
    assert (tmp_path / "out" / store.SECRET).stat().st_mode & 0o777 == 0o600


def test_what_was_graded_is_not_graded_again(tmp_path):
    verdicts, answers = (
        (missed(0, "Not `so`.", "Look.", "a slip"), EXERCISES[1].empty(), None),
        {EXERCISES[0].id: '"</pre>"'},
    )
    result = graded(*verdicts, notes=("A cell failed.",), cells_failed=True, answers=answers)
    write(tmp_path, [(learner(), result)])
    assert store.load(tmp_path, "anna", "02") == ("d1 anna", "e1", result)
    result = graded(*7 * [None], problem="No sandbox.")
    write(tmp_path, [(learner(), result)])
    digest, version, again = store.load(tmp_path, "anna", "02")
    assert (digest, version, dict(again.verdicts), again.problem) == ("d1 anna", "e1", result.verdicts, "No sandbox.")
    assert store.load(tmp_path, "anna", "03") is None
    assert store.load(tmp_path, "bea", "02") is None


def test_a_result_from_when_the_sheet_had_another_order_is_read(tmp_path):
    result = graded()
    write(tmp_path, [(learner(), result)])
    path = tmp_path / "results" / "anna.json"
    record = json.loads(path.read_text("utf-8"))
    record["extra_data"]["verdicts"] = dict(reversed(record["extra_data"]["verdicts"].items()))
    path.write_text(json.dumps(record), "utf-8")
    _, _, again = store.load(tmp_path, "anna", "02")
    assert again.verdicts == result.verdicts
    assert [*again.verdicts] == [exercise.id for exercise in EXERCISES]


@pytest.mark.parametrize(
    ("part", "damage"),
    [
        ("digest", 3),
        ("edition", None),
        ("notes", "text"),
        ("notes", [3]),
        ("problem", None),
        ("cells_failed", "yes"),
        ("answers", None),
        ("verdicts", {}),
        ("verdicts", []),
        ("score", 1.5),
        ("score", "1"),
        ("score", float("nan")),
        ("passed", "yes"),
        ("message", None),
        ("more", 1),
    ],
)
def test_a_damaged_result_is_graded_again(tmp_path, part, damage):
    write(tmp_path, [(learner(), graded())])
    path = tmp_path / "results" / "anna.json"
    content = json.loads(path.read_bytes())
    stored = content["extra_data"]
    (stored if part in stored else stored["verdicts"]["attention.softmax"])[part] = damage
    path.write_text(json.dumps(content))
    assert store.load(tmp_path, "anna", "02") is None


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"{}", b'{"extra_data": 3}', b"\xff", b"[" * 100_000, b"9" * 5000])
def test_what_is_no_result_is_graded_again(tmp_path, content):
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "anna.json").write_bytes(content)
    assert store.load(tmp_path, "anna", "02") is None


def test_who_is_no_longer_there_is_moved_and_never_lost(tmp_path):
    for content in ("first", "second"):
        for name in ("anna", "frida"):
            for folder, ending in (("feedback", "html"), ("results", "json")):
                (tmp_path / folder).mkdir(exist_ok=True)
                (tmp_path / folder / f"{name}.{ending}").write_text(content)
        assert store.archive_others(tmp_path, ["anna", "bea"]) == ["frida"]
    assert store.archive_others(tmp_path, ["anna", "bea"]) == []
    left = {path.relative_to(tmp_path).as_posix(): path.read_text() for path in tmp_path.glob("*/*")}
    gone = {f"no-longer-there/frida.{ending}": "first" for ending in ("html", "json")}
    gone |= {f"no-longer-there/frida (2).{ending}": "second" for ending in ("html", "json")}
    assert left == gone | {"feedback/anna.html": "second", "results/anna.json": "second"}
    write(tmp_path, [(learner(), graded())], gone=["frida"])
    log = (tmp_path / "grading.log").read_text("utf-8")
    assert log == "frida: no submission has this name, so its page and result were moved to no-longer-there.\n"


def test_who_comes_back_has_page_and_result_as_they_were(tmp_path):
    write(tmp_path, [(learner("anna"), graded()), (learner("frida"), graded())])
    before = {path: path.read_bytes() for path in tmp_path.glob("*/frida.*")}
    assert len(before) == 2
    store.archive_others(tmp_path, ["anna"])
    assert store.learners(tmp_path) == {"anna", "frida"}
    store.restore(tmp_path, ["anna", "frida", "nobody"])
    assert {path: path.read_bytes() for path in tmp_path.glob("*/frida.*")} == before
    (tmp_path / "no-longer-there" / "frida.json").write_text("an older one")
    store.restore(tmp_path, ["frida"])
    assert {path.parent.name for path in tmp_path.glob("*/frida.json")} == {"results", "no-longer-there"}
    assert store.learners(tmp_path) == {"anna", "frida"}
