# Messages that a spreadsheet or a drawing would take for formulas, in the names and texts of errors.
#
# lesson: 03
# fails: attention.scaled_dot_product (error)
# says: =HYPERLINK("http://example.invalid")
# says: raised =cmd|' /C calc'!A0: $$\frac{$

# %%
raise type("=cmd|' /C calc'!A0", (ValueError,), {})("$$\\frac{$")


# %% exercise="attention.scaled_dot_product"
def scaled_dot_product(query, key, value):
    raise type("+1;=1+1\t=1+1,@x", (ValueError,), {})('=HYPERLINK("http://example.invalid")')
