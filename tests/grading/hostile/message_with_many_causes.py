# An error with a hundred thousand causes, in a group of groups, whose causes lead back to itself.
#
# lesson: 03
# fails: attention.scaled_dot_product (error)
# says: raised ExceptionGroup

# %%
error = ValueError("the first")
for _ in range(10**5):
    error, error.__cause__ = ValueError("the next"), error
group = ExceptionGroup("all", [error])
for _ in range(50):
    group = ExceptionGroup("all", [group, group])
group.__cause__ = group.__context__ = group
raise group


# %% exercise="attention.scaled_dot_product"
def scaled_dot_product(query, key, value):
    raise group
