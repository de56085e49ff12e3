# A metaclass that claims to be derived from everything.
#
# lesson: B4
# fails: build.gpt (type|error)

# %% exercise="build.gpt"
class Claims(type):
    def __subclasscheck__(cls, other):
        return True

    def __instancecheck__(cls, other):
        return True

    @property
    def __mro__(cls):
        return (cls, nn.Module, object)


class GPT(metaclass=Claims):
    def __init__(self, *sizes, **named):
        pass
