# As many threads as possible, all waiting. There can be at most 64, and later answers are judged as usual.
#
# lesson: 03

# %%
import threading

count = 0
try:
    while True:
        threading.Thread(target=threading.Event().wait, daemon=True).start()
        count += 1
except RuntimeError:
    assert 0 < count < 64, count
