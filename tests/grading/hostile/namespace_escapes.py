# New namespaces, mounts and roots, and ways into the namespaces of other processes.
#
# lesson: 03

# %%
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
NEW_USER, NEW_MOUNTS, NEW_PIDS = 0x10000000, 0x20000, 0x20000000
PIVOT_ROOT, CLONE3, MOUNT_SETATTR, OPEN_TREE, FSOPEN = 155, 435, 442, 428, 430
done = [libc.unshare(flag) for flag in (NEW_USER, NEW_MOUNTS, NEW_PIDS, NEW_USER | NEW_MOUNTS)]
done += [libc.mount(b"proc", b"/proc", b"proc", 0, None), libc.mount(b"tmpfs", b"/course", b"tmpfs", 0, None)]
done += [libc.umount2(place, 2) for place in (b"/proc", b"/tmp", b"/course", b"/")]
done += [libc.chroot(b"/tmp"), libc.setns(os.open("/", os.O_RDONLY), 0), libc.setuid(0), libc.setgid(0)]
if os.uname().machine == "x86_64":
    done += [libc.syscall(number, b"/tmp", b"/tmp", 0, 0, 0) for number in (PIVOT_ROOT, CLONE3, MOUNT_SETATTR, OPEN_TREE)]
    done.append(libc.syscall(56, NEW_USER | 17, 0, 0, 0, 0))  # clone(2) itself
assert set(done) == {-1}, done
