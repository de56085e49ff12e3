# An error with a very long message, and one with a very long name.
#
# lesson: 03
# fails: attention.scaled_dot_product (error|ended)
# says: raised EEE

# %%
raise type("E" * 10**7, (ValueError,), {})("m" * 10**7)


# %% exercise="attention.scaled_dot_product"
def scaled_dot_product(query, key, value):
    raise ValueError("m" * 10**7)
