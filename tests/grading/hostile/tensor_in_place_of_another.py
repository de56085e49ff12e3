# Functions that should change tensors give them no memory, another type or shape, or replace them by what contains itself.
#
# lesson: B6
# fails: build.clip (type|value|error|shape|ended|mistake)
# fails: build.adamw (type|value|error|shape|ended|mistake)


# %% exercise="build.clip"
def clip_gradients(gradients, *given):
    for gradient in gradients:
        gradient.resize_(10**6)
        gradient.untyped_storage().resize_(0)
    return 1.0


# %% exercise="build.adamw"
def adamw_step(*given):
    for each in given:
        if isinstance(each, list):
            each[:] = [each] * 1000
        if isinstance(each, dict):
            each.update({"self": each, "<b>" * 10**5: 1})
