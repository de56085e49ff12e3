# A right answer in another spelling of JSON: a fraction in place of an integer, a key twice. A value has one form only.
#
# lesson: 03
# fails: attention.score_spread (ended)
# fails: attention.saturated (ended)
# says: the grader received a message it could not read
# uses: child

# %%
from transformer_course.runner.wire import encode

SPELLINGS = {"spread": (b"9, 1.5", b"9.0e0, 1.5"), "verdict": (b'"claim": ', b'"claim": "a", "claim": ')}


@in_its_place
def answer(link, value, ask):
    outcomes = honest(link, value, ask)
    if ask["name"] in SPELLINGS:
        frame = encode({"answers": [outcome.as_data() for outcome in outcomes]})
        header = frame[8:].replace(*SPELLINGS[ask["name"]])
        link.end.sendall(len(header).to_bytes(4, "little") + bytes(4) + header)
    return outcomes
