# Objects that watch each other: chains and rings of epoll, and each of a hundred watching all the others.
#
# lesson: 03

# %%
import contextlib
import select

watchers = []
with contextlib.suppress(OSError):
    while len(watchers) < 100:
        watchers.append(select.epoll())
for watcher in watchers:
    for other in watchers:
        with contextlib.suppress(OSError, ValueError):
            watcher.register(other, select.EPOLLIN | select.EPOLLET)
watchers[0].poll(0)
