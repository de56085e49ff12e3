# A tensor larger than the memory that the process may use.
#
# lesson: 03
# fails: attention.scaled_dot_product (memory)
# says: RuntimeError
# says: This needed more than 1024 MiB of memory

# %% exercise="attention.scaled_dot_product"
import torch


def scaled_dot_product(query, key, value):
    return torch.ones(10**10)
