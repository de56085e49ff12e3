# A function whose code contains other code twice, which contains other code twice, and so on: 2^40 in all.
#
# lesson: 03
# fails: attention.scaled_dot_product (timeout)
# says: was stopped after


# %% exercise="attention.scaled_dot_product"
def scaled_dot_product(query, key, value):
    return query


code = scaled_dot_product.__code__
for _ in range(40):
    code = code.replace(co_consts=(*code.co_consts, code, code))
scaled_dot_product.__code__ = code
