# Endless recursion in compiled code, on a small stack: a crash or an error, but only of this process.
#
# lesson: 03
# fails: attention.scaled_dot_product (ended|type)

# %% exercise="attention.scaled_dot_product"
import sys
import threading


def scaled_dot_product(query, key, value):
    nested = []
    for _ in range(10**5):
        nested = [nested]
    sys.setrecursionlimit(10**9)
    threading.stack_size(2**16)
    thread = threading.Thread(target=repr, args=(nested,))
    thread.start()
    thread.join()
