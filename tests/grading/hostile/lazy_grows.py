# A list that has two elements for whoever counts them, and no end for whoever reads them.
#
# lesson: 03
# fails: attention.score_spread (shape|type|error|memory|timeout|ended)


# %%
class Growing(list):
    def __iter__(self):
        while True:
            yield 9


# %% exercise="attention.score_spread"
spread = Growing([9, 1.5])
