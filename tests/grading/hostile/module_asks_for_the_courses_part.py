# The course's own part, in place of the one that the learner should have written.
#
# lesson: B2
# fails: build.causal_head (missing)
# says: there is no part 'CausalHead' in the Build

# %% exercise="build.causal_head"
from transformer_course import my_transformer

CausalHead = my_transformer.CausalHead
