# An answer that exits has raised SystemExit, and the next one is asked.
#
# lesson: 03
# fails: attention.scaled_dot_product (error)
# says: SystemExit


# %% exercise="attention.scaled_dot_product"
def scaled_dot_product(query, key, value):
    raise SystemExit(0)
