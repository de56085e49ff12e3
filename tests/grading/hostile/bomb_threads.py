# As many threads as can be had, which wait. There are 64 at most, and the answers that follow are asked as ever.
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
