# An answer that raises what a press on the stop button raises. Nobody presses it here.
#
# lesson: 03
# fails: attention.scaled_dot_product (error)
# says: KeyboardInterrupt


# %% exercise="attention.scaled_dot_product"
def scaled_dot_product(query, key, value):
    raise KeyboardInterrupt
