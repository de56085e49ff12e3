# An answer that crashes the interpreter.
#
# lesson: 03
# fails: attention.scaled_dot_product (ended)
# says: a crash in compiled code (segmentation fault)

# %% exercise="attention.scaled_dot_product"
import ctypes


def scaled_dot_product(query, key, value):
    ctypes.string_at(0)
