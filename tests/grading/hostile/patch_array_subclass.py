# An array whose operators, reductions and shape lie.
#
# lesson: 03
# fails: attention.scaled_dot_product (value|law|mistake|shape|type)


# %% exercise="attention.scaled_dot_product"
class Agreeable(np.ndarray):
    def __array_ufunc__(self, *_, **__):
        return np.True_

    def __array_function__(self, *_, **__):
        return np.True_

    def __eq__(self, other):
        return True

    def all(self, *_, **__):
        return True


def scaled_dot_product(query, key, value):
    return np.zeros((*query.shape[:-1], value.shape[-1])).view(Agreeable)
