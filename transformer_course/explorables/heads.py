"""Every head of a trained Transformer on one example: the reader clicks a token, and removes heads."""

from collections.abc import Sequence
from itertools import groupby

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

from transformer_course import figures
from transformer_course.experiments.removal import attention_inputs, projected_values
from transformer_course.experiments.spare_heads import Head, heads_of, silenced
from transformer_course.inspection import attention_maps, attentions
from transformer_course.transformer import Transformer

from .explorable import Explorable, explorable

KINDS = {"encoder.self_attention": "self-attention", "decoder.self_attention": "masked self-attention"}


def heads(
    model: Transformer,
    source: Int[Tensor, "1 m"],
    target: Int[Tensor, "1 n"],
    source_names: Sequence[str],
    target_names: Sequence[str],
    outputs: Sequence[str],
    task: str,
) -> Explorable:
    """Show what each head looks at from a token, and what the model predicts after each target token without some heads.

    What can be removed is one head, or all heads of one attention. ``source`` and ``target`` are the ids that the model reads,
    with a name for each, and ``outputs`` names the tokens of the target's vocabulary. ``task`` is one sentence that says what
    to try. A switch multiplies the weights by the lengths of the values, as `weights_and_norms` returns them.

    Raises ValueError unless there is a name for each token.
    """
    sizes = (source.numel(), target.numel())
    if sizes != (len(source_names), len(target_names)):
        given = f"{len(source_names)} and {len(target_names)} names for {sizes[0]} and {sizes[1]} tokens"
        raise ValueError(f"heads expects one source and one target with a name for each token, got {given}")
    recorded = weights_and_norms(model, source, target)
    content = {
        "task": task,
        "tokens": [[*map(str, source_names)], [*map(str, target_names)]],
        "outputs": [*outputs],
        "attentions": [_attention(name, *recorded[name]) for name in recorded],
        "predictions": _predictions(model, source, target),
        "without": [
            [_predictions(model, source, target, without) for without in (*([head] for head in its_heads), its_heads)]
            for its_heads in ([*group] for _, group in groupby(heads_of(model), key=lambda head: head[0]))
        ],
    }
    name, (weights, _) = list(recorded.items())[-1]
    panels = figures.panels(len(weights), 3.4, 3.0)
    for head, ax in enumerate(panels):
        rows = target_names if head == 0 else [""] * len(target_names)
        figures.heatmap(weights[head], rows, source_names, f"Head {head + 1}", digits=2, ax=ax).set_aspect("auto")
        ax.tick_params(axis="x", rotation=0 if max(map(len, source_names)) < 3 else 40)
    count = sum(len(each) for each, _ in recorded.values())
    sentence = f"What {count} heads look at, for the source {_joined(source_names)} and the target {_joined(target_names)}. "
    sentence += f"The heat maps are those of the heads of the last cross-attention ({name})."
    return explorable("heads", content, panels[0].figure, sentence)


@torch.no_grad()
def weights_and_norms(
    model: Transformer, source: Int[Tensor, "1 m"], target: Int[Tensor, "1 n"]
) -> dict[str, tuple[Float[Tensor, "h n m"], Float[Tensor, "h m"]]]:
    """Return for each attention its weights, and the length of each value after the head's part of W_O (without bias)."""
    with attention_maps(model) as maps, attention_inputs(model) as inputs:
        model(source, target)
    values = {name: projected_values(attention, inputs[name])[0] for attention, name in attentions(model).items()}
    return {name: (maps[name][0], values[name].norm(dim=-1)) for name in values}


def _attention(name: str, weights: Tensor, norms: Tensor) -> dict:
    """What is stored of an attention: a title, whether queries and keys are of the target (1), and weights in thousandths."""
    side, _, layer, kind = name.split(".")
    title = f"{side} layer {int(layer) + 1}, {KINDS.get(f'{side}.{kind}', 'cross-attention')}"
    return {
        "title": title,
        "queries": int(side == "decoder"),
        "keys": int((side, kind) == ("decoder", "self_attention")),
        "weights": np.asarray(weights * 1000).round().astype(int).tolist(),
        "norms": np.asarray(norms, dtype=float).round(2).tolist(),
    }


@torch.no_grad()
def _predictions(model: Transformer, source: Tensor, target: Tensor, without: Sequence[Head] = ()) -> list[list[float]]:
    """The most probable token after each target token, and its probability in hundredths, with some heads silenced."""
    with silenced(model, without):
        best = model(source, target)[0].softmax(-1).max(-1)
    return [[token, round(100 * value)] for token, value in zip(best.indices.tolist(), best.values.tolist(), strict=True)]


def _joined(names: Sequence[str]) -> str:
    return ("" if max(map(len, names)) < 2 else " ").join(names)
