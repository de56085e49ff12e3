# An error whose name and message are a script, meant for readers of the feedback page.
#
# lesson: 03
# fails: attention.scaled_dot_product (error)
# says: <img src=x onerror=alert(1)>


# %% exercise="attention.scaled_dot_product"
def scaled_dot_product(query, key, value):
    raise type("</td><script>alert(1)</script>", (ValueError,), {})("<img src=x onerror=alert(1)>")
