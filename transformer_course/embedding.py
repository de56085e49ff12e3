"""From text to the model's first tensor: tokens, their numbers, and one vector for each number.

Shapes: ``b`` batch, ``n`` tokens, ``d`` width.
"""

import math
from collections.abc import Iterable, Sequence

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

SPECIALS = ("<pad>", "<begin>", "<end>", "<unknown>")


class Vocabulary:
    """The tokens that a model knows, each with its number, its id.

    The first four are special, by their place: 0 fills a batch up, 1 begins a sequence, 2 ends it, 3 stands for what is
    not known. BERT calls them [PAD], [CLS], [SEP] and [UNK], and has a fifth, [MASK]: any names may be given as
    ``specials``, and more than four. A sequence is a list of strings; a plain string is a sequence of characters.

    Raises ValueError when fewer than four different specials are given, or one of them is among the tokens.
    """

    pad, begin, end, unknown = range(4)

    def __init__(self, tokens: Iterable[str], specials: Sequence[str] = SPECIALS):
        tokens = dict.fromkeys(tokens)  # each once, in their order
        if len(set(specials)) < max(4, len(specials)):
            raise ValueError(f"a vocabulary needs at least four different special tokens, saw {list(specials)}")
        if clash := tokens.keys() & set(specials):
            raise ValueError(f"special tokens cannot be ordinary ones too, saw {sorted(clash)} among the tokens")
        self.specials = tuple(specials)
        self.tokens = (*specials, *tokens)
        self.ids = {token: number for number, token in enumerate(self.tokens)}

    @classmethod
    def from_sequences(cls, sequences: Iterable[Iterable[str]], specials: Sequence[str] = SPECIALS) -> "Vocabulary":
        """Make the vocabulary of all tokens in some sequences, in alphabetical order."""
        return cls(sorted({token for sequence in sequences for token in sequence}), specials)

    def __len__(self) -> int:
        return len(self.tokens)

    def encode(self, sequence: Iterable[str]) -> list[int]:
        """Return the id of each token; one that is not known gets the id of ``<unknown>``. Nothing is added.

        The name of a special token is understood too: "<pad>" gives 0, which is then left out as padding.

        Raises ValueError for a plain string when all tokens are words.
        """
        if isinstance(sequence, str) and all(len(token) > 1 for token in self.tokens):
            raise ValueError(f"the tokens of this vocabulary are words, saw the string {sequence[:40]!r}; try text.split()")
        return [self.ids.get(token, self.unknown) for token in sequence]

    def decode(self, ids: Iterable[int]) -> list[str]:
        """Return the tokens of these ids, up to the first end, without padding and begin.

        Raises ValueError for an id that the vocabulary does not have.
        """
        tokens = []
        for number in map(int, ids):
            if not 0 <= number < len(self):
                raise ValueError(f"this vocabulary has the ids 0 … {len(self) - 1}, saw {number}")
            if number == self.end:
                break
            if number not in (self.pad, self.begin):
                tokens.append(self.tokens[number])
        return tokens


def pad_right(sequences: Sequence[Sequence[int]], pad: int = Vocabulary.pad) -> Int[Tensor, "b n"]:
    """Lay sequences of ids under each other, filled up on the right to the longest: (b, n).

    Raises ValueError when there is no sequence, or one of them is empty or a string.
    """
    if not len(sequences):
        raise ValueError("a batch needs at least one sequence")
    for i, sequence in enumerate(sequences):
        if not len(sequence):
            raise ValueError(f"sequence {i} of the batch is empty")
        if isinstance(sequence, str):
            raise ValueError(f"sequences are lists of ids, saw the string {sequence[:40]!r}; try vocabulary.encode")
    longest = max(map(len, sequences))
    return torch.tensor([[*s, *[pad] * (longest - len(s))] for s in sequences])


class TokenEmbedding(nn.Module):
    """One learned vector for each token, times √d_model.

    The table starts with standard deviation 1/√d_model, so that the numbers that come out have standard deviation 1, near
    the 0.71 of the sine waves that are added to them. (`nn.Embedding` starts at 1: after the factor √d_model, the waves
    would drown in it. A tied `output_layer` draws the table anew, smaller.)

    Source: Vaswani et al. 2017, "Attention Is All You Need", section 3.4; the start is that of its authors' code,
    tensor2tensor.
    """

    def __init__(self, vocabulary_size: int, d_model: int):
        super().__init__()
        self.table = nn.Parameter(torch.randn(vocabulary_size, d_model) / math.sqrt(d_model))

    def forward(self, tokens: Int[Tensor, "b n"]) -> Float[Tensor, "b n d"]:
        """Return the vectors of these ids, (b, n, d_model).

        Raises ValueError for anything but whole numbers of the shape (b, n), for an empty sequence, and for an id
        outside the table.
        """
        size, d_model = self.table.shape
        if not isinstance(tokens, Tensor):
            raise ValueError(f"tokens are a tensor of ids, saw {type(tokens).__name__}; see Vocabulary.encode and pad_right")
        if tokens.dtype not in (torch.int64, torch.int32) or tokens.ndim != 2:
            raise ValueError(
                f"tokens are ids, int64 of shape (b, n), saw {tokens.dtype} of shape {tuple(tokens.shape)}; try tokens.long()"
            )
        if not tokens.numel():
            raise ValueError(f"a sequence needs at least one token, saw shape {tuple(tokens.shape)}")
        try:
            return F.embedding(tokens, self.table) * math.sqrt(d_model)
        except IndexError:
            wrong = tokens[(tokens < 0) | (tokens >= size)][0].item()
            raise ValueError(f"this table has the ids 0 … {size - 1}, saw {wrong}; was another vocabulary used?") from None
