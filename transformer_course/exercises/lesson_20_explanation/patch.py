"""Sheet 20: what comes out if one vector of one run is put into another run."""

import numpy as np

from ..kinds import Implement
from ..toolkit import normal


def _run(x, mix, weights, start=0, stop=None):
    for a, w in zip(mix[start:stop], weights[start:stop], strict=True):
        x = x + a @ x @ w
    return x


def _replaced(x, mix, weights, start=0, stop=None):
    for a, w in zip(mix[start:stop], weights[start:stop], strict=True):
        x = a @ x @ w
    return x


def _score(x, read):
    return x[-1] @ read


def _program(replace, before=lambda layer: layer, after=lambda layer: layer, run_other=_run, run=_run):
    """Run both up to a layer, let ``replace(first, other, position)`` make one of them, and go on from a layer."""

    def patch(first, other, mix, weights, read, layer, position):
        stop = before(layer)
        own, donor = run(first, mix, weights, stop=stop), run_other(other, mix, weights, stop=stop)
        return _score(run(replace(own, donor, position), mix, weights, start=after(layer)), read)

    return patch


def _row(own, donor, position):
    patched = own.copy()
    patched[position] = donor[position]
    return patched


def _at(choose):
    """The row of another position."""
    return lambda own, donor, position: _row(own, donor, choose(position, len(own)))


def _in_every_layer(start):
    """The other run's vector again after each layer from ``start(layer)`` on."""

    def patch(first, other, mix, weights, read, layer, position):
        for k in range(len(mix) + 1):
            if k >= start(layer):
                first = _row(first, other, position)
            if k < len(mix):
                first, other = (_run(x, mix, weights, k, k + 1) for x in (first, other))
        return _score(first, read)

    return patch


def _inside_the_loop(late):
    """Replaced in a loop over the layers, before layer ``layer`` or after it: not at all if there is no such layer."""

    def patch(first, other, mix, weights, read, layer, position):
        replace = _row if layer < len(mix) else lambda own, donor, position: own
        return _program(replace, *(2 * [lambda layer: layer + late]))(first, other, mix, weights, read, layer, position)

    return patch


def _effect(first, other, mix, weights, read, layer, position):
    return _patch(first, other, mix, weights, read, layer, position) - _score(_run(first, mix, weights), read)


_patch = _program(_row)


def _patch_and_read(first, other, mix, weights, read, layer, position):
    order = [*range(position), *range(position + 1, len(first)), position]  # the patched position last
    mix = mix[:, order][:, :, order]
    return _patch(first[order], other[order], mix, weights, read, layer, len(first) - 1)


def _where(first, other, mix, weights, read, layer, position):
    chosen = np.arange(len(first))[:, None] == position
    x = np.where(chosen, _run(other, mix, weights, stop=layer), _run(first, mix, weights, stop=layer))
    return _score(_run(x, mix, weights, start=layer), read)


def _draw(rng):
    def sized(n, d, layers, layer, position):
        mix = normal(rng, layers, n, n) / 2
        first, other, read = normal(rng, n, d), normal(rng, n, d), normal(rng, d)
        return [first, other, mix, normal(rng, layers, d, d) / 2, read, layer, position]

    return [sized(4, 3, 3, 1, 2), sized(5, 4, 4, 2, 0), sized(3, 2, 2, 0, 1), sized(4, 5, 3, 3, 3), sized(6, 3, 4, 1, 4)]


patch = Implement(
    id="explain.patch",
    answer_name="patch",
    prompt="The score of a run in which one vector, after some layers, comes from another run.",
    reference=_patch,
    draw=_draw,
    alternatives=(_where,),
    why="Only one vector differs from the first run, so whatever changes in the score was carried by it.",
    hints=(
        "Write the layers as a loop first, without any patch. What does `x` have to be after `layer` rounds?",
        "Run both texts through the first `layer` layers. Then put row `position` of the other one into a copy of the first.",
        "With that copy, go on through the remaining layers, from number `layer` on. The score is `x[-1] @ read`.",
    ),
    mistakes={
        "not patched": (
            "This is the score of the first run, without a patch: the changed array got lost on the way.",
            "Go on with the array into which you put the vector.",
            _program(lambda own, donor, position: own),
        ),
        "all vectors replaced": (
            "You replaced the vectors at all positions, so this is simply the score of the other run.",
            "Replace row `position` alone.",
            _program(lambda own, donor, position: donor),
        ),
        "the runs swapped": (
            "You put a vector of the first run into the other run. It is the other way round.",
            "Copy the first run's array, and replace one row of the copy.",
            _program(lambda own, donor, position: _row(donor, own, position)),
        ),
        "the input patched": (
            "You replaced the vector at the input. It then has an effect on all positions, through every layer.",
            "Run both texts through the first `layer` layers before you replace anything.",
            _program(_row, before=lambda layer: 0, after=lambda layer: 0),
        ),
        "the input's vector in a later layer": (
            "You put the other text's *input* vector into a later layer. After `layer` layers, that text has another vector there.",
            "Run the other text through the same layers, too.",
            _program(_row, run_other=lambda x, mix, weights, stop: x),
        ),
        "one layer too late": (
            "You replaced the vector one layer too late. Layers count from 0, so after `layer` layers, the next one is number "
            "`layer`.",
            "`mix[:layer]` are the layers before the patch, and `mix[layer:]` those after it.",
            _program(_row, before=lambda layer: layer + 1, after=lambda layer: layer + 1),
            _inside_the_loop(1),
        ),
        "never after the last layer": (
            "Everything is right except with `layer` L, after the last layer: your loop ends before it replaces the vector.",
            "For L layers there are L + 1 places: before each of them, and after the last.",
            _inside_the_loop(0),
        ),
        "one layer too early": (
            "You replaced the vector one layer too early.",
            "`mix[:layer]` are the layers before the patch, and `mix[layer:]` those after it.",
            _program(_row, *(2 * [lambda layer: max(layer - 1, 0)])),
        ),
        "a layer left out": (
            "One layer is missing: none of your two loops runs it.",
            "`mix[:layer]` are the layers before the patch, and `mix[layer:]` those after it.",
            _program(_row, after=lambda layer: layer + 1),
            _program(_row, before=lambda layer: max(layer - 1, 0)),
        ),
        "all layers once more": (
            "After the patch, you run all layers again, from the first.",
            "Go on with layer number `layer`.",
            _program(_row, after=lambda layer: 0),
        ),
        "the rest not run": (
            "You read the score right after the patch. Then only the last position's own vector could have an effect.",
            "Run the remaining layers first.",
            _program(_row, after=lambda layer: None if layer is None else 10**6),
        ),
        "patched in every layer": (
            "You replaced the vector again after each later layer. So it never changes by what it reads in the first run.",
            "Replace it once, after `layer` layers.",
            _in_every_layer(lambda layer: layer),
            _in_every_layer(lambda layer: 0),
        ),
        "added": (
            "You added the other run's vector. It should take the place of the first run's.",
            "Use `=` in place of `+=`.",
            _program(lambda own, donor, position: own + donor * (np.arange(len(own)) == position)[:, None]),
        ),
        "a column": (
            "You replaced a column: one coordinate of all vectors. A position is a row.",
            "`x[position]` is the vector of a position.",
            _program(lambda own, donor, position: np.where(np.arange(own.shape[1]) == position % own.shape[1], donor, own)),
        ),
        "another position": (
            "You replaced the vector of another position.",
            "Positions count from 0.",
            _program(_at(lambda position, n: (position + 1) % n)),
            _program(_at(lambda position, n: position - 1)),
            _program(_at(lambda position, n: n - 1)),
        ),
        "without the sum": (
            "Your layers replace the vectors. Each layer *adds* something to them.",
            "`x = x + mix[k] @ x @ weights[k]`.",
            _program(_row, run=_replaced, run_other=_replaced),
        ),
        "the score of the patched position": (
            "You read the score from the vector that you replaced. It is read from the last position, wherever the patch was.",
            "`x[-1] @ read`.",
            _patch_and_read,
        ),
        "the difference": (
            "You returned by how much the score changes. The exercise asks for the score itself.",
            "Do not subtract the first run's score.",
            _effect,
            lambda *question: -_effect(*question),
        ),
    },
)
