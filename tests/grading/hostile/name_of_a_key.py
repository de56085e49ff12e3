# Mappings with keys that are markup, with keys of ten megabytes, and with twenty thousand keys.
#
# lesson: 01
# fails: recall.plan (type)
# fails: recall.verdict (type)

# %% exercise="recall.plan"
plan = [{"<script>alert(1)</script>" + str(number): 1 for number in range(20_000)}]
# %% exercise="recall.verdict"
verdict = {"claim": "b", "reason": "b", "value": 0.98, "k" * 10**7: 1}
