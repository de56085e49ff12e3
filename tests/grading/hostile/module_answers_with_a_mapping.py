# A class that makes an object of another kind: a mapping that holds every name.
#
# lesson: B4
# fails: build.gpt (error|mistake|type)

# %% exercise="build.gpt"
class Every(dict):
    def __missing__(self, key):
        return self

    def __getattr__(self, name):
        return Every()

    def __call__(self, *given, **named):
        return self


class GPT(nn.Module):
    def __new__(cls, *sizes, **named):
        return Every()
