# Reads the memory above the stack, where the kernel leaves the environment of the program that it started.
#
# lesson: 03

# %%
import ctypes

environ = ctypes.POINTER(ctypes.c_void_p).in_dll(ctypes.CDLL(None), "environ")
words = []
for start in range(64):
    if not environ[start]:
        break
    words.append(ctypes.string_at(environ[start]))
secrets = (b"SECRET", b"TOKEN", b"pytest", b"GITHUB", b"submissions", b"SSH", b"USER=", b"LOGNAME=", b"JPY_", b"hostile")
found = [word for word in words if any(secret in word for secret in secrets)]
assert words, "nothing was read"
assert found == [], found
