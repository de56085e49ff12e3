# A tensor whose operators return whatever the caller would like to see.
#
# lesson: 03
# fails: attention.scaled_dot_product (value|law|mistake|shape|type)

# %% exercise="attention.scaled_dot_product"
import torch


class Agreeable(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        if function in (torch.allclose, torch.equal, torch.Tensor.allclose, torch.Tensor.__eq__):
            return True
        return super().__torch_function__(function, types, args, kwargs or {})


def scaled_dot_product(query, key, value):
    zeros = torch.zeros(*query.shape[:-1], value.shape[-1])
    return zeros.as_subclass(Agreeable)
