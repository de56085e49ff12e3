"""`transformer-course release`: what it writes, and what it tells the teacher to do next."""

from command_line import said

from transformer_course._util import paths


def test_release_says_what_was_written_and_what_comes_next(tmp_path):
    folder = tmp_path / "class"
    written, *steps = said("release", str(folder), "--sheet", "02").splitlines()
    assert written == f"7 files added to {folder}: 1 lesson, 1 sheet, 5 pages."
    assert steps == [
        f"Hand out all of {folder}: its sheets and lessons link to each other. It contains no solutions.",
        "Tell your learners: a sheet larger than 20 MiB gets no mark. Its last cell says how to make it smaller.",
        "Once you have all submissions in one folder: transformer-course grade FOLDER --out RESULTS",
    ]
    unchanged = f"Nothing to do: {folder} is up to date."
    assert said("release", str(folder), "--sheet", "02").splitlines() == [unchanged, *steps]
    said("release", str(folder), "--sheet", "3")
    assert "updated: " in said("release", str(folder), "--sheet", "02")  # because plain words have become links
    also = f"{folder} now contains sheets 02 and 03."
    assert said("release", str(folder), "--sheet", "02").splitlines() == [unchanged, also, *steps]
    assert said("release", str(folder), "--sheet", "02", "--sheet", "03").splitlines() == [unchanged, *steps]
    rest = sum(len(paths.notebooks(part)) for part in paths.FOLDERS) - 4
    assert f"{rest} files added" in said("release", str(folder))


def test_release_for_nbgrader_says_what_comes_next(tmp_path):
    written, *steps = said("release", str(tmp_path), "--nbgrader", "--sheet", "02", "--sheet", "04").splitlines()
    assert written == f"3 files added to {tmp_path}: 1 other file, 2 sheets."
    assert steps == [
        f"{tmp_path / 'source'} contains the solutions: keep it to yourself.",
        f"In {tmp_path}, run nbgrader generate_assignment 02, then hand out release/02. Do the same for 04.",
        "Once the submissions are in submitted/NAME/02: nbgrader autograde 02",
    ]


def test_release_tells_what_it_cannot_do_in_one_line(tmp_path):
    (tmp_path / "file").write_text("")
    assert said("release", str(tmp_path), "--sheet", "99", status=1).startswith(
        "There is no sheet '99'; the course has 01, 02,"
    )
    assert "is a file; choose a folder" in said("release", str(tmp_path / "file"), status=1)
    assert list(tmp_path.iterdir()) == [tmp_path / "file"]
