"""`transformer-course release`: what it writes, and what it tells the teacher to do next."""

from command_line import said

from transformer_course import course


def test_release_says_what_was_written_and_what_comes_next(tmp_path, snapshot):
    folder = tmp_path / "class"

    def released(*sheets: str) -> str:
        chosen = [word for sheet in sheets for word in ("--sheet", sheet)]
        return said("release", str(folder), *chosen).replace(str(tmp_path), "HERE")

    told = {"02": released("02"), "02, again": released("02"), "then 03": released("3")}
    told["then 02, whose plain words have become links"] = released("02")
    told["02, while 03 is there too"] = released("02")
    told["02 and 03"] = released("02", "03")
    assert told == snapshot
    rest = len(course.sources()) - 4
    assert f"{rest} files added" in said("release", str(folder))


def test_a_stage_with_two_digits_is_listed_after_those_with_one(tmp_path):
    said("release", str(tmp_path), "--sheet", "B13")
    assert f"{tmp_path} now contains sheets B2 and B13." in " ".join(said("release", str(tmp_path), "--sheet", "B2").split())


def test_release_for_nbgrader_says_what_comes_next(tmp_path, snapshot):
    output = said("release", str(tmp_path), "--nbgrader", "--sheet", "02", "--sheet", "04")
    assert output.replace(str(tmp_path), "HERE") == snapshot
