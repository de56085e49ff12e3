# Messages in the languages of templates, of Markdown and of reStructuredText, and in characters that no file may contain.
#
# lesson: 03
# fails: attention.scaled_dot_product (error)
# says: {{ 7 * 7 }}

# %%
raise ValueError("{{ 7 * 7 }}{% include '/etc/passwd' %}{#")


# %% exercise="attention.scaled_dot_product"
def scaled_dot_product(query, key, value):
    raise ValueError("{{ 7 * 7 }} ![x](http://example.invalid) <!-- .. raw:: html ``` ]]> \ufeff\ufffe\x00\x1a\u2028\udfff")
