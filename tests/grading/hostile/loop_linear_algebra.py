# Matrix products that take all the time there is, in a library's own threads if it has any.
#
# lesson: 03
# fails: attention.scaled_dot_product (timeout)
# says: was stopped after

# %% exercise="attention.scaled_dot_product"
import torch


def scaled_dot_product(query, key, value):
    torch.set_num_threads(16)
    matrix = torch.ones(3000, 3000)
    for _ in range(10**6):
        matrix = matrix @ matrix / 3000
    return matrix
