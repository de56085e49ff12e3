# A missing attribute with a long name, of an object that has a hundred thousand attributes with similar names.
#
# lesson: 03
# fails: attention.scaled_dot_product (timeout|error)


# %% exercise="attention.scaled_dot_product"
class Many:
    def __dir__(self):
        return ["ab" * 500 + str(number) for number in range(10**5)]


def scaled_dot_product(query, key, value):
    return getattr(Many(), "ba" * 500)
