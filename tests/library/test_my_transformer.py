"""A later stage gets the learner's own parts, and the course's own in place of those that are missing."""

import copy
import pickle
import sys
from types import ModuleType

import pytest

import transformer_course
from transformer_course._util.paths import RECORD

COURSE = "class Head:\n    name = 'the course'\n\n\nclass Heads:\n    name = 'the course'\n"
MINE = "from dataclasses import dataclass\n\n\n@dataclass\nclass Head:\n    name: str = 'mine'\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A learner's folder, with the kernel in its exercises, and two parts in the Build."""
    for name in ("notebooks", "exercises"):
        (tmp_path / name).mkdir()
    (tmp_path / RECORD).write_text("{}")
    monkeypatch.chdir(tmp_path / "exercises")
    course = ModuleType("transformer_course.build_parts")
    exec(COURSE, vars(course))
    monkeypatch.setattr(transformer_course, "build_parts", course, raising=False)
    monkeypatch.delitem(sys.modules, "my_transformer", raising=False)
    yield tmp_path
    sys.modules.pop("my_transformer", None)


def write(folder, text):
    (folder / "my_transformer.py").write_bytes(text if isinstance(text, bytes) else text.encode())


def test_the_learners_own_part_comes_first_and_nothing_is_said(folder, capsys):
    write(folder, MINE)
    from transformer_course.my_transformer import Head

    assert Head().name == "mine"
    assert capsys.readouterr().out == ""
    assert pickle.loads(pickle.dumps(Head("again"))) == copy.deepcopy(Head("again"))


def test_a_missing_part_is_the_courses_own_and_says_so(folder, capsys):
    write(folder, MINE)
    from transformer_course.my_transformer import Head, Heads

    assert (Head().name, Heads.name) == ("mine", "the course")
    assert capsys.readouterr().out == "Heads: the course's own, because my_transformer.py does not contain it yet.\n"


@pytest.mark.parametrize("lost", ["my_transformer.py", RECORD])
def test_without_a_file_or_a_folder_every_part_is_the_courses_own(folder, capsys, lost):
    write(folder, MINE)
    (folder / lost).unlink()
    from transformer_course.my_transformer import Head

    assert Head.name == "the course"
    assert capsys.readouterr().out == "Head: the course's own, because there is no my_transformer.py here.\n"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("class Head(:\n", "my_transformer.py does not run: SyntaxError in line 1, invalid syntax"),
        (MINE + "\nHead.x = missing\n", "my_transformer.py does not run: NameError in line 8, name 'missing' is not defined"),
        ("x = 1\nimport sys\nsys.exit(3)\n", "my_transformer.py does not run: SystemExit in line 3, 3"),
        ("import no_such_module\n", "my_transformer.py does not run: ModuleNotFoundError in line 1, No module named"),
        (b"\xff\xfe", "my_transformer.py cannot be read ('utf-8' codec can't decode "),
        (b"x\0", "my_transformer.py does not run: "),
    ],
)  # fmt: skip
def test_a_broken_file_costs_one_sentence_each_time(folder, capsys, text, reason):
    write(folder, text)
    for _ in range(2):
        from transformer_course.my_transformer import Head

        assert Head.name == "the course"
        (line,) = capsys.readouterr().out.splitlines()
        assert line.startswith(f"Head: the course's own, because {reason}")
        assert "my_transformer" not in sys.modules


def test_what_was_changed_in_the_file_counts_at_the_next_import(folder):
    for name in ("mine", "newer"):
        write(folder, MINE.replace("mine", name))
        from transformer_course.my_transformer import Head

        assert Head().name == name


def test_parts_that_were_imported_one_by_one_fit_together(folder):
    write(folder, MINE + "\n\nclass Heads(Head):\n    pass\n")
    from transformer_course.my_transformer import Head
    from transformer_course.my_transformer import Heads as more

    assert issubclass(more, Head)


def test_a_name_that_is_no_part_is_an_error(folder):
    from transformer_course import my_transformer

    with pytest.raises(AttributeError, match="there is no part 'Haed' in the Build; the course's own are Head, Heads"):
        _ = my_transformer.Haed
    with pytest.raises(AttributeError):
        _ = my_transformer.__path__


def test_a_lesson_takes_the_learners_own_part_or_the_librarys_and_says_which(folder, capsys):
    from transformer_course.my_transformer import own_or

    assert own_or("Head", int) is int  # there is no file
    assert capsys.readouterr().out == ""
    write(folder, MINE)
    assert own_or("Head", int)().name == "mine"
    assert capsys.readouterr().out == "Head: your own, from my_transformer.py.\n"
    assert own_or("Heads", int) is int
    assert capsys.readouterr().out == "Heads: the library's, because my_transformer.py does not contain it yet.\n"
    write(folder, "import no_such_module\n")
    assert own_or("Head", int) is int
    assert capsys.readouterr().out.startswith("Head: the library's, because my_transformer.py does not run: ")
