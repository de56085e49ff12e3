# A class whose signature raises an error when somebody reads it.
#
# lesson: B4
# fails: build.gpt (error|mistake)

# %% exercise="build.gpt"
class Raises:
    def __get__(self, instance, owner):
        raise SystemExit("no signature")


class GPT(nn.Module):
    __signature__ = Raises()
