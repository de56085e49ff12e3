"""The sources' errors (docs/sources.md): each test computes what is right, and shows that what was printed is not."""

import numpy as np
import pytest
import torch

from transformer_course import models
from transformer_course.attention import scaled_dot_product_attention
from transformer_course.decoding import greedy
from transformer_course.embedding import Vocabulary, pad_right
from transformer_course.exercises.lesson_02_self_attention.softmax import softmax
from transformer_course.experiments.alternative_weights import alternative_weights, logits_with_weights
from transformer_course.experiments.costs import attention_in_blocks, memory, multiplications
from transformer_course.experiments.encoder_memory import accuracy_with_memory, four_digit_numbers, probe_accuracy
from transformer_course.experiments.lengths import accuracy, train_copier
from transformer_course.experiments.neighbours import train_reporter
from transformer_course.experiments.norm_order import edit_sizes
from transformer_course.experiments.spare_heads import heads_of, last_cross_attention
from transformer_course.experiments.stream import capture_outputs, sublayers
from transformer_course.layers import EncoderLayer, Residual
from transformer_course.training import shift

X = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
WEIGHTS = softmax(X @ X.T)


def prints_as(values, digits: int = 4) -> list:
    return np.round(values, digits).tolist()


def test_e1_second_row_of_weights():
    printed = [0.2119, 0.3940, 0.3940]
    assert prints_as(softmax(np.array([0.0, 1.0, 1.0]))) == [0.1554, 0.4223, 0.4223] != printed
    assert round(sum(printed), 4) == 0.9999  # its sum does not give it away; the ratio of its weights does
    assert not np.isclose(printed[1] / printed[0], np.e, atol=0.1)
    assert np.isclose(WEIGHTS[1, 1] / WEIGHTS[1, 0], np.e)


def test_e2_last_weight_of_the_third_row():
    assert round(WEIGHTS[2, 2], 5) == 0.57612
    assert round(WEIGHTS[2, 2], 4) == 0.5761 != 0.5762


def test_e3_second_and_third_row_of_the_output():
    printed = [[0.7880, 0.7880], [0.7880, 0.9999]]
    assert prints_as(WEIGHTS @ X)[1:] == [[0.5777, 0.8446], [0.7881, 0.7881]] != printed
    mirror = np.array([1, 0, 2])
    np.testing.assert_allclose((WEIGHTS @ X)[mirror, ::-1], WEIGHTS @ X)  # the symmetry that the printed rows break


def attention(query, key, value):
    scores = query @ key.T / np.sqrt(query.shape[-1])
    return scores, softmax(scores), softmax(scores) @ value


def waves(length, width):
    """A row for each position; dimensions 2i and 2i + 1 are the sine and cosine of p / 10000^(2i/d)."""
    angles = np.arange(length)[:, None] / 10000 ** (2 * np.arange(width // 2) / width)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(length, width)


def test_e4_the_second_pair_of_width_8_turns_by_a_tenth():
    printed = [0.0001, 1.0]  # sin(1/10000), cos(1/10000)
    assert prints_as(waves(2, 8)[1, 2:4]) == [0.0998, 0.995] != printed
    slowest = [10000 ** (1 - 2 / d) for d in range(2, 1025, 2)]
    assert slowest[3] == pytest.approx(1000)
    assert max(slowest) < 10000  # reached by no pair, at no width


def test_e5_the_output_matrix_is_as_high_as_all_heads_are_wide():
    x, heads, d_v = np.array([[1.0, 0, 1], [0, 1, 0], [1, 1, 0]]), 2, 2
    together = np.concatenate([x @ np.ones((3, d_v)) for _ in range(heads)], axis=1)
    with pytest.raises(ValueError, match="mismatch"):
        together @ np.ones((3, 3))  # d_model × d_model, as it says
    assert (together @ np.ones((heads * d_v, 3))).shape == x.shape
    assert x.shape[1] % heads  # nor does d_k = d_model / h hold in its example


def test_e6_the_output_is_as_wide_as_the_values():
    rng = np.random.default_rng(0)
    x = rng.standard_normal((3, 6))
    narrow, same = (attention(x, x, x @ rng.standard_normal((6, d_v)))[2] for d_v in (5, 6))
    assert narrow.shape == (3, 5) != x.shape
    assert same.shape == x.shape


def test_e7_only_the_last_encoder_layer_is_handed_to_the_decoder():
    torch.manual_seed(0)
    whole = torch.nn.Transformer(16, 2, 3, 3, 32, dropout=0.0, batch_first=True, dtype=torch.float64)
    source, target = torch.randn(1, 5, 16, dtype=torch.float64), torch.randn(1, 4, 16, dtype=torch.float64)
    answer, x, alike = whole(source, target), source, []
    for layer in whole.encoder.layers:
        x = layer(x)
        alike.append(torch.allclose(whole.decoder(target, whole.encoder.norm(x)), answer))
    assert alike == [False, False, True]

    def as_it_is(after, real):
        return [after[-1]] * 2, real

    def as_printed(after, real):
        return after, real

    def crossed(after, real):
        return [after[-1], after[0]], real

    # With numbers nearly as good: so a score need not show how a model is wired.
    for model, right, otherwise in (("translator", (0.97, 1.0), (0.95, 1.0)), ("dates", (0.99, 1.0), (0.5, 0.9))):
        for choose_memory, (low, high) in ((as_it_is, right), (as_printed, otherwise), (crossed, otherwise)):
            assert low <= accuracy_with_memory(choose_memory, model) <= high


def test_e8_each_row_sums_to_1_and_all_rows_to_their_number():
    x = np.random.default_rng(0).standard_normal((4, 3))
    weights = attention(x, x, x)[1]
    np.testing.assert_allclose(weights.sum(axis=1), 1)
    assert np.isclose(weights.sum(), 4)  # not 1


def test_e9_i_counts_pairs():
    def lengths(i):
        angles = np.arange(200)[:, None] / 10000 ** (2 * i / 8)
        return np.hypot(np.sin(angles[:, 0::2]), np.cos(angles[:, 1::2]))

    np.testing.assert_allclose(lengths(np.arange(8) // 2), 1)  # the two numbers of a pair have one angle
    assert np.abs(lengths(np.arange(8)) - 1).max() > 0.3  # i for dimensions, as it says


def test_e10_a_mask_without_a_head_axis_is_an_error_or_silently_wrong():
    def attend(scores, mask):
        return torch.softmax(scores.masked_fill(~mask, -1e9), dim=-1)

    def scores(b, h):
        return torch.randn(b, h, 3, 3, generator=torch.Generator().manual_seed(0))

    def mask(b):  # text i has i + 1 tokens
        return (torch.arange(3) <= torch.arange(b)[:, None])[:, None].expand(b, 3, 3)

    with pytest.raises(RuntimeError, match="must match"):
        attend(scores(3, 2), mask(3))
    silent, right = attend(scores(2, 2), mask(2)), attend(scores(2, 2), mask(2)[:, None])
    assert silent.shape == right.shape
    assert not torch.allclose(silent, right)
    for head in range(2):  # head i got text i's mask
        torch.testing.assert_close(silent[:, head], attend(scores(2, 2), mask(2)[head])[:, head])
    assert attend(scores(3, 1), mask(3)).shape == (3, 3, 3, 3) != attend(scores(3, 1), mask(3)[:, None]).shape


def test_e11_a_very_low_score_does_not_fit_half_precision_and_spreads_a_row_that_is_masked_whole():
    everything = torch.ones(3, dtype=torch.bool)
    with pytest.raises(RuntimeError, match="overflow"):
        torch.zeros(3, dtype=torch.float16).masked_fill(everything, -1e9)
    torch.zeros(3, dtype=torch.bfloat16).masked_fill(everything, -1e9)
    scores = torch.tensor([1.0, 5.0, -2.0])
    torch.testing.assert_close(scores.masked_fill(everything, -1e9).softmax(-1), torch.full((3,), 1 / 3))
    assert scores.masked_fill(everything, -torch.inf).softmax(-1).isnan().all()
    query, none = torch.ones(1, 3, 2), torch.zeros(3, 3, dtype=torch.bool)
    assert not torch.nn.functional.scaled_dot_product_attention(query, query, query, none).any()


def test_e14_the_encoder_makes_one_vector_for_each_token():
    translator, vocabularies = models.load("translator")
    for words in (["nine"], ["nine", "million", "and", "one"]):
        memory, _ = translator.encode(torch.tensor([vocabularies["source"].encode(words)]))
        assert memory.shape == (1, len(words), 128)
        assert (torch.pdist(memory[0]) > 1).all()  # and they differ

    def mean(after, real):
        return [real / real.sum(-1, keepdim=True) @ after[-1]] * 2, None

    def one_left_out(after, real):  # all others have heard of it
        kept = torch.ones_like(real)
        kept[torch.arange(len(real)), 0, real.sum(-1)[:, 0] // 2] = False
        return [after[-1]] * 2, real & (kept | (real.sum(-1, keepdim=True) == 1))

    # Not because the others know nothing of that word: each of them tells all digits.
    texts, digits = four_digit_numbers(1500, vocabularies["source"])
    assert probe_accuracy(translator.encode(texts)[0], digits).min() > 0.95
    assert accuracy_with_memory(one_left_out) < 0.6
    assert accuracy_with_memory(mean) < 0.05 < 0.97 < accuracy_with_memory(lambda after, real: ([after[-1]] * 2, real))


def test_e15_cls_and_sep_are_berts_and_the_original_begins_ends_and_pads():
    translator, vocabularies = models.load("translator")
    target = vocabularies["target"]
    assert target.tokens[:4] == ("<pad>", "<begin>", "<end>", "<unknown>")
    assert target.encode(["[CLS]", "[SEP]"]) == [target.unknown] * 2  # what it says are two words that it does not know
    (written,) = greedy(translator, pad_right([vocabularies["source"].encode(["five"])]), limit=5)
    assert written[-1] == target.end  # its own token stops it
    assert shift(torch.tensor([written]))[0][0, 0] == target.begin  # and its own token starts it
    bert = Vocabulary("ab", specials=("[PAD]", "[CLS]", "[SEP]", "[UNK]", "[MASK]"))
    assert bert.encode(["[CLS]", "a", "[SEP]"]) == [1, 5, 2]


def test_e12_the_decoders_self_attention_needs_the_causal_mask():
    torch.manual_seed(0)
    layer = torch.nn.TransformerDecoderLayer(8, 2, dim_feedforward=16, dropout=0.0, batch_first=True).double()
    target, memory = torch.randn(1, 5, 8, dtype=torch.float64), torch.randn(1, 3, 8, dtype=torch.float64)

    def knows(mask):
        """Entry (i, j): whether output i depends on target token j."""
        slopes = torch.autograd.functional.jacobian(lambda x: layer(x, memory, tgt_mask=mask)[0], target)[:, :, 0]
        return (slopes != 0).any(-1).any(1)

    assert torch.equal(knows(~torch.ones(5, 5, dtype=torch.bool).tril()), torch.ones(5, 5, dtype=torch.bool).tril())
    assert knows(None).all()  # the encoder's, as it says


def test_e17_low_dimensions_are_the_fast_ones():
    periods = {d: [2 * np.pi * 10000 ** (2 * i / d) for i in range(d // 2)] for d in (8, 16, 512)}
    for d, last in ((8, 1000), (16, 3162), (512, 9647)):
        assert periods[d] == sorted(periods[d])  # from short to long
        assert periods[d][0] == pytest.approx(2 * np.pi)
        assert periods[d][-1] / (2 * np.pi) == pytest.approx(last, abs=0.5)
    low = [(step := np.square(waves(2000, 16)[20 + k] - waves(2000, 16)[20]))[:8].sum() / step.sum() for k in (1, 1000)]
    assert low[0] > 0.99  # neighbours: the low dimensions
    assert low[1] < 0.4  # far apart: mostly the high ones


def test_e18_scores_come_before_softmax_and_the_output_is_no_score():
    rng = np.random.default_rng(0)
    scores, weights, output = attention(rng.standard_normal((2, 4)), rng.standard_normal((3, 4)), rng.standard_normal((3, 5)))
    assert scores.shape == weights.shape == (2, 3) != output.shape
    assert scores.min() < 0 <= weights.min()


def test_e13_both_sublayers_have_a_residual_connection_or_no_token_gets_through():
    rng = np.random.default_rng(0)
    w_1, w_2 = rng.standard_normal((2, 8)), rng.standard_normal((8, 2))

    def network(x):
        return np.maximum(x @ w_1, 0) @ w_2

    mixed = softmax(np.zeros((3, 3))) @ X  # an attention that cannot tell the keys apart
    as_printed = mixed + network(mixed)
    np.testing.assert_allclose(as_printed, as_printed[[0, 0, 0]])  # three tokens, one vector
    right = (X + mixed) + network(X + mixed)
    assert min(np.linalg.norm(right[i] - right[j]) for i, j in ((0, 1), (0, 2), (1, 2))) > 0.1
    for norm in ("pre", "post"):  # silenced, each sublayer of a layer lets through what it got; post-norm norms it twice
        layer, x = EncoderLayer(4, 1, 8, norm=norm), torch.randn(1, 3, 4)
        theirs = torch.nn.TransformerEncoderLayer(4, 1, 8, batch_first=True, norm_first=norm == "pre")
        for last in (layer.self_attention.w_o, layer.feed_forward.w_2, theirs.self_attn.out_proj, theirs.linear2):
            torch.nn.init.zeros_(last.weight)
            torch.nn.init.zeros_(last.bias)
        normed = torch.nn.functional.layer_norm
        expected = x if norm == "pre" else normed(normed(x, (4,)), (4,))
        torch.testing.assert_close(layer(x), expected)
        torch.testing.assert_close(theirs(x), expected)


def test_e19_sinusoids_are_defined_at_any_length_and_of_no_use_to_a_model_that_was_trained_on_short_texts():
    assert np.isfinite(waves(100_000, 32)).all()
    for seed in range(2):
        right = accuracy(train_copier("sinusoidal", seed=seed), seed=seed)
        assert right[:18].mean() > 0.9  # within the length of the training
        assert right[24:].mean() < 0.2  # beyond it; chance is 1/16
    assert accuracy(train_copier("sinusoidal", rows=40))[24:38].mean() > 0.9  # rows that were trained, texts as short


def test_e20_a_mask_is_set_into_scores_and_a_token_is_among_its_own_keys():
    may = np.tri(3, dtype=bool)
    scores = np.where(may, X @ X.T, -np.inf)
    assert np.isfinite(softmax(scores) @ X).all()
    with np.errstate(invalid="ignore"):
        assert not np.isfinite(np.where(may, softmax(X @ X.T), -np.inf) @ X).all()  # set into weights, as it says
    assert may.any(axis=1).all()
    assert not (may & ~np.eye(3, dtype=bool))[0].any()  # "the other words" alone leave the first none


def test_e21_one_epsilon_stands_inside_the_root_and_none_beside_it():
    eps, largest = 1e-5, 0.0
    for spread in (1.0, 1e-2, 1e-3, 1e-5):
        x = spread * torch.tensor([-1.4, -0.2, 0.2, 1.4], dtype=torch.float64)
        root = torch.sqrt(x.var(correction=0) + eps)
        torch.testing.assert_close(torch.nn.functional.layer_norm(x, (4,), eps=eps), x / root)
        largest = max(largest, float(1 - root / (root + eps)))  # what the second one takes off
    assert 0.003 < largest < eps**0.5  # a slip that hardly shows, and another function all the same


def test_e22_post_norm_rescales_the_stream_and_the_edits_are_not_small():
    x, nothing = torch.tensor([[[1.0, 7.0, 9.0, 15.0]]]), torch.zeros_like
    assert torch.equal(Residual(4, norm="pre")(x, nothing), x)  # an edit of 0 keeps the stream, as it says
    assert Residual(4, norm="post")(x, nothing)[0, 0].tolist() == pytest.approx([-1.4, -0.2, 0.2, 1.4], abs=1e-4)
    for name in ("gpt-pre", "gpt-post"):
        model, vocabulary = models.load(name)
        edits = edit_sizes(model, torch.tensor([vocabulary["text"].encode("GREEK CAPITAL LETTER OMEGA")]))
        assert edits.min() > 0.2
        assert edits.max() > 0.6


def test_e25_the_output_is_a_distribution_of_the_next_token():
    translator, vocabularies = models.load("translator")
    english, chinese = vocabularies["source"], vocabularies["target"]
    texts = {"three hundred and five": "三百零五", "five hundred and three": "五百零三"}
    source = pad_right([english.encode(text.split()) for text in texts])
    inputs, labels = shift(pad_right([[*chinese.encode(text), chinese.end] for text in texts.values()]))
    with torch.no_grad():
        p = translator(source, inputs).softmax(-1)
    torch.testing.assert_close(p.sum(-1), torch.ones(2, 5))  # as probabilities of five tokens that occur, each would sum to 5
    assert (p.gather(-1, labels[..., None]) > 0.95).all()  # each is probable in its place
    assert set(labels[0].tolist()) == set(labels[1].tolist())  # the same tokens occur in both
    assert (p[0, 0] - p[1, 0]).abs().max() > 0.9  # and yet the distributions differ
    (five,) = chinese.encode("五")
    assert (p[0, [0, 1, 2, 4], five] < 0.01).all()  # it occurs, but not next


def test_e26_far_positions_may_coincide_in_the_fast_pairs():
    fast = np.linalg.norm(waves(711, 16)[:, :2] - [0, 1], axis=1)
    assert fast[1] > 0.95
    assert fast[44] < 0.02
    assert fast[710] < 1e-4
    assert fast[22] > 1.99


def test_e27_a_layer_norm_standardises_each_token_and_not_each_sample():
    text = torch.randn(5, 4, generator=torch.Generator().manual_seed(0)) * torch.arange(1.0, 6)[:, None]
    normed = torch.nn.LayerNorm(4)(text).detach()
    torch.testing.assert_close(normed.mean(1), torch.zeros(5), atol=1e-6, rtol=0)
    torch.testing.assert_close(normed.var(1, correction=0), torch.ones(5), atol=1e-3, rtol=0)
    as_it_says = (text - text.mean()) / text.std(correction=0)
    assert as_it_says.mean(1).abs().max() > 0.1
    longer = torch.cat([text, torch.zeros(3, 4)])  # padding, or the future
    assert torch.equal(torch.nn.LayerNorm(4)(longer)[:5], normed)
    assert not torch.allclose(((longer - longer.mean()) / longer.std(correction=0))[:5], as_it_says)


def test_e28_positions_are_whole_numbers_and_the_encoding_a_smooth_function_of_them():
    def tip(p):
        return np.array([np.sin(p), np.cos(p)])

    assert max(np.linalg.norm(tip(p + 1e-4) - tip(p)) for p in np.arange(0, 10, 0.1)) < 1.1e-4  # smooth
    assert min(np.linalg.norm(tip(p + 1) - tip(p)) for p in range(100)) > 0.95  # and far apart from token to token


def test_e24_each_written_token_takes_a_pass_and_a_given_beginning_none():
    gpt, vocabularies = models.load("gpt-pre")
    text, passes = vocabularies["text"], []
    gpt.stack.register_forward_hook(lambda *_: passes.append(1))
    prompt = pad_right([[text.begin, *text.encode("GREEK SMALL LETTER ")]])
    written = [greedy(gpt, prompt[:, :n], limit=6)[0] for n in (1, 11, 20)]
    assert [len(ids) for ids in written] == [6, 6, 6]
    assert len(passes) == 18  # however much is given
    with torch.no_grad():
        gpt(torch.cat([prompt, torch.tensor(written[2:])], dim=1))
    assert len(passes) == 19  # the whole text is read in one pass


def test_e23_the_table_of_weights_need_not_exist_and_its_multiplications_remain():
    grown = {}
    for n in (1024, 2048):
        q, k, v = torch.randn(3, n, 64, generator=torch.Generator().manual_seed(0))
        ways = lambda: scaled_dot_product_attention(q, k, v)[0], lambda: attention_in_blocks(q, k, v)  # noqa: B023
        grown[n] = [(memory(way).working, multiplications(way)) for way in ways]
        torch.testing.assert_close(ways[1](), ways[0](), rtol=1e-4, atol=1e-5)
    (plain, blocks), (plain_twice, blocks_twice) = grown.values()
    assert plain_twice[0] / plain[0] == pytest.approx(4, abs=0.1)  # as it says
    assert blocks_twice[0] == blocks[0] < plain[0] / 5  # and need not be
    assert plain_twice[1] == blocks_twice[1] == 4 * blocks[1]  # but the work is the same


def test_e22_in_trained_models_the_stream_is_the_sum_of_its_edits_with_pre_norm_alone():
    missed = {}
    for name in ("gpt-pre", "gpt-post"):
        model, vocabulary = models.load(name)
        tokens = torch.tensor([vocabulary["text"].encode("GREEK CAPITAL LETTER OMEGA")])
        bottom, *edits, top = capture_outputs(model, [model.input, *sublayers(model), model.stack.layers[-1]], tokens)
        missed[name] = ((top - bottom - sum(edits)).norm() / top.norm()).item()
    assert missed["gpt-pre"] < 1e-5
    assert missed["gpt-post"] > 0.3


def test_e16_other_weights_give_the_same_output_so_a_weight_alone_is_no_reason():
    weights, values = np.array([0.2, 0.6, 0.2]), np.array([[0.0], [1.0], [2.0]])
    assert prints_as(alternative_weights(weights, values)) == [0.5, 0.0, 0.5]
    assert (alternative_weights(weights, values) @ values).item() == pytest.approx((weights @ values).item())
    model, vocabularies = models.load("gpt-pre")
    name = "RIGHTWARDS HARPOON WITH BARB UP ABOVE RIGHTWARDS HARPOON WITH BARB DOWN"
    tokens = torch.tensor([vocabularies["text"].begin, *vocabularies["text"].encode(name)])
    plain = model.double()(tokens[None])[0, -1].detach()
    torch.testing.assert_close(logits_with_weights(model, tokens, alternative_weights), plain, atol=1e-9, rtol=0)
    shuffled = logits_with_weights(model, tokens, lambda weights, values: weights[::-1])
    assert (shuffled - plain).abs().max() > 1  # it is contested, not refuted: weights do matter


def test_e29_heads_change_places_with_the_seed_and_can_go_without_loss():
    sides = []
    for seed in range(2):
        inner = train_reporter(num_heads=4, seed=seed, steps=300).maps[:, 1:-1]
        left, right = (inner.diagonal(k, 1, 2).mean(-1) for k in (0, 2))
        sides.append((left > right).tolist())
    assert sides[0] != sides[1]
    assert all(any(side) and not all(side) for side in sides)
    assert len(heads_of(models.load("translator")[0])) == 24
    assert last_cross_attention("silenced", "working", "unseen", seed=0) > 0.97
    assert last_cross_attention("silenced", "silenced", "unseen", seed=0) < 0.2
