# A test that passes the function things that are not arrays: itself, a string, an object, nothing, too much.
#
# lesson: 04
# fails: attention.test_causal (value)
# says: functions that are right


# %% exercise="attention.test_causal"
def is_causal(f):
    seen = []
    for given in ((f,), ("x",), (object(),), (), (1, 2, 3), ({"x": 1},), (np.array([f]),), (np.array("x"),)):
        try:
            f(*given)
            seen.append(given)
        except (TypeError, ValueError):
            pass
    return bool(seen)
