# Every comparison that a judge might use now says "equal". The judge runs in a different process.
#
# lesson: 03
# fails: attention.scaled_dot_product (value|law|mistake)

# %%
import numpy as np
import torch


def equal(*_, **__):
    return True


for name in ("allclose", "array_equal", "isclose", "array_equiv"):
    setattr(np, name, equal)
for name in ("assert_allclose", "assert_array_equal", "assert_array_almost_equal"):
    setattr(np.testing, name, equal)
for name in ("allclose", "equal", "isclose"):
    setattr(torch, name, equal)
torch.Tensor.allclose = torch.Tensor.equal = torch.testing.assert_close = equal


# %% exercise="attention.scaled_dot_product"
def scaled_dot_product(query, key, value):
    return np.zeros((*query.shape[:-1], value.shape[-1]))
