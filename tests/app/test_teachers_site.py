"""`transformer-course site`: what it says. The site itself is tested in tests/site."""

from typer.testing import CliRunner

from transformer_course.app import cli


def test_a_folder_that_contains_something_else_is_refused_in_one_sentence(tmp_path):
    (tmp_path / "letter.txt").touch()
    result = CliRunner().invoke(cli.app, ["site", str(tmp_path)])
    assert result.exit_code == 1
    assert result.output.strip() == (
        f"{tmp_path} contains files that do not belong to this course's site, and was left unchanged. Choose another folder."
    )
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_when_the_site_is_there_the_page_to_open_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr("transformer_course.site.make.make", lambda folder: None)
    result = CliRunner().invoke(cli.app, ["site", str(tmp_path / "site")])
    assert result.exit_code == 0
    assert f"Open {tmp_path / 'site' / 'index.html'} in a browser." in result.output
