# Right answers keep their marks in odd forms: with gradients, backwards, read-only, from a file, overlapping.
#
# lesson: 03

# %% exercise="attention.score_spread"
import torch

spread = torch.tensor([9, 1.5], requires_grad=True) * 1
# %% exercise="attention.shapes"
shapes = np.memmap("numbers", np.int8, "w+", shape=(5, 2))
shapes[:] = np.array([(7, 10), (7, 11), (11, 10), (11, 6), (7, 6)])
shapes = shapes[::-1]
shapes.flags.writeable = False
# %% exercise="attention.one_way"
overlapping = np.lib.stride_tricks.as_strided(np.eye(1, 5, 2)[0][2:], (3, 3), (-8, 8))
one_way = (9 * np.roll(np.eye(3, dtype=np.float16), 1, 1), overlapping)
# %% exercise="attention.saturated"
verdict = {"claim": np.str_("B)"), "reason": " b ", "value": np.array(8, dtype=object)}
