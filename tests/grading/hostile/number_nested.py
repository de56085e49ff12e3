# Nested lists, one that contains itself, and one with a million elements.
#
# lesson: 03
# fails: attention.shapes (type|shape|value)
# fails: attention.scaled_dot_product (type|shape|timeout)
# fails: attention.score_spread (type|shape)

# %% exercise="attention.shapes"
shapes = []
shapes.append(shapes)


# %% exercise="attention.scaled_dot_product"
def scaled_dot_product(query, key, value):
    return [[0.0]] * 10**5


# %% exercise="attention.score_spread"
spread = [9, 1.5]
for _ in range(10**5):
    spread = [spread]
