"""From text to a model's first tensor: tokens, their ids, and one vector per id.

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
    """The tokens that a model knows, each with a number, its id.

    The first four are special, whatever their names: 0 pads a batch, 1 begins a sequence, 2 ends it, and 3 replaces
    unknown tokens. BERT calls them [PAD], [CLS], [SEP] and [UNK], and has a fifth, [MASK]. Pass ``specials`` to use other
    names, or more than four. A sequence is a list of strings; a plain string counts as a sequence of characters.

    Raises ValueError if there are fewer than four specials, if two are equal, or if one of them is among the tokens.
    """

    pad, begin, end, unknown = range(4)

    def __init__(self, tokens: Iterable[str], specials: Sequence[str] = SPECIALS):
        tokens = dict.fromkeys(tokens)  # removes duplicates, keeps the order
        if len(set(specials)) < max(4, len(specials)):
            raise ValueError(f"a vocabulary needs at least four special tokens, all different, got {list(specials)}")
        if clash := tokens.keys() & set(specials):
            raise ValueError(f"special tokens cannot also be ordinary tokens, got {sorted(clash)} among the tokens")
        self.specials = tuple(specials)
        self.tokens = (*specials, *tokens)
        self.ids = {token: number for number, token in enumerate(self.tokens)}

    @classmethod
    def from_sequences(cls, sequences: Iterable[Iterable[str]], specials: Sequence[str] = SPECIALS) -> "Vocabulary":
        """Build the vocabulary of all tokens in ``sequences``, in alphabetical order."""
        return cls(sorted({token for sequence in sequences for token in sequence}), specials)

    def __len__(self) -> int:
        return len(self.tokens)

    def encode(self, sequence: Iterable[str]) -> list[int]:
        """Return the id of each token. Unknown tokens get the id of ``<unknown>``, and no special token is added.

        Names of special tokens are recognised too: "<pad>" becomes 0, and models then ignore it as padding.

        Raises ValueError for a plain string if all tokens of the vocabulary are words.
        """
        if isinstance(sequence, str) and all(len(token) > 1 for token in self.tokens):
            raise ValueError(f"the tokens of this vocabulary are words, got the string {sequence[:40]!r}; try text.split()")
        return [self.ids.get(token, self.unknown) for token in sequence]

    def decode(self, ids: Iterable[int]) -> list[str]:
        """Return the tokens of these ids up to the first ``<end>``, without ``<pad>`` and ``<begin>``.

        Raises ValueError if an id is not in the vocabulary.
        """
        tokens = []
        for number in map(int, ids):
            if not 0 <= number < len(self):
                raise ValueError(f"this vocabulary has ids 0 … {len(self) - 1}, got {number}")
            if number == self.end:
                break
            if number not in (self.pad, self.begin):
                tokens.append(self.tokens[number])
        return tokens


def pad_right(sequences: Sequence[Sequence[int]], pad: int = Vocabulary.pad) -> Int[Tensor, "b n"]:
    """Stack sequences of ids into one tensor (b, n), padding them on the right to the length of the longest.

    Raises ValueError if there is no sequence, or if one of them is empty or a string.
    """
    if not len(sequences):
        raise ValueError("a batch needs at least one sequence, got none")
    for i, sequence in enumerate(sequences):
        if not len(sequence):
            raise ValueError(f"every sequence needs at least one id, but sequence {i} of the batch is empty")
        if isinstance(sequence, str):
            raise ValueError(f"sequences must be lists of ids, got the string {sequence[:40]!r}; try vocabulary.encode")
    longest = max(map(len, sequences))
    return torch.tensor([[*s, *[pad] * (longest - len(s))] for s in sequences])


class TokenEmbedding(nn.Module):
    """Look up one learned vector per token, and multiply it by √d_model unless ``scaled`` is False.

    The table is initialised with standard deviation 1/√d_model. The output then has standard deviation 1, close to the 0.71
    of the sine waves that are added to it. (`nn.Embedding` starts with standard deviation 1; after the factor √d_model, its
    vectors would drown out the waves. A tied `output_layer` initialises the table again, with smaller values.)

    Source: Vaswani et al. 2017, "Attention Is All You Need", section 3.4; initialisation: its authors' code, tensor2tensor.
    """

    def __init__(self, vocabulary_size: int, d_model: int, scaled: bool = True):
        super().__init__()
        self.scale = math.sqrt(d_model) if scaled else 1.0
        self.table = nn.Parameter(torch.randn(vocabulary_size, d_model) / math.sqrt(d_model))

    def forward(self, tokens: Int[Tensor, "b n"]) -> Float[Tensor, "b n d"]:
        """Return the vectors of these ids, (b, n, d_model).

        Raises ValueError if ``tokens`` are not integers of shape (b, n), if a sequence is empty, or if an id is outside the
        table.
        """
        size = len(self.table)
        if not isinstance(tokens, Tensor):
            raise ValueError(
                f"tokens must be a tensor of ids, got {type(tokens).__name__}; see Vocabulary.encode and pad_right"
            )
        if tokens.dtype not in (torch.int64, torch.int32) or tokens.ndim != 2:
            raise ValueError(
                f"tokens must be ids, int64 of shape (b, n), got {tokens.dtype} {tuple(tokens.shape)}; try tokens.long()"
            )
        if not tokens.numel():
            raise ValueError(f"a sequence needs at least one token, got shape {tuple(tokens.shape)}")
        try:
            return F.embedding(tokens, self.table) * self.scale
        except IndexError:
            wrong = tokens[(tokens < 0) | (tokens >= size)][0].item()
            raise ValueError(f"this table has ids 0 … {size - 1}, got {wrong}; was a different vocabulary used?") from None
