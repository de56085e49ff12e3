"""Stage B13: a mixture of experts, with the loss that balances them."""

import numpy as np

from ..build_2_one_head.causal_head import linear
from ..build_4_a_gpt.block import under, within
from ..build_9_llama.swiglu import shapes as network_shapes
from ..build_9_llama.swiglu import swiglu
from ..exercise import in_order
from ..families import adapted
from ..families.wiring import INPUT_ADDED
from ..kinds import Method, Module
from ..lesson_23_what_has_changed_since_2017.balance import balance
from ..lesson_23_what_has_changed_since_2017.routing import routing
from ..toolkit import normal, softmax

MARGIN = 1e-2  # between any two scores of a token, so that rounding to float32 decides nothing


def program(
    weights=routing.reference,
    of=lambda given, x: x,
    expert=lambda given, number: swiglu(within(given, f"experts.{number}"), given["x"]),
):
    """The mixture with the pieces that a mistake replaces. ``weights(scores, k)`` has one row for each token."""

    def forward(given, x):
        scores = linear(given, "router", of(given, x))
        chosen = weights(scores.reshape(-1, scores.shape[-1]), given["k"]).reshape(scores.shape)
        outputs = [expert({**given, "x": x}, number) for number in range(given["num_experts"])]
        return sum(chosen[..., [number]] * output for number, output in enumerate(outputs))

    return forward


def _routed(given, x):
    """The probabilities of all experts, and the chosen ones, the best first."""
    scores = linear(given, "router", x).reshape(-1, given["num_experts"])
    return softmax(scores), np.argsort(-scores, axis=1)[:, : given["k"]]


def _balance(piece):
    return lambda given, x: [np.asarray(piece(*_routed(given, x)))]


def _balance_of(probabilities):
    """The balancing loss with other numbers, made of the scores, in place of the probabilities."""

    def piece(given, x):
        scores = linear(given, "router", x).reshape(-1, given["num_experts"])
        return [np.asarray(balance.reference(probabilities(scores, given["k"]), _routed(given, x)[1]))]

    return piece


def _chosen(scores, k):
    return (routing.reference(scores, k) > 0) * 1.0


def _sigmoid(scores, k):
    return _chosen(scores, k) / (1 + np.exp(-scores))


def _scaled_inputs(given, x):
    """The experts read what has been weighted before."""
    scores = linear(given, "router", x)
    weights = routing.reference(scores.reshape(-1, scores.shape[-1]), given["k"]).reshape(scores.shape)
    return sum(swiglu(within(given, f"experts.{n}"), weights[..., [n]] * x) for n in range(given["num_experts"]))


def _over_tokens(given, x):
    """The weights of the best of all tokens sum to 1, those of their second choices do, and so on."""
    scores = linear(given, "router", x)
    places, weights = np.argsort(-scores, axis=-1)[..., : given["k"]], np.zeros_like(scores)
    chosen = softmax(np.take_along_axis(scores, places, -1).swapaxes(1, 2)).swapaxes(1, 2)
    np.put_along_axis(weights, places, chosen, -1)
    return sum(weights[..., [n]] * swiglu(within(given, f"experts.{n}"), x) for n in range(given["num_experts"]))


def shapes(d_model, d_ff, num_experts, k):
    experts = [under(f"experts.{number}", network_shapes(d_model, d_ff)) for number in range(num_experts)]
    return {"router.weight": (num_experts, d_model), **{name: shape for each in experts for name, shape in each.items()}}


def _draw(rng):
    def mixture(d_model, d_ff, num_experts, k, *calls, unused=False):
        """Where no two scores of a token are close; the last expert can be unused."""
        while True:
            router, inputs = normal(rng, num_experts, d_model), [normal(rng, *shape, d_model) for shape in calls]
            scores = np.sort(np.concatenate([(x @ router.T).reshape(-1, num_experts) for x in inputs]))
            last = ((inputs[0] @ router.T).argmax(-1) == num_experts - 1).any()
            if np.diff(scores).min() > MARGIN and not (last and unused):
                sizes = {"d_model": d_model, "d_ff": d_ff, "num_experts": num_experts, "k": k}
                return sizes, [[x] for x in inputs], {"router.weight": router}

    return [
        mixture(4, 6, 5, 2, (2, 9), (1, 3)),
        mixture(6, 5, 4, 1, (3, 4), (2, 7), unused=True),
        mixture(5, 3, 6, 3, (2, 8)),
        mixture(3, 4, 2, 2, (2, 5)),
    ]


experts = Module(
    id="build.experts",
    answer_name="Experts",
    prompt="A mixture of experts as an nn.Module: a router, k networks for each token, and the loss that balances them.",
    shapes=shapes,
    reference=program(),
    draw=_draw,
    methods=(
        Method(
            "balance",
            takes=("x",),
            gives=("the balancing loss",),
            used="Training adds it to the loss.",
            inputs=lambda given, x: [x],
            reference=_balance(balance.reference),
            mistakes=in_order(
                {
                    **adapted(balance.mistakes, _balance, but=("no count for the last experts",)),
                    "probabilities of the chosen alone": (
                        "Your mean probabilities are those of the chosen experts alone. Take a softmax over *all* scores.",
                        "Use `scores.softmax(-1)`, before anything is chosen.",
                        _balance_of(lambda scores, k: routing.reference(scores, k)),
                    ),
                    "scores in place of probabilities": (
                        "You averaged the scores themselves. They may be negative, and sum to anything.",
                        "Take a softmax over the experts first: `scores.softmax(-1)`.",
                        _balance_of(lambda scores, k: scores),
                    ),
                    "each text by itself": (
                        "You balanced each text by itself, and took the mean. The shares are those of all tokens together.",
                        "Join the batch and the tokens first: `.flatten(0, 1)`.",
                        lambda given, x: [np.mean([_balance(balance.reference)(given, text)[0] for text in x[:, None]])],
                    ),
                }
            ),
            trained=True,
        ),
    ),
    why="Each token uses k networks, and the model has many more to learn with.",
    hints=(
        "The router is an nn.Linear from d_model to num_experts without bias, and the experts are an nn.ModuleList. "
        "`self.router(x)` scores the experts for each token.",
        "`scores.topk(self.k, dim=-1)` gives the k highest scores and their experts. Their softmax gives the weights. "
        "`torch.zeros_like(scores).scatter(-1, chosen, weights)` puts each into the column of its expert.",
        "The output is the sum of `weights[..., [i]] * expert(x)` over all experts: where the weight is 0, nothing is added. "
        "In `balance`, the shares are counts of `chosen` divided by `chosen.numel()`. The probabilities are a softmax of all "
        "scores.",
    ),
    mistakes={
        **adapted(routing.mistakes, program, but=("overflow", "masked with a low number", "the partition at the wrong end")),
        "the weights left out": (
            "You add the outputs of the chosen experts without their weights. Then the router gets no gradient.",
            "Multiply each output by the softmax weight of its expert.",
            program(_chosen),
        ),
        "averaged over the experts": (
            "You divided the weighted sum by the number of experts. The weights of a token sum to 1 already.",
            "Add up what the chosen experts give, each times its weight, and nothing more.",
            program(lambda scores, k: routing.reference(scores, k) / k),
            program(lambda scores, k: routing.reference(scores, k) / scores.shape[-1]),
        ),
        "weighted before the expert": (
            "You multiplied the input of each expert by its weight. But half an input does not give half an output.",
            "Multiply what the expert gives.",
            _scaled_inputs,
        ),
        "one expert for all": (
            "You use the same expert, whichever was chosen.",
            "Each column of the weights belongs to one entry of `self.experts`.",
            program(expert=lambda given, number: swiglu(within(given, "experts.0"), given["x"])),
        ),
        "the scores as weights": (
            "Your weights are the scores themselves, which may be negative and sum to anything.",
            "Take a softmax over the k scores of each token: `.softmax(-1)`.",
            program(lambda scores, k: scores * _chosen(scores, k)),
        ),
        "sigmoid in place of softmax": (
            "You took the sigmoid of each score. Some newer mixtures do, but here the weights of the k experts are a softmax.",
            "`.softmax(-1)` of the k highest scores: no division follows.",
            program(lambda scores, k: _sigmoid(scores, k) / _sigmoid(scores, k).sum(-1, keepdims=True)),
            program(lambda scores, k: _sigmoid(scores, k)),
        ),
        "softmax over the tokens": (
            "You took the softmax along the tokens. Each *token* should divide its weight among its k experts.",
            "The k scores of a token are on the last axis: `.softmax(-1)`.",
            _over_tokens,
        ),
        "one choice for a whole text": (
            "All tokens of a text use the same experts. Each *token* chooses its own.",
            "The router gets x as it is, with one vector for each token.",
            program(of=lambda given, x: x.mean(1, keepdims=True) + 0 * x),
            program(of=lambda given, x: x[:, :1] + 0 * x),
        ),
        **adapted(INPUT_ADDED, lambda add: add(program())),
    },
)
