# Tensors that store one number and claim to have 10^18, in a type that must be converted before it can be read.
#
# lesson: 03
# fails: attention.scaled_dot_product (type|error|memory)
# fails: attention.one_way (type|shape|memory)

# %% exercise="attention.scaled_dot_product"
import torch


def scaled_dot_product(query, key, value):
    return torch.zeros(1, dtype=torch.bfloat16).expand(10**9, 10**9)


# %% exercise="attention.one_way"
one_way = [torch.zeros((), dtype=torch.bfloat16).expand(3, 3, 10**8), torch.zeros((), dtype=torch.float16).expand(10**9)]
