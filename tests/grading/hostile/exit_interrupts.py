# An answer that raises what the stop button raises, though nobody has pressed it.
#
# lesson: 03
# fails: attention.scaled_dot_product (error)
# says: KeyboardInterrupt


# %% exercise="attention.scaled_dot_product"
def scaled_dot_product(query, key, value):
    raise KeyboardInterrupt
