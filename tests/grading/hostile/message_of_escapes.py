# An error whose message would colour a terminal, move its cursor, rename its window and reverse the writing direction.
#
# lesson: 03
# fails: attention.scaled_dot_product (error)
# says: ValueError


# %% exercise="attention.scaled_dot_product"
def scaled_dot_product(query, key, value):
    raise ValueError("\x1b[2J\x1b]0;pwned\x07\x1b[31m\u202e\u2066right\x00\r\n\b\ud800 passed")
