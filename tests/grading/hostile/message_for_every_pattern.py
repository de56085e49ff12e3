# An error whose message holds the words of every known message, again and again: it is searched with forty patterns.
#
# lesson: 03
# fails: attention.scaled_dot_product (error)


# %% exercise="attention.scaled_dot_product"
def scaled_dot_product(query, key, value):
    words = "size of tensor a batch2 tensor .T matmul: Input operand 1 has a mismatch (size 1111 is different from 1111) "
    words += "Expected target size [[[[[ cannot assign '''''' as parameter missing 1 required positional argument: The truth "
    words += "value of an array mat1 and mat2 shapes cannot be multiplied (1x1 and 1x Index given to ParameterDict cannot be"
    raise ValueError(words * 1000)
