"""Stage B10: what is read as a text, and a run that stops, goes on and opens again; each mishap is told in one sentence."""

import math
import re

import pytest
import torch
from torch.nn import functional as F

from transformer_course.build_parts import GPT, Tokenizer, fit, get_batch
from transformer_course.data.split import Split
from transformer_course.experiments import own_model as own

PROSE = "".join(f"Paragraph {n} says that {n} and {n * 7} are numbers, and é is none.\n\n" for n in range(300))
SIZE = own.Size(20, 16, 16, 2, 1, steps=6, batch=4, every=2)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def told(read, *arguments) -> str:
    with pytest.raises(ValueError, match=" ") as raised:
        read(*arguments)
    assert "\n" not in str(raised.value)
    return re.sub(r"/\S*/", "/…/", str(raised.value))


def test_a_text_is_read_from_a_file_a_folder_or_as_it_is(folder):
    (folder / "a.txt").write_text(PROSE, encoding="utf-8")
    (folder / "b.md").write_bytes(b"\xef\xbb\xbfthe end\r\n")
    (folder / "c.png").write_bytes(b"\0\xff")
    assert own.read_text(PROSE) == own.read_text("a.txt") == PROSE
    assert own.read_text(folder) == f"{PROSE}\n\nthe end\n"


def test_what_is_no_text_is_told_in_one_sentence(folder, snapshot):
    (folder / "latin.txt").write_bytes(PROSE.encode("latin-1"))
    (folder / "image.txt").write_bytes(bytes(range(256)) * 100)
    (folder / "nothing").mkdir()
    sources = ("\n\nshort\n", "a\n" * 9000, "latin.txt", "image.txt", "nothing", "missing.txt")
    assert [told(own.read_text, source) for source in sources] + [told(own.split, "one two\n" * 3000)] == snapshot


def test_of_a_huge_text_the_first_part_is_used(folder, monkeypatch, capsys):
    monkeypatch.setattr(own, "LARGEST", 11_000)
    (folder / "long.txt").write_text("é" * 3 + PROSE * 20, encoding="utf-8")  # ends in the middle of a character
    assert len(own.read_text("long.txt")) == 11_000
    assert "only the first 11,000 are used" in capsys.readouterr().out


@pytest.mark.parametrize("joined", ["\n\n", "\n", " "])
def test_whole_paragraphs_are_held_out_and_nothing_is_lost(joined):
    text = joined.join(f"This is number {n}, after {n - 1} others." for n in range(1500))
    parts = own.split(text)
    assert len(parts.train) + len(parts.test) == len(text)
    assert 0.05 < len(parts.test) / len(text) < 0.15


def started(text: Split, name: str = "mine", size: own.Size = SIZE):
    torch.manual_seed(0)
    tokenizer = Tokenizer.train(text.train, size.merges)
    ids = own.encode(tokenizer, text, size)
    model = GPT(len(tokenizer), **size.gpt())
    optimizer = torch.optim.AdamW(own.decay_groups(model), lr=size.peak)
    run = own.Run(name, model, optimizer, tokenizer, size, text, ids)

    def windows(row, seed):
        generator = torch.Generator().manual_seed(seed)
        return get_batch(row, torch.randint(len(row) - size.length, (size.batch,), generator=generator).tolist(), size.length)

    @torch.no_grad()
    def evaluate(model):
        losses = []
        for row in ids:
            inputs, labels = windows(row, -1)
            losses.append(F.cross_entropy(model(inputs).flatten(0, 1), labels.flatten()).item())
        return losses

    def go(save=run.save):
        return fit(
            model, optimizer, lambda step: windows(ids[0], step), lambda step: 0.01, evaluate, save, size.steps, size.every,
            run.start, run.best,
        )  # fmt: skip

    return run, go


TEXT = own.split(PROSE)


def test_a_run_that_was_stopped_goes_on_as_if_it_had_not_been(folder):
    whole, go = started(TEXT, "whole")
    best = go()
    run, go = started(TEXT)

    def stopped(done, *losses):
        run.save(done, *losses)
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        go(stopped)
    again, go = started(TEXT)
    assert again.start == 2
    assert go() == best
    assert again.history == whole.history
    assert all(torch.equal(*pair) for pair in zip(whole.model.parameters(), again.model.parameters(), strict=True))
    assert own.load("mine", GPT, Tokenizer)[2]["bits"] == min(held_out for *_, held_out in whole.history)


def test_after_a_loss_of_nan_or_on_a_full_disk_the_last_good_model_stays(folder, monkeypatch, capsys):
    run, go = started(TEXT)

    def spoiled(done, *losses):
        run.save(done, *losses)
        with torch.no_grad():
            run.model.tokens.weight.fill_(math.nan)

    assert told(go, spoiled).startswith("the loss is nan at step 2")
    kept = run.file.read_bytes()
    model, *_ = own.load("mine", GPT, Tokenizer)
    assert all(weight.isfinite().all() for weight in model.parameters())
    run.save(4, 1.0, 1.0, True)  # with weights that are not finite
    assert "could not be saved (some weights are not finite)" in capsys.readouterr().out

    def full(path, content):
        raise OSError(28, "No space left on device")

    again, go = started(TEXT)
    best = again.best
    monkeypatch.setattr(own, "write_whole", full)
    go(lambda done, *losses: again.save(done, 0.0, 0.0, True))
    assert again.best == best  # that of the model in the file
    assert "could not be saved (No space left on device)" in capsys.readouterr().out
    assert run.file.read_bytes() == kept


def test_a_model_or_checkpoint_that_does_not_fit_is_told_in_one_sentence(folder, snapshot):
    run, go = started(TEXT)
    go()
    whole = run.file.read_bytes()

    def load(content=None, make_tokenizer=Tokenizer, make_gpt=GPT):
        run.file.write_bytes(whole if content is None else content)
        return told(own.load, run.file, make_gpt, make_tokenizer)

    class Other(Tokenizer):
        def __len__(self):
            return 300

    messages = [
        told(own.load, "none", GPT, Tokenizer),
        load(whole[:-100]),
        load(b""),
        load(make_tokenizer=Other),
        load(make_gpt=lambda rows, d_model, **sizes: GPT(rows, d_model=2 * d_model, **sizes)),
        told(started, TEXT, "mine", own.Size(20, 16, 16, 2, 2, steps=6)),
        told(started, own.split(PROSE + "More.\n\n" * 9)),
    ]
    run.checkpoint.write_bytes(run.checkpoint.read_bytes()[:-100])
    messages.append(told(started, TEXT))
    run.checkpoint.unlink()
    messages.append(told(started, TEXT))
    messages.append(told(started, TEXT, "long", own.Size(20, 4096, 16, 2, 1, steps=6)))
    assert messages == snapshot
