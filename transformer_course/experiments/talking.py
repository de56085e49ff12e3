"""Talking to a model in one cell: you type the beginning of a text, and the model goes on, token by token."""

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor, nn

from transformer_course.decoding import next_token_distribution

BEGINNING, QUESTION = "The", "Is 418 even or odd?"  # where nobody can type
LENGTH = 256  # tokens that a model without a table of positions sees


@dataclass(frozen=True)
class Chat:
    """How a model was taught to answer: the markers before a user's turn and before its reply, and what ends the reply.

    Each is a text, which the tokenizer encodes, or a list of ids, as for a token that no text gives. A model that was taught
    with single questions reads each turn ``alone``.
    """

    user: str | Sequence[int]
    reply: str | Sequence[int]
    stop: str | Sequence[int]
    alone: bool = False


def talk(
    model: nn.Module,
    tokenizer: object,
    *beginnings: str,
    count: int = 100,
    temperature: float = 0.8,
    top_p: float = 0.9,
    seed: int | None = None,
    chat: Chat | None = None,
) -> None:
    """Ask for the beginning of a text, and let the model go on with ``count`` tokens; an empty line ends it.

    With a ``chat`` format, each text is a question by itself, and the answer goes as far as the format's end.

    Each token is printed as soon as it is drawn. Interrupt the kernel (the square above the notebook, or I twice) to end it
    earlier: what has been written stays. With ``beginnings``, nothing is asked.

    ``model`` takes ids (b, n) and returns logits (b, n, v), as that of stage B4 does. If it also takes ``caches``, as in stage
    B7, it reads each token once. ``tokenizer`` has ``encode`` and ``decode``. The model is left in the mode in which it was.

    Raises ValueError for a ``count`` below 1, and for a ``temperature`` or ``top_p`` that `next_token_distribution` refuses.
    """
    if count < 1:
        raise ValueError(f"count must be at least 1, got {count}")
    next_token_distribution(torch.zeros(2), temperature=temperature, top_p=top_p)  # refuses what it cannot use
    generator = torch.Generator()
    generator.manual_seed(generator.seed() if seed is None else seed)
    training, asks = model.training, not beginnings

    def choose(logits: Float[Tensor, "v"]) -> int:
        probabilities = next_token_distribution(logits.float().cpu(), temperature=temperature, top_p=top_p)
        return int(torch.multinomial(probabilities, 1, generator=generator))

    try:
        model.eval()
        if asks:
            what = "Type how a text begins" if chat is None else "Type a question"
            print(f"{what}, then Enter. An empty line ends it; interrupt the kernel to end it earlier.")
        usual = BEGINNING if chat is None else QUESTION
        while beginning := (_typed(usual) if asks else (beginnings[0] if beginnings else "")):
            beginnings = beginnings[1:]
            _write(model, tokenizer, beginning, count, choose, chat)
            asks = asks and beginning is not usual
    except KeyboardInterrupt:
        print("\n(stopped)")
    finally:
        model.train(training)


def _typed(usual: str) -> str:
    """What somebody types; ``usual`` itself where nobody can, such as in a test."""
    try:
        return input("> ")
    except (EOFError, OSError, NotImplementedError):
        return usual


def _write(
    model: nn.Module, tokenizer: object, beginning: str, count: int, choose: Callable, chat: Chat | None = None
) -> None:
    """Print the beginning and what the model writes after it, at each step as far as it is whole characters."""
    ids = list(tokenizer.encode(beginning))
    if not ids:
        raise ValueError(f"the tokenizer makes no token of {beginning!r}; begin with another text")
    stop: list[int] = []
    if chat:
        ids, stop = [*chat.user, *ids, *chat.reply], [*chat.stop]
    before, shown, step = len(ids), "", _step(model)
    print(beginning, end="\n" if chat else "", flush=True)
    for _ in range(count):
        ids.append(choose(step(ids)))
        if stop and ids[-len(stop) :] == stop:
            break
        text = tokenizer.decode(ids[before:])
        whole = text.rstrip("\ufffd")  # a token may end within a character
        if whole.startswith(shown):
            print(whole[len(shown) :], end="", flush=True)
            shown = whole
    print("\n")


def _step(model: nn.Module) -> Callable[[Sequence[int]], Float[Tensor, "v"]]:
    """Return what gives the logits after all ids so far, of which the model sees the last ones. For one text."""
    device = next(model.parameters()).device
    table = getattr(model, "positions", None)
    length = table.num_embeddings if isinstance(table, nn.Embedding) else LENGTH

    @torch.no_grad()
    def read_all(ids: Sequence[int]) -> Float[Tensor, "v"]:
        return model(torch.tensor([ids[-length:]], device=device))[0, -1]

    caches: list[dict] = []
    read = 0

    @torch.no_grad()
    def read_new(ids: Sequence[int]) -> Float[Tensor, "v"]:
        nonlocal caches, read
        if not caches or read == length:  # a full cache begins again with the second half of what it holds
            caches = [{} for _ in model.blocks]
            new, read = (ids[-length:] if not read else ids[-(length // 2) :]), 0
        else:
            new = ids[-1:]
        read += len(new)
        return model(torch.tensor([new], device=device), caches)[0, -1]

    return read_new if "caches" in inspect.signature(model.forward).parameters else read_all
