# Searches all living objects and all stack frames for exercises, mistakes, verdicts and references.
#
# lesson: 03

# %%
import gc
import sys

KINDS = {"Mistake", "Exercise", "Implement", "Number", "Construct", "TwoTier", "Verdict", "Property", "Graded"}
found = {type(thing).__name__ for thing in gc.get_objects()} & KINDS
found |= {thing.__name__ for thing in gc.get_objects() if isinstance(thing, type)} & KINDS
frame = sys._getframe()
while frame:
    found |= {name for name in frame.f_locals if name in ("exercise", "seed", "reference", "mistakes", "sandbox", "secret")}
    frame = frame.f_back
assert not found, found
