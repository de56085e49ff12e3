# An answer that decides itself what its attributes are, and takes for ever to decide.
#
# lesson: 03
# fails: attention.scaled_dot_product (timeout)
# says: was stopped after


# %% exercise="attention.scaled_dot_product"
class Function:
    def __call__(self, query, key, value):
        return query

    def __getattr__(self, name):
        while True:
            pass


scaled_dot_product = Function()
