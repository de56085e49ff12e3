# Metaclass and `__class__` tricks: an object of another class that says that it is one of `nn.Module`.
#
# lesson: B2
# fails: build.causal_head (error|type|mistake)

# %% exercise="build.causal_head"
class Claims(type):
    def __call__(cls, *sizes, **named):
        return Other(*sizes)

    def __instancecheck__(cls, other):
        return True


class Other:
    __class__ = nn.Module
    _parameters = _buffers = _modules = property(lambda self: {})

    def __init__(self, d_model, d_head):
        self.weight = torch.zeros(d_head, d_model)

    def __getattr__(self, name):
        return lambda *given, **named: self


class CausalHead(nn.Module, metaclass=Claims):
    pass
