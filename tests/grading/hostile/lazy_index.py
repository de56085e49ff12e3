# Objects that turn into the right number when they are asked nicely: as an index, as a float, as an array, as a truth value.
#
# lesson: 03
# fails: attention.score_spread (shape|type)
# fails: attention.shapes (shape|type)


# %%
class Asked:
    def __init__(self, number):
        self.number = number

    def __float__(self):
        return float(self.number)

    def __index__(self):
        return int(self.number)

    def __array__(self, *_, **__):
        return np.array(self.number)


# %% exercise="attention.score_spread"
spread = [Asked(9), Asked(1.5)]
# %% exercise="attention.shapes"
shapes = np.array([(Asked(7), Asked(6))] * 5, dtype=object)
