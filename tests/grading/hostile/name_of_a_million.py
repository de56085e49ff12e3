# A million names, and every name that the sheet uses for its own purposes.
#
# lesson: 03

# %%
globals().update({f"name_{number}": number for number in range(10**6)})
check = hint = ask = _ = __ = In = Out = exit = quit = None
__name__ = __file__ = __doc__ = "left-by-hostile"
