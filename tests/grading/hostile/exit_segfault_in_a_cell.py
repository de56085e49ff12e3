# A cell that crashes the interpreter.
#
# lesson: 03
# says: Code cell 1 (`import ctypes`) stopped the run: a crash in compiled code (segmentation fault). It was skipped

# %%
import ctypes

ctypes.string_at(0)
