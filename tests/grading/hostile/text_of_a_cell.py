# Code whose first line, which a note quotes, is markup, a formula and control characters.
#
# lesson: 03
# fails: attention.saturated (missing)
# says: (`"<script>alert(1)</script>$x^{$" / 0`) raised TypeError
# says: did not exist
# says: (`"=1+1;\u202e{{ 7 * 7 }}" / 0`) raised TypeError

# %%
"<script>alert(1)</script>$x^{$" / 0
# %% exercise="attention.saturated"
"=1+1;\u202e{{ 7 * 7 }}" / 0
verdict = "x"
