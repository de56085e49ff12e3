# An error whose message never comes to an end.
#
# lesson: 03
# fails: attention.scaled_dot_product (timeout)


# %% exercise="attention.scaled_dot_product"
class Endless(ValueError):
    def __str__(self):
        while True:
            pass


def scaled_dot_product(query, key, value):
    raise Endless
