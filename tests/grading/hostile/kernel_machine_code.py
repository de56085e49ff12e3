# Machine code of its own, which asks the kernel to fork by the door for 32-bit programs.
#
# lesson: 03
# fails: attention.scaled_dot_product (ended|error)

# %% exercise="attention.scaled_dot_product"
import ctypes
import mmap
import os


def scaled_dot_product(query, key, value):
    if os.uname().machine != "x86_64":
        raise OSError("there is no such door")
    code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    code.write(b"\xb8\x02\x00\x00\x00\xcd\x80\xc3")  # mov eax, 2; int 0x80; ret
    ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))()
