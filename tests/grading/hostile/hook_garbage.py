# Collects garbage at every step, with callbacks that raise and objects that come back to life.
#
# lesson: 03

# %%
import gc
import weakref


class Undead:
    def __del__(self):
        undead.append(self)


undead = [Undead() for _ in range(10)]
undead.clear()
gc.callbacks.append(lambda *_: 1 / 0)
gc.set_threshold(100, 2, 2)
weakref.finalize(Undead, lambda: 1 / 0)
