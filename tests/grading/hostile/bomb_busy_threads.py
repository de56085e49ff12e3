# As many threads as possible, all at work in compiled code that has released the interpreter's lock.
#
# lesson: 03
# fails: attention.scaled_dot_product (timeout)
# says: was stopped after

# %% exercise="attention.scaled_dot_product"
import hashlib
import threading


def scaled_dot_product(query, key, value):
    def work():
        hashlib.pbkdf2_hmac("sha256", b"", b"", 10**9)

    while True:
        try:
            threading.Thread(target=work, daemon=True).start()
        except RuntimeError:
            work()
