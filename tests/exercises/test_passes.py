"""What was passed is stored, whatever happens to the file."""

import errno
import json
import os
import shutil

import pytest
from examining import SOFTMAX

from transformer_course._util.folder_record import ACCOUNT, NOT_ASKED, read_record, update_record
from transformer_course.exercises import check, my_progress, next_lesson, passes
from transformer_course.exercises.lesson_02_self_attention.softmax import softmax


def without_paths(shown, home) -> str:
    return str(shown).replace(str(home), "HOME")


def test_a_damaged_progress_file_is_kept_aside_and_costs_no_answer(home, snapshot):
    told = set()
    for damage in (b"", b"{", b"[]", b'{"passed": 3}', b"\xff\xfe", b'{"other": {}}'):
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir()
        (home / "progress.json").write_bytes(damage)
        assert passes.passed() == {}
        card = check(SOFTMAX, softmax)
        assert card
        told.add(without_paths(card, home))
        assert (home / "progress.damaged.json").read_bytes() == damage
        assert list(json.loads((home / "progress.json").read_text())["passed"]) == [SOFTMAX]
    (text,) = told
    assert text == snapshot


def test_an_exercise_that_is_passed_again_keeps_its_first_date(home):
    home.mkdir()
    (home / "progress.json").write_text(json.dumps({"passed": {SOFTMAX: "2026-01-02T03:04:05"}}))
    assert check(SOFTMAX, softmax)
    assert passes.passed() == {SOFTMAX: "2026-01-02T03:04:05"}


def test_a_second_damaged_file_does_not_replace_the_first(home):
    home.mkdir()
    for damage in ("{", "["):
        (home / "progress.json").write_text(damage)
        assert check(SOFTMAX, softmax)
    assert [(home / name).read_text() for name in ("progress.damaged.json", "progress.damaged1.json")] == ["{", "["]


def test_an_unwritable_progress_file_costs_no_answer(home, snapshot):
    home.write_text("a file where the folder should be")
    card = check(SOFTMAX, softmax)
    assert card
    assert without_paths(card, home) == snapshot


def test_a_full_disk_costs_no_answer_and_leaves_no_half_file(home, monkeypatch, snapshot):
    check("attention.by_hand", [0.8668, 0.0159, 0.1173])
    before = (home / "progress.json").read_bytes()

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    card = check(SOFTMAX, softmax)
    assert card
    assert without_paths(card, home) == snapshot
    assert (home / "progress.json").read_bytes() == before


@pytest.fixture
def account(tmp_path, monkeypatch):
    """The account's file, where older versions of the course stored passes. It holds one pass."""
    monkeypatch.delenv("TRANSFORMER_COURSE_HOME")
    monkeypatch.setattr("platformdirs.user_data_dir", lambda *_, **__: str(tmp_path / "account"))
    file = tmp_path / "account" / "progress.json"
    file.parent.mkdir()
    file.write_text('{"passed": {"start.average": "2026-01-02T03:04:05"}}')
    return file


@pytest.fixture
def folders(tmp_path):
    """Two learners' folders."""
    for name in ("first", "second"):
        (tmp_path / name / "notebooks").mkdir(parents=True)
        (tmp_path / name / ".transformer-course.json").write_text("{}")
    return tmp_path / "first", tmp_path / "second"


def test_an_older_folder_keeps_its_own_passes_and_starts_with_those_of_the_account(account, folders, monkeypatch):
    before = account.read_bytes()
    for folder, exercise in zip(folders, ("attention.softmax", "attention.by_hand"), strict=True):
        assert list(passes.passed(folder)) == ["start.average"]
        monkeypatch.chdir(folder / "notebooks")  # where a lesson's kernel works
        passes.remember(exercise)
        kept = {"start.average": "2026-01-02T03:04:05", exercise: passes.passed()[exercise]}
        assert json.loads((folder / ".transformer-course-progress.json").read_text()) == {"passed": kept}
        assert passes.passed(folder) == passes.passed() == kept
    assert account.read_bytes() == before
    monkeypatch.chdir(folders[0] / "notebooks")
    account.write_text('{"passed": {"start.average": "later", "layers.gelu": "later"}}')
    assert passes.passed().keys() == {"start.average", "attention.softmax"}  # the account's file is not read again
    assert next_lesson(folders[0]).name == next_lesson().name == "02 · Self-attention by hand"


def test_a_new_folder_begins_at_0_and_is_offered_once_what_the_account_has(account, folders, monkeypatch, capsys, snapshot):
    folder = folders[0]
    update_record(folder, ACCOUNT, NOT_ASKED)
    monkeypatch.chdir(folder / "notebooks")
    kept = dict.fromkeys(["start.average", "attention.softmax", "layers.gelu", "attention.by_hand"], "2026-01-02T03:04:05")
    account.write_text(json.dumps({"passed": kept}))
    before = account.read_bytes()
    assert "0 of" in repr(my_progress())
    assert capsys.readouterr().out == snapshot(name="offered")
    my_progress()
    assert capsys.readouterr().out == ""  # it has been said, and the folder's record knows
    passes.remember("attention.softmax")
    assert list(passes.passed()) == ["attention.softmax"]
    own = passes.passed()["attention.softmax"]
    assert without_paths(passes.adopt(), account.parent) == snapshot(name="adopted")
    assert passes.passed() == {**kept, "attention.softmax": own}
    assert account.read_bytes() == before


def test_nothing_is_offered_that_the_folder_has_or_that_cannot_be_read(account, folders):
    assert passes.offer(folders[0]) == ""  # an older folder, which counts it
    update_record(folders[0], ACCOUNT, NOT_ASKED)
    assert passes.offer(folders[0]).startswith("This account has 1 passed exercise (start.average) ")
    (folders[0] / passes.FILE).write_bytes(account.read_bytes())
    assert passes.offer(folders[0]) == ""
    (folders[0] / passes.FILE).unlink()
    for content in ('{"passed": {}}', "{"):
        account.write_text(content)
        assert passes.offer(folders[0]) == ""


def test_what_cannot_be_adopted_is_told_and_changes_nothing(account, folders, tmp_path, monkeypatch, snapshot):
    update_record(folders[0], ACCOUNT, NOT_ASKED)
    told = []

    def refused():
        with pytest.raises(passes.CannotAdopt) as error:
            passes.adopt(folders[0])
        told.append(without_paths(error.value, tmp_path))

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError(errno.ENOSPC, "No space left on device")))
        refused()
    account.write_text("{")
    refused()
    account.unlink()
    refused()
    monkeypatch.setenv("TRANSFORMER_COURSE_HOME", str(tmp_path / "chosen"))
    refused()
    assert "\n".join(told) == snapshot
    assert read_record(folders[0]) == {ACCOUNT: NOT_ASKED}
    assert not (folders[0] / passes.FILE).exists()


@pytest.mark.parametrize("place", ["clone/notebooks", "nbgrader/source/02"])
def test_outside_a_learners_folder_the_accounts_file_is_used(account, tmp_path, monkeypatch, place):
    (tmp_path / place).mkdir(parents=True)
    (tmp_path / "nbgrader").mkdir(exist_ok=True)
    (tmp_path / "nbgrader" / ".transformer-course.json").write_text("{}")  # a teacher's folder for nbgrader has one as well
    monkeypatch.chdir(tmp_path / place)
    passes.remember("attention.softmax")
    assert list(json.loads(account.read_text())["passed"]) == ["start.average", "attention.softmax"]
    assert not [*tmp_path.rglob(".transformer-course-progress.json")]


def test_a_folder_that_was_chosen_wins_and_takes_nothing_from_the_account(account, folders, tmp_path, monkeypatch):
    monkeypatch.setenv("TRANSFORMER_COURSE_HOME", str(tmp_path / "chosen"))
    monkeypatch.chdir(folders[0])
    passes.remember("attention.softmax")
    assert list(json.loads((tmp_path / "chosen" / "progress.json").read_text())["passed"]) == ["attention.softmax"]
    assert not (folders[0] / ".transformer-course-progress.json").exists()


def test_a_damaged_file_in_a_folder_is_said_and_kept(account, folders, monkeypatch, snapshot):
    monkeypatch.chdir(folders[0])
    file = folders[0] / ".transformer-course-progress.json"
    assert passes.damage() == ""
    file.write_text('{"passed": {"attention.softmax": "2026')
    assert without_paths(passes.damage(), folders[0]) == snapshot(name="before")
    assert passes.passed() == {}
    assert without_paths(passes.remember("attention.by_hand"), folders[0]) == snapshot(name="after")
    assert (folders[0] / ".transformer-course-progress.damaged.json").read_text() == '{"passed": {"attention.softmax": "2026'
    assert (list(passes.passed()), passes.damage()) == (["attention.by_hand"], "")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such pipes")
@pytest.mark.parametrize(
    "make",
    [
        pytest.param(os.mkfifo, id="pipe"),
        pytest.param(os.mkdir, id="folder"),
        pytest.param(lambda path: path.symlink_to(path), id="link to itself"),
        pytest.param(lambda path: path.write_text('{"passed":' + "[" * 100_000 + "]" * 100_000 + "}"), id="nested"),
    ],
)
def test_a_file_that_cannot_be_read_counts_no_passes_and_is_told(home, make, snapshot):
    home.mkdir()
    make(passes.file())
    assert passes.passed() == {}
    assert without_paths(passes.damage(), home) == snapshot
    assert len(passes.remember("attention.softmax").splitlines()) <= 1
