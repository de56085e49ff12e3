# Plans of experiments with thirty thousand runs that are one and the same object, and a mapping in place of numbers.
#
# lesson: 01
# fails: recall.plan (value)
# fails: paths.lengths (shape|type)

# %% exercise="recall.plan"
plan = [{"seed": 0, "model": "recurrent"}] * 30_000
# %% exercise="paths.lengths"
lengths = {str(number): number for number in range(10)}
