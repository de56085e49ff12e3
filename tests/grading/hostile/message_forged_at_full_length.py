# A message of the greatest length that the grader reads, sent without the code that shortens it, of nothing but digits.
#
# lesson: 03
# fails: attention.scaled_dot_product (error)
# uses: child

# %%
from dataclasses import replace


@in_its_place
def answer(link, value, ask):
    outcomes = honest(link, value, ask)
    if ask["name"] != "scaled_dot_product":
        return outcomes
    words = "matmul: Input operand 1 has a mismatch" + "(size " * 200 + "1" * 700
    return [replace(each, value=None, error="E" * 2000, message=words, type="T" * 2000) for each in outcomes]
