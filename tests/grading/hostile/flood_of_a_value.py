# A value that takes for ever to display: nobody is shown the value of a cell.
#
# lesson: 03


# %%
class Endless:
    def __repr__(self):
        return "".join("x" for _ in iter(int, 1))

    _repr_html_ = _repr_mimebundle_ = __repr__


Endless()
