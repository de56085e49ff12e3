# Integers with more digits than a float can represent.
#
# lesson: 03
# fails: attention.shapes (type|shape|value)
# fails: attention.score_spread (type|shape|value|mistake)
# fails: attention.saturated (type|value|mistake)

# %% exercise="attention.shapes"
shapes = [(10**4000, -(10**4000))] * 5
# %% exercise="attention.score_spread"
spread = [2**63, 10**30]
# %% exercise="attention.saturated"
verdict = {"claim": "a", "reason": "a", "value": 10**400}
