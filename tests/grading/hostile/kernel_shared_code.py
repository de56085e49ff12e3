# Changes the machine code of libraries and of Python in memory that it shares with everybody: only its own copy changes.
#
# lesson: 03
# fails: attention.scaled_dot_product (ended|value|type|error)

# %% exercise="attention.scaled_dot_product"
import ctypes


def scaled_dot_product(query, key, value):
    libc = ctypes.CDLL(None)
    for function in ("PyObject_Repr", "PyFloat_FromDouble", "PyList_New", "PyDict_New", "write", "recv", "futimes"):
        address = ctypes.cast(getattr(libc, function), ctypes.c_void_p).value
        libc.mprotect(ctypes.c_void_p(address & ~4095), 8192, 7)
        ctypes.memset(address, 0xC3, 1)  # ret
    return query @ key
