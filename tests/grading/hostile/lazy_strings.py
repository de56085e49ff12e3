# Answers that should be strings and pairs, of a megabyte each, of a class of their own, or containing themselves.
#
# lesson: B8
# fails: build.merge (type|value|shape|error|mistake)
# fails: build.byte_pairs (type|value|shape|error|mistake)
# fails: build.encode_word (type|value|shape|error|mistake)
# fails: build.decode_ids (type|value|shape|error|mistake)


# %% exercise="build.merge"
def merge(*given):
    return ["\ud800" * 10**6] * 20


# %% exercise="build.byte_pairs"
def train_merges(*given):
    pairs = []
    pairs.append((pairs, pairs))
    return pairs


# %% exercise="build.encode_word"
def encode_word(*given):
    return iter(lambda: "a", "b")


# %% exercise="build.decode_ids"
def decode_ids(*given):
    return type("Text", (str,), {"__eq__": lambda *_: True, "__hash__": str.__hash__})("passed")
