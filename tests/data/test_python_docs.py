"""The text of Python's documentation: what is kept, which part it goes to, and its cache."""

import sys

import pytest

from transformer_course.data import python_docs as collect
from transformer_course.data import split
from transformer_course.data.docstrings import cached
from transformer_course.data.python_docs import CHARACTERS, decode, encode

MODULE = '''"""Encode and decode plain objects.

Encode and decode plain objects.

Größe: a paragraph that is not ASCII is left out.

x = {1: (2, 3), 4: [5, 6]}; y = x[1][0] + 7

Short.
"""
raise ImportError("this module is only read")
def dump():
    "Write an object to a file,\\n    which stays open."
    pattern = "\\d"
'''
TOPICS = "# made by a script\ntopics = {'assert': 'Assertions are a convenient way to check things.\\n\\nThey may be off.'}\n"


@pytest.fixture
def library(tmp_path, monkeypatch):
    """A standard library with one topic and one module."""
    folder = tmp_path / "lib"
    (folder / "pydoc_data").mkdir(parents=True)
    (folder / "pydoc_data" / "topics.py").write_text(TOPICS, encoding="utf-8")
    (folder / "json").mkdir()
    (folder / "json" / "__init__.py").write_text(MODULE, encoding="utf-8")
    (folder / "idlelib").mkdir()
    (folder / "idlelib" / "help.py").write_text('"""Some distributors leave this module out."""', encoding="utf-8")
    monkeypatch.setattr("sysconfig.get_path", {"stdlib": str(folder)}.get)
    return folder


KEPT = {
    "Assertions are a convenient way to check things.",
    "Encode and decode plain objects.",
    "Write an object to a file, which stays open.",
}


def lines(parts: split.Split) -> list[str]:
    return [line for part in parts for line in part.splitlines()]


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRANSFORMER_COURSE_HOME", str(tmp_path_factory.mktemp("home")))
        return collect()


@pytest.mark.slow
def test_this_python_gives_more_than_a_million_characters_of_prose(parts):
    assert len(parts.train) > 1_000_000
    assert 0.08 < len(parts.test) / len(parts.train + parts.test) < 0.12
    assert set(parts.train + parts.test) == set(CHARACTERS)
    assert parts.train.endswith("\n")
    assert parts.test.endswith("\n")


@pytest.mark.slow
def test_no_paragraph_comes_twice_so_none_that_is_held_out_is_trained_on(parts):
    everything = lines(parts)
    assert len(everything) == len(set(everything)) > 8000


def test_prose_is_read_from_topics_and_docstrings_and_nothing_is_imported(library):
    assert sorted(lines(collect())) == sorted(KEPT)


def test_a_paragraph_stays_in_its_part_when_the_text_around_it_changes(library, monkeypatch):
    kept = [set(part.splitlines()) for part in collect(seed=3)]
    (library / "ast.py").write_text('"""The first module in the alphabet is a new one."""', encoding="utf-8")
    (library / "json" / "__init__.py").write_text(MODULE + '    """No docstring, so this is left out."""', encoding="utf-8")
    monkeypatch.setattr("sys.version", sys.version + " patched")  # a different Python has a cache of its own
    later = [set(part.splitlines()) for part in collect(seed=3)]
    assert all(before <= after for before, after in zip(kept, later, strict=True))
    assert sum(map(len, later)) == sum(map(len, kept)) + 1


def test_another_seed_holds_out_other_paragraphs(parts, library):
    paragraphs = lines(parts)
    assert [split.held_back(p, 0) for p in paragraphs] != [split.held_back(p, 1) for p in paragraphs]
    assert set(parts.test.splitlines()) == {p for p in paragraphs if split.held_back(p, 0)}


def test_the_text_is_collected_once_and_a_damaged_cache_is_collected_again(library, home):
    first = collect()
    (cache,) = home.iterdir()
    (library / "pydoc_data" / "topics.py").unlink()
    assert collect() == first  # nothing was read from the library
    (library / "pydoc_data" / "topics.py").write_text(TOPICS, encoding="utf-8")
    sound = cache.read_bytes()
    for damaged in (b"", sound[:-1], sound.replace(b"Encode", b"Decode"), b"\xff\xfe\n\xff"):
        cache.write_bytes(damaged)
        assert collect() == first
        assert cache.read_bytes() == sound
    for rules in ("of an older course", "of this one"):  # each version of the rules has a cache of its own
        (library / "rules.py").write_text(rules, encoding="utf-8")
        assert cached("text", "3.13", str(library / "rules.py"), lambda text=f"text {rules}": [text]) == [f"text {rules}"]


def test_without_a_place_for_the_cache_the_text_is_collected_each_time(library, home):
    home.write_text("a file, where a folder should be", encoding="utf-8")
    assert collect() == collect()


def test_a_python_without_its_sources_gets_one_clear_sentence(library, monkeypatch):
    (library / "pydoc_data" / "topics.py").unlink()
    with pytest.raises(FileNotFoundError, match=r"the text needs pydoc_data/topics\.py, expected in .*lib, got none; install"):
        collect()
    (library / "pydoc_data" / "topics.py").write_text(TOPICS, encoding="utf-8")
    monkeypatch.setattr("sys.stdlib_module_names", frozenset({"pickle"}))
    with pytest.raises(
        FileNotFoundError, match=r"the text needs the standard library's \.py files, expected in .*lib, got none"
    ):
        collect()


def test_characters_become_ids_and_ids_become_characters_again():
    assert encode("\n A~").tolist() == [0, 1, 34, 95]
    assert decode(encode(CHARACTERS)) == CHARACTERS
    assert decode([34]) == "A"
    assert encode("").tolist() == []


def test_other_characters_and_ids_are_refused():
    with pytest.raises(ValueError, match="newlines or printable ASCII, got 'é…'; leave them out"):
        encode("café…")
    for wrong in (-1, 96):
        with pytest.raises(ValueError, match=f"ids must be from 0 to 95, got {wrong}"):
            decode([wrong])
