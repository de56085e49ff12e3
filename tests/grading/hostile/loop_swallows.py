# A loop that swallows everything that would end it, with every signal ignored or blocked.
#
# lesson: 03
# fails: attention.scaled_dot_product (timeout)
# says: was stopped after

# %% exercise="attention.scaled_dot_product"
import signal


def scaled_dot_product(query, key, value):
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass
