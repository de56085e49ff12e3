# Tensors of every kind that is no plain one: sparse, quantised, complex, nested, and with bits that wait to be applied.
#
# lesson: 03
# fails: attention.score_spread (shape|type)
# fails: attention.scaled_dot_product (type|error|value|shape)
# fails: attention.one_way (type|shape)

# %% exercise="attention.score_spread"
import torch

spread = torch.quantize_per_tensor(torch.tensor([9, 1.5]), 0.5, 0, torch.quint8)


# %% exercise="attention.scaled_dot_product"
def scaled_dot_product(query, key, value):
    return torch.zeros(*query.shape[:-1], value.shape[-1]).to_sparse()


# %% exercise="attention.one_way"
nested = torch.nested.nested_tensor([torch.ones(2), torch.ones(3)])
one_way = (torch.complex(torch.ones(3, 3), torch.zeros(3, 3)).conj(), nested)
