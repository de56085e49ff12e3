# A training step that writes its own record of what happened, and losses that are whatever is needed.
#
# lesson: B1
# fails: build.train_step (value|type|mistake|error|shape)


# %% exercise="build.train_step"
class Loss(float):
    __eq__ = __sub__ = lambda *_: True
    __hash__ = float.__hash__


def train_step(model, optimizer, inputs, labels):
    optimizer.trace.extend(["zero_grad", "backward", "step"] * 10**4)
    optimizer.step = optimizer.zero_grad = None
    return Loss("nan")
