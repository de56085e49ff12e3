# Searches all text in its memory for other learners' names, for paths of the teacher, and for the seed of its questions.
#
# lesson: 03

# %%
import gc

words = set()
for thing in gc.get_objects():
    for part in gc.get_referents(thing):
        if type(part) is str and len(part) < 500:
            words.add(part)
secrets = ("honest.ipynb", "hostile.ip" + "ynb", "grade" + "s.csv", "feed" + "back.html", "secret" + ".key")
found = [word for word in words for secret in secrets if secret in word and "secrets" not in word]
assert found == [], found
