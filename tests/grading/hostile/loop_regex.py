# A regular expression that backtracks for ever and holds the interpreter's lock meanwhile.
#
# lesson: 03
# fails: attention.scaled_dot_product (timeout)
# says: was stopped after

# %% exercise="attention.scaled_dot_product"
import re


def scaled_dot_product(query, key, value):
    return re.match("(a*)*b", "a" * 100)
