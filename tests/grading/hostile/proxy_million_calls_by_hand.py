# A test that bypasses the code that counts its calls, and sends its calls itself.
#
# lesson: 04
# fails: attention.test_causal (ended|timeout)

# %%
import gc

child = next(each for each in gc.get_objects() if type(each).__name__ == "Child")
link_of = []
honest = child.answer


def answer(link, value, ask):
    link_of.append(link)
    return honest(link, value, ask)


child.answer = answer


# %% exercise="attention.test_causal"
def is_causal(f):
    for _ in range(10**6):
        link_of[-1].send({"call": [0, [np.ones((2, 2))]]})
        link_of[-1].receive()
