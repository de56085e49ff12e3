# Tensors that have a shape and no numbers: on the device "meta", or with their memory taken away.
#
# lesson: 03
# fails: attention.scaled_dot_product (type|error|ended|value|shape)
# fails: attention.one_way (type|shape|ended)
# fails: attention.shapes (shape|type|ended|value)

# %%
import torch


# %% exercise="attention.scaled_dot_product"
def scaled_dot_product(query, key, value):
    return torch.empty((*query.shape[:-1], value.shape[-1]), device="meta")


# %% exercise="attention.one_way"
one_way = (torch.ones(3, 3, device="meta"), torch.ones(3, 3, device="meta"))
# %% exercise="attention.shapes"
shapes = torch.ones(5, 2, dtype=torch.int64)
shapes.untyped_storage().resize_(0)
