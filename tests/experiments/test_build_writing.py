"""Stage B7's own model: the one that stage B4 kept, or the shipped one."""

import pytest
import torch

from transformer_course import build_parts
from transformer_course.data.python_docs import CHARACTERS
from transformer_course.experiments import build_prose as prose
from transformer_course.experiments import build_writing as writing
from transformer_course.experiments.stage_models import Stage

SIZES = {"vocabulary_size": len(CHARACTERS), "max_length": 8, "d_model": 8, "num_heads": 2, "d_ff": 8}


def test_the_model_that_stage_b4_kept_is_opened(folder, capsys):
    model = build_parts.GPT(num_layers=3, **SIZES)
    Stage("three blocks", model, max, "abc", 3, SIZES).keep(2.5, "x")
    opened, tokenizer = writing.own_model(build_parts.CachedGPT)
    ids = torch.tensor([tokenizer.encode("Return")])
    torch.testing.assert_close(opened(ids, [{}, {}, {}]), model.eval()(ids))
    assert tokenizer.decode(ids[0].tolist()) == "Return"
    assert "Your own model" in capsys.readouterr().out


@pytest.mark.parametrize("content", [None, "{", '{"settings": {"sizes": {"width": 3}}}'])
def test_without_one_the_shipped_model_writes_and_says_so(folder, content, capsys):
    if content:
        (folder / "models").mkdir()
        (folder / "models" / f"{writing.OWN}.json").write_text(content)
    opened, tokenizer = writing.own_model(build_parts.CachedGPT)
    assert opened.positions.num_embeddings == prose.LENGTH
    assert len(tokenizer.encode("Return the")) < 5
    assert "the course's model writes" in capsys.readouterr().out
