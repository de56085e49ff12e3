# Runs whose values are numbers that are almost right, arrays, and whole plans.
#
# lesson: 01
# fails: recall.plan (type|value|shape)
# fails: recall.verdict (type)

# %% exercise="recall.plan"
plan = [dict(plan_of_one) for plan_of_one in ({"seed": np.zeros((0, 3))}, {"seed": float("nan")}, {"seed": {"seed": [[]]}})]
plan[0] |= {"model": plan[2], "": plan[1], "x" * 10**5: None}
# %% exercise="recall.verdict"
verdict = {"claim": ["b"], "reason": np.array(["b"] * 1000), "value": {"value": 0.98}}
