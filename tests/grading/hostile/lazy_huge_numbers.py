# Fractions and decimals with a million digits, and ones whose exponent has ten: turning them into floats takes long, or fails.
#
# lesson: 03
# fails: attention.score_spread (shape|type|value|mistake)
# fails: attention.saturated (type|value|mistake)

# %% exercise="attention.score_spread"
from decimal import Decimal
from fractions import Fraction

spread = [Decimal("1e999999999"), Decimal("9" * 10**6)]
# %% exercise="attention.saturated"
verdict = {"claim": "a", "reason": "a", "value": Fraction(7 * (1 << 10**6) + 1, (1 << 10**6) + 1)}
