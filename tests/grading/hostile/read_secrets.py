# Searches every readable file of the course, and everything that grading has written, for the text of a verdict.
#
# lesson: 03

# %%
import os

SECRETS = [b"Mistake" + b"(", b"Row C has no division" + b" and is the fastest", b"_lies_among" + b"_the_values"]
found = []
for folder, _, files in os.walk("/course"):
    for name in files:
        with open(os.path.join(folder, name), "rb") as file:
            text = file.read()
        found += [name for secret in SECRETS if secret in text]
assert not found, found
