# Every way in which Python reports an error that it cannot raise is replaced by one that raises.
#
# lesson: 03

# %%
import sys
import threading
import warnings


def leave(*_, **__):
    raise SystemExit


sys.excepthook = sys.unraisablehook = threading.excepthook = sys.breakpointhook = leave
warnings.showwarning = leave
threading.Thread(target=leave).start()


class Noisy:
    __del__ = leave


Noisy()
